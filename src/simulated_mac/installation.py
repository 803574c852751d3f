"""Starting a simulated Mac."""

from __future__ import annotations

from pathlib import Path

from simulated_mac import world as worlds
from simulated_mac.frameworks import modules
from simulated_mac.machine import Machine

DEFAULT_WORLD = Path(__file__).parent / "default_world.json"


def install(world: Path | None = None, journal: Path | None = None) -> Machine:
    """A Mac with this world, from now on what ``import AppKit`` and its like find.

    Raises `WorldError` naming the place of what is wrong in the world file, `OSError` when a file cannot be used.
    """
    machine = Machine(worlds.read(world or DEFAULT_WORLD), journal)
    modules.install(machine)
    machine.serve_programs()
    return machine
