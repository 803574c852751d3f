# Puts text on the clipboard. Argument: the text.
if [ "$#" -ne 1 ]; then
  echo "clipboard-write: wanted one argument, the text; got $#" >&2
  exit 2
fi
# The program that holds the selection must outlive this script: setsid takes it out of the group that is ended.
if [ -n "${WAYLAND_DISPLAY:-}" ] && command -v wl-copy >/dev/null; then
  printf '%s' "$1" | setsid wl-copy >/dev/null 2>&1
elif command -v xclip >/dev/null; then
  printf '%s' "$1" | setsid xclip -selection clipboard -in >/dev/null 2>&1
elif command -v xsel >/dev/null; then
  printf '%s' "$1" | setsid xsel --clipboard --input >/dev/null 2>&1
else
  echo 'clipboard-write: wanted xclip, xsel or wl-clipboard, found none. Install one, e.g.: apt install xclip' >&2
  exit 127
fi
