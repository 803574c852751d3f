# Prints the title of the window in front. No arguments.
if ! command -v xprop >/dev/null; then
  echo 'front-window: wanted xprop, not found. Install it, e.g.: apt install x11-utils' >&2
  exit 127
fi
window=$(xprop -root -notype _NET_ACTIVE_WINDOW | sed -n 's/.*\(0x[0-9a-f]*\).*/\1/p')
if [ -z "$window" ] || [ "$window" = 0x0 ]; then
  echo 'front-window: the window manager names no active window' >&2
  exit 1
fi
xprop -id "$window" -notype _NET_WM_NAME | sed -e 's/^[^=]*= "//' -e 's/"$//' -e 's/\\\(["\\]\)/\1/g'  # xprop escapes quotes
