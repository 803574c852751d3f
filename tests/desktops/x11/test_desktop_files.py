"""Desktop files: what is an app, under which names, by which words it starts, and who it is when it runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.desktops.x11 import desktop_files
from mac_commander.desktops.x11.desktop_files import DesktopFiles, read_file, split_exec


def write(folder: Path, name: str, **values: str) -> Path:
    """A desktop file; keys are written as they are, ``_de`` stands for ``[de]``."""
    path = folder / "applications" / f"{name}.desktop"
    path.parent.mkdir(parents=True, exist_ok=True)
    entry = {"Type": "Application", "Name": name, "Exec": "true"} | values
    lines = [f"{key.replace('_', '[', 1) + ']' if '_' in key else key}={value}" for key, value in entry.items()]
    path.write_text("\n".join(["# a comment", "", "[Desktop Entry]", *lines, "[Desktop Action new]", "Exec=false"]))
    return path


@pytest.fixture
def system(tmp_path: Path) -> Path:
    return tmp_path / "system"


@pytest.fixture
def files(tmp_path: Path, system: Path, monkeypatch: pytest.MonkeyPatch) -> DesktopFiles:
    """`system` alone counts as written by root only, whoever runs the tests."""
    monkeypatch.setattr(desktop_files, "_only_root_writes", lambda folder: folder.is_relative_to(system))
    environment = {
        "XDG_DATA_HOME": str(tmp_path / "home"),
        "XDG_DATA_DIRS": f"{tmp_path / 'local'}:{system}",
        "PATH": "/usr/bin:/bin",
        "LANG": "de_AT.UTF-8",
    }
    return DesktopFiles(environment)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("mousepad %U", ("mousepad",)),
        ('"/opt/My App/run" --file=%f --50%% %i', ("/opt/My App/run", "--file=", "--50%")),
        (r'sh -c "echo \"\$HOME\" \\ done"', ("sh", "-c", r'echo "$HOME" \ done')),
        ("a  b\tc", ("a", "b", "c")),
        ('tool "" end', ("tool", "", "end")),
        ("tool $(reboot) ; rm -rf ~ | cat > x && y `z`", tuple("tool $(reboot) ; rm -rf ~ | cat > x && y `z`".split())),
        ('tool "not closed', ()),
        ('tool half"quoted"', ()),
        ("", ()),
        ("%U", ()),
    ],
)
def test_exec_is_split_as_the_specification_says(command: str, words: tuple[str, ...]) -> None:
    assert split_exec(command) == words


@given(st.lists(st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0\n"), min_size=1)))
def test_quoted_words_come_back_whole(words: list[str]) -> None:
    quoted = ['"' + "".join(f"\\{c}" if c in '"`$\\' else c for c in word) + '"' for word in words]
    assert split_exec(" ".join(quoted)) == tuple(words)


@given(st.text())
def test_any_exec_is_split_without_error(command: str) -> None:
    assert all(isinstance(word, str) for word in split_exec(command))


def test_names_in_all_languages_are_aliases(files: DesktopFiles, system: Path) -> None:
    write(
        system,
        "org.example.Settings",
        Name="Settings",
        Name_de="Einstellungen",
        Name_fr="Réglages",
        Exec="/bin/true %u",
    )
    (found,) = files.installed()
    assert (found.name, found.app_id) == ("Einstellungen", "org.example.Settings")
    assert {"Settings", "Réglages", "true"} <= set(found.aliases)


@pytest.mark.parametrize(
    "values",
    [
        {"Terminal": "true"},
        {"NoDisplay": "true"},
        {"Hidden": "true"},
        {"TryExec": "/nonexistent/program"},
        {"Exec": "/nonexistent/program"},
        {"Exec": ""},
        {"Type": "Link"},
        {"Name": ""},
    ],
)
def test_what_cannot_or_should_not_be_launched_is_left_out(
    files: DesktopFiles, system: Path, values: dict[str, str]
) -> None:
    write(system, "good")
    write(system, "bad", **values)
    assert [entry.app_id for entry in files.installed()] == ["good"]


def test_a_file_of_the_user_does_not_take_the_place_of_a_system_one(
    files: DesktopFiles, tmp_path: Path, system: Path
) -> None:
    theirs = write(system, "editor", Name="Editor", Exec="/bin/true")
    for folder in ("home", "local"):
        write(tmp_path / folder, "editor", Name="Editor", Exec="/bin/false")
    (found,) = files.installed()
    assert found.location == str(theirs)
    write(tmp_path / "home", "mine", Name="Mine")
    assert [entry.app_id for entry in files.installed()] == ["editor", "mine"]


def test_sub_folders_are_part_of_the_id(files: DesktopFiles, system: Path) -> None:
    write(system, "x")
    (system / "applications" / "kde").mkdir()
    (system / "applications" / "x.desktop").rename(system / "applications" / "kde" / "x.desktop")
    assert [entry.app_id for entry in files.installed()] == ["kde-x"]


def test_a_changed_file_is_read_again(files: DesktopFiles, system: Path) -> None:
    path = write(system, "app", Name="Before")
    assert files.installed()[0].name == "Before"
    path.write_text(path.read_text().replace("Before", "Afterwards"))
    assert files.installed()[0].name == "Afterwards"
    path.unlink()
    assert files.installed() == ()


@pytest.mark.parametrize(
    ("wm_class", "executable", "gtk_app_id", "expected"),
    [
        (("x", "X"), "", "org.example.One", "org.example.One"),
        (("navigator", "Two Browser"), "", "", "two"),
        (("two", "TWO"), "", "", "two"),
        (("one", "One"), "", "", "org.example.One"),
        (("", ""), "/usr/bin/python3.11", "", None),
        (("", ""), "", "", None),
        (("nobody", "Nobody"), "/nonexistent", "", None),
    ],
)
def test_a_running_program_is_identified(
    files: DesktopFiles, system: Path, wm_class: tuple[str, str], executable: str, gtk_app_id: str, expected: str | None
) -> None:
    write(system, "org.example.One", Exec="one")
    write(system, "two", StartupWMClass="two browser", Exec="python3 two.py")
    found = files.identify(wm_class, executable, gtk_app_id)
    assert (found.app_id if found else None) == expected


def test_an_executable_identifies_only_when_one_entry_starts_it(files: DesktopFiles, system: Path) -> None:
    real = str(Path("/usr/bin/env").resolve())
    write(system, "calc", Exec="cat %F")
    cat = str(Path("/usr/bin/cat").resolve())
    found = files.identify(("", ""), cat)
    assert found is not None
    assert found.app_id == "calc"
    write(system, "writer", Exec="cat --writer")
    assert files.identify(("", ""), cat) is None
    write(system, "wrapped", Exec="env wrapped")
    assert files.identify(("", ""), real) is None, "an interpreter says nothing"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"[Desktop Entry]",
        b"Name=x",
        b"=\n[[\n]]",
        b"[Desktop Entry]\n=\nName\nType=Application\n",
    ],
)
def test_nonsense_is_no_entry(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.desktop"
    path.write_bytes(content)
    assert read_file("x", path) is None


def test_no_file_blocks_or_breaks_the_reading(files: DesktopFiles, system: Path) -> None:
    write(system, "good")
    folder = system / "applications"
    os.mkfifo(folder / "fifo.desktop")
    (folder / "folder.desktop").mkdir()
    (folder / "loop.desktop").symlink_to("loop.desktop")
    (folder / "up").symlink_to(folder)
    (folder / "huge.desktop").write_bytes(b"[Desktop Entry]\nType=Application\nName=Huge\n" + b"#" * 2_000_000)
    assert [entry.app_id for entry in files.installed()] == ["good"]
