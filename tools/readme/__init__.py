"""The parts of README.md that are made: tables from the code, answers from a run on the simulated Mac."""
