"""The desktops, and the one function that picks one."""
