-- Prints the text on the clipboard. No arguments.
on run argv
	return the clipboard as text
end run
