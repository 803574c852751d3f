"""``mac-commander demo``: see the server work on a desktop of its own."""
