"""The macOS desktop, through PyObjC. Imported only when this desktop is opened."""
