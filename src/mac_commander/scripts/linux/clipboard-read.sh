# Prints the text on the clipboard. No arguments.
if [ -n "${WAYLAND_DISPLAY:-}" ] && command -v wl-paste >/dev/null; then
  exec wl-paste --no-newline
elif command -v xclip >/dev/null; then
  exec xclip -selection clipboard -out
elif command -v xsel >/dev/null; then
  exec xsel --clipboard --output
fi
echo 'clipboard-read: wanted xclip, xsel or wl-clipboard, found none. Install one, e.g.: apt install xclip' >&2
exit 127
