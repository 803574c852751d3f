-- Puts text on the clipboard. Argument: the text.
on run argv
	if (count of argv) is not 1 then error "clipboard-write: wanted one argument, the text" number 2
	set the clipboard to item 1 of argv
end run
