"""What `see` says where macOS has not granted something: always which grant, and nothing twice."""

from __future__ import annotations

import pytest

from tests.core.test_batch import Open
from tests.desktops.macos.scenes import TEXTEDIT

PANE = "System Settings > Privacy & Security > "


@pytest.mark.parametrize("vision", [False, True])
def test_without_screen_recording_the_tree_comes_with_a_note_that_names_it(
    stage: Open,
    vision: bool,
) -> None:
    text = stage(grants={"screen_recording": False}).see(app="TextEdit", vision=vision)
    assert 'button "Save"' in text
    assert text.count(f"{PANE}Screen & System Audio Recording") == 1


def test_without_accessibility_the_tree_is_empty_and_says_so(stage: Open) -> None:
    lines = stage(grants={"accessibility": False}).see(app="TextEdit").splitlines()
    named = f"TextEdit (com.apple.TextEdit, pid {TEXTEDIT['pid']})"
    assert lines[:4] == [f"frontmost: {named}", named, 'window "Untitled"', "incomplete: 0 elements"]
    notes = [line for line in lines[4:] if "Accessibility" in line]
    assert all(note.startswith("note: Accessibility is not granted to ") for note in notes)
    assert len(set(notes)) == len(notes) == 2, "that it cannot be read, and that it cannot be driven"
