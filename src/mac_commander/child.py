"""Run one program to its end: text on stdin, values on argv, output bounded, the whole group ended in time."""
