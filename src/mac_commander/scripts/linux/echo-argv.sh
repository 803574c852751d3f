# Prints each argument on a line of its own, to see how values arrive. Arguments: any.
for value in "$@"; do
  printf '%s\n' "$value"
done
