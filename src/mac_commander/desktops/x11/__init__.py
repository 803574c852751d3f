"""The X11 desktop: `desktop.py` puts its parts together."""
