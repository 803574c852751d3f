"""One file, one tool."""
