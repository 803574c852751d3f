"""The guardian: a process of its own that outlives the server for a moment, to let go of what it held down."""
