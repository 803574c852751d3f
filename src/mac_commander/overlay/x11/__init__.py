"""The halo on X11: Cairo paints, the X server keeps the pixels, nothing is repainted while it glows."""
