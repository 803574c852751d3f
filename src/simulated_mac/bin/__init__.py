"""Programs of a Mac, run as processes of their own: they talk to the simulated Mac through its socket."""
