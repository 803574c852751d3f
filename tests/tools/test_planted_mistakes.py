"""Every planted mistake is found, by the check that says so; the code as it stands is found clean by both."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.tools.planted import LINT, MISTAKES, SIMULATION, TYPES, Planted
from tools.facts import document, lint, usage

DESKTOP = usage.SOURCES / "desktops" / "macos"
SOURCES = {path.name: path for path in usage.mac_sources()}


def test_the_mac_code_agrees_with_the_facts() -> None:
    assert [str(f) for f in lint.check(usage.mac_sources(), document.load())] == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: m.name)
def test_the_lint_finds_it_or_leaves_it_to_the_types(mistake: Planted, tmp_path: Path) -> None:
    found = lint.check([plant(mistake, tmp_path / mistake.file)], document.load())
    assert (LINT in mistake.caught) == bool(found), found
    assert {f.rule for f in found} == ({mistake.rule} if found else set())


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What mypy says of each planted copy, and of the copied files as they are, in one run."""
    folder = tmp_path_factory.mktemp("types")
    for number, mistake in enumerate(MISTAKES):
        plant(mistake, folder / f"planted_{number}.py")
    for file in {m.file for m in MISTAKES}:
        shutil.copyfile(SOURCES[file], folder / f"right_{file}")
    command = [sys.executable, "-m", "mypy", "--strict", "--platform", "darwin", "--no-error-summary", "--config-file="]
    command += ["--cache-dir", str(usage.ROOT / ".mypy_cache" / "planted"), *map(str, folder.iterdir())]
    path = f"{usage.ROOT / 'src'}:{usage.ROOT / 'stubs'}"
    done = subprocess.run(command, env={"MYPYPATH": path}, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    said = defaultdict(list)
    for line in done.stdout.splitlines():
        said[Path(line.partition(":")[0]).name].append(line)
    return said


@pytest.mark.parametrize(("number", "mistake"), list(enumerate(MISTAKES)), ids=[m.name for m in MISTAKES])
def test_the_types_find_it_or_leave_it_to_the_lint(number: int, mistake: Planted, typed: dict[str, list[str]]) -> None:
    found = typed.get(f"planted_{number}.py", [])
    assert (TYPES in mistake.caught) == bool(found), found


def test_the_types_find_nothing_in_the_code_as_it_is(typed: dict[str, list[str]]) -> None:
    assert {name: lines for name, lines in typed.items() if name.startswith("right_")} == {}


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What becomes of a walk through the simulated Mac with each planted copy, and with the code as it is."""
    folder = tmp_path_factory.mktemp("walks")
    numbers = [number for number, mistake in enumerate(MISTAKES) if DESKTOP in SOURCES[mistake.file].parents]
    copies = {number: plant(MISTAKES[number], folder / f"planted_{number}.py") for number in numbers}
    plan = {str(n): [module_name(SOURCES[MISTAKES[n].file]), str(copy)] for n, copy in copies.items()}
    plan["right"] = [module_name(SOURCES["ax.py"]), str(SOURCES["ax.py"])]
    (folder / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    command = [sys.executable, "-m", "tests.tools.tour", str(folder / "plan.json")]
    done = subprocess.run(command, cwd=usage.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    became: dict[str, str] = json.loads(done.stdout)
    return became


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(usage.SOURCES.parent).with_suffix("").parts)


@pytest.mark.parametrize(("number", "mistake"), list(enumerate(MISTAKES)), ids=[m.name for m in MISTAKES])
def test_the_simulation_finds_it_or_leaves_it(number: int, mistake: Planted, walked: dict[str, str]) -> None:
    found = walked.get(str(number), "")
    assert (SIMULATION in mistake.caught) == bool(found), found


def test_the_code_as_it_is_walks_through(walked: dict[str, str]) -> None:
    assert walked["right"] == ""


def test_no_mistake_is_left_to_nobody() -> None:
    assert all(m.caught for m in MISTAKES)
    assert len(MISTAKES) >= 15


def test_the_documentation_has_the_table() -> None:
    written = (usage.ROOT / "docs" / "macos.md").read_text(encoding="utf-8")
    for m in MISTAKES:
        cells = (m.rule if LINT in m.caught else "", *("x" if by in m.caught else "" for by in (TYPES, SIMULATION)))
        assert f"| {m.name} | {' | '.join(cells)} |" in written
    assert f"**Planted mistakes.** {len(MISTAKES)} mistakes" in written


def plant(mistake: Planted, copy: Path) -> Path:
    """A copy of the real file with the mistake in it; the right line has to be there, else it has been rewritten."""
    source = SOURCES[mistake.file].read_text(encoding="utf-8")
    assert mistake.right in source, f"{mistake.file} no longer has {mistake.right!r}: plant it elsewhere"
    copy.write_text(source.replace(mistake.right, mistake.wrong, 1), encoding="utf-8")
    return copy
