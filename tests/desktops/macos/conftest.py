"""The macOS desktop's own code on simulated Macs, one for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.desktops.macos.scenes import Scene, World, raise_scene, world

Raise = Callable[..., Scene]


@pytest.fixture
def raised(tmp_path: Path) -> Iterator[Raise]:
    """Call it with apps, and with what else is in the world."""
    opened: list[Scene] = []

    def make(*apps: World, **more: Any) -> Scene:
        opened.append(raise_scene(tmp_path, world(*apps, **more)))
        return opened[-1]

    yield make
    for scene in opened:
        scene.desktop.close()


@pytest.fixture
def scene(raised: Raise) -> Scene:
    """TextEdit in front of a chat client."""
    return raised()
