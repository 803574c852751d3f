-- Prints the app in front and the title of its front window. No arguments.
on run argv
	tell application "System Events"
		set frontApp to first application process whose frontmost is true
		set appName to name of frontApp
		if (count of windows of frontApp) is 0 then return appName & ": no window"
		return appName & ": " & name of front window of frontApp
	end tell
end run
