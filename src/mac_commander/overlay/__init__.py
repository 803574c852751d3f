"""The halo: a process of its own that shows when something else than the user holds the keyboard.

`client.Halo` is all that the server sees. The helper (``python -m mac_commander.overlay KIND``) imports nothing
of the server, and the server nothing of the helper.
"""
