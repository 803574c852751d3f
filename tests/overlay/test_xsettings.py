"""The XSETTINGS property, built here by its specification and read back; broken ones end the reading quietly."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.overlay.x11.xsettings import ANIMATIONS, WINDOW_SCALE, integers

Value = int | str | tuple[int, int, int, int]


def padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def written(settings: dict[str, Value], order: str = "<") -> bytes:
    out = bytes([1 if order == ">" else 0, 0, 0, 0]) + struct.pack(order + "II", 7, len(settings))
    for name, value in settings.items():
        kind = 0 if isinstance(value, int) else 1 if isinstance(value, str) else 2
        out += struct.pack(order + "BxH", kind, len(name)) + padded(name.encode()) + struct.pack(order + "I", 3)
        if isinstance(value, int):
            out += struct.pack(order + "i", value)
        elif isinstance(value, str):
            out += struct.pack(order + "I", len(value.encode())) + padded(value.encode())
        else:
            out += struct.pack(order + "4H", *value)
    return out


SETTINGS: dict[str, Value] = {
    "Net/ThemeName": "Adwaita",
    ANIMATIONS: 0,
    "Net/Accent": (1, 2, 3, 4),
    WINDOW_SCALE: 2,
    "X": -1,
}


@pytest.mark.parametrize("order", ["<", ">"])
def test_integers_among_other_kinds(order: str) -> None:
    assert integers(written(SETTINGS, order)) == {ANIMATIONS: 0, WINDOW_SCALE: 2, "X": -1}


@given(st.integers(0, 200))
def test_a_cut_property_gives_what_came_before(length: int) -> None:
    found = integers(written(SETTINGS)[:length])
    assert found.items() <= {ANIMATIONS: 0, WINDOW_SCALE: 2, "X": -1}.items()


@given(st.binary(max_size=300))
def test_noise_never_raises(data: bytes) -> None:
    integers(data)
