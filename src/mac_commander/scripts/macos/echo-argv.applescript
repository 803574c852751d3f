-- Prints each argument on a line of its own, to see how values arrive. Arguments: any.
on run argv
	set AppleScript's text item delimiters to linefeed
	return argv as text
end run
