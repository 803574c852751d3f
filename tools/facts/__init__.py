"""Facts about macOS, taken from PyObjC's own packages: facts.json, type stubs, and checks of our code against them.

Start at README.md. One file, one step: fetch → metadata, headers → surface → cut → stubs, lint.
"""
