"""Each check of the guard taken out or turned round, one at a time, in a copy: some test must fail for each.

``python -m tests.attack.mutation [FILE …]`` reports killed of all and names the survivors. A first run without a mutant
notes which test enters which function: a mutant meets those tests alone, the quickest first, up to the first that
fails. As many run at once as there are processors.
"""

from __future__ import annotations

import compileall
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import hypothesis.stateful  # noqa: F401 - loaded here once, for all forks
import PIL.Image  # noqa: F401 - the same
import pytest

from tests.attack.mutants import Mutant, mutants

ROOT = Path(__file__).parents[2]
PACKAGE = "mac_commander"

HANG_SECONDS = 20
"""What a test may take besides ten times what it takes without a mutant: one that hangs has noticed."""

STEPS = tuple(f"tests/core/test_{part}.py" for part in (
    "batch", "batch_proofs", "perform_proofs", "proofs", "finder", "session", "see", "see_grants"))  # fmt: skip

PLACES = {
    "core/guard.py": ("tests/core/test_guard.py",),
    "core/blocklist.py": ("tests/core/test_blocklist.py", "tests/core/test_likely_mistakes.py"),
    "core/chords.py": ("tests/core/test_chords.py", "tests/attack/test_combos.py"),
    "core/session.py": STEPS,
    "core/perform.py": STEPS,
    "core/batch.py": STEPS,
}
"""Files whose every function counts, and the tests that must notice."""

EQUIVALENT: Mapping[str, str] = {}
"""Changes that change nothing, with the reason; they are run all the same, and must survive."""


@dataclass(frozen=True)
class Test:
    """One function of a test file, with its parameters."""

    id: str
    seconds: float
    entered: frozenset[str]
    """Functions of the package, as ``core/guard.py judge``."""


class _Watch:
    """A plugin of pytest that notes for each test how long it took and which functions it entered."""

    def __init__(self, below: Path) -> None:
        self._below = f"{below}/"
        self._codes: set[CodeType] = set()
        self.tests: list[dict[str, Any]] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._codes.clear()
        begun = time.perf_counter()
        sys.setprofile(self._called)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            self.tests.append(
                {"id": item.nodeid, "seconds": time.perf_counter() - begun, "entered": sorted(set(self._entered()))}
            )

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self._codes.add(frame.f_code)

    def _entered(self) -> Iterator[str]:
        for code in self._codes:
            if code.co_filename.startswith(self._below):
                yield f"{code.co_filename.removeprefix(self._below)} {code.co_name}"


class _Chosen:
    """A plugin of pytest that keeps to these tests, in this order."""

    def __init__(self, tests: Sequence[Test]) -> None:
        self._place = {test.id: place for place, test in enumerate(tests)}
        self._seconds = {test.id: HANG_SECONDS + 10 * test.seconds for test in tests}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((i for i in items if i.nodeid in self._place), key=lambda i: self._place[i.nodeid])
        for item in items:
            item.add_marker(pytest.mark.timeout(self._seconds[item.nodeid], method="thread"), append=False)


def _pytest(copy: Path, files: Sequence[str], plugin: object) -> int:
    """In a fork, which has the libraries loaded; what is ours comes from the copy."""
    os.chdir(copy)
    sys.path[:] = [str(copy / "src"), str(copy), *(p for p in sys.path if p not in ("", str(ROOT), str(ROOT / "src")))]
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    loaded = "ignore::pytest.PytestAssertRewriteWarning"
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--tb=no", "-W", loaded, *files], [plugin]))


def watched(copy: Path, files: Sequence[str]) -> list[Test]:
    """All tests of these files, run once without a mutant."""
    notes = copy / "tests.json"
    if (pid := os.fork()) == 0:
        sys.dont_write_bytecode = False  # rewriting the tests' asserts costs more than many a test
        watch = _Watch(copy / "src" / PACKAGE)
        code = _pytest(copy, files, watch)
        notes.write_text(json.dumps(watch.tests), encoding="utf-8")
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == pytest.ExitCode.OK, f"{files} fail without any mutant"
    found = json.loads(notes.read_text(encoding="utf-8"))
    return [Test(test["id"], test["seconds"], frozenset(test["entered"])) for test in found]


def noticing(mutant: Mutant, tests: Sequence[Test]) -> list[Test]:
    """Those of the mutant's place that enter its function, the quickest first."""
    there = (t for t in tests if t.id.startswith(PLACES[mutant.file]) and mutant.place in t.entered)
    return sorted(there, key=lambda test: test.seconds)


def started(mutant: Mutant, copy: Path, tests: Sequence[Test]) -> int:
    """A process that runs the tests on the copy with the mutant in it."""
    file = copy / "src" / PACKAGE / mutant.file
    file.write_text(mutant.source, encoding="utf-8")
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
        compiled.unlink()  # it would be taken for the changed source's when size and second are the same
    if (pid := os.fork()) == 0:
        sys.dont_write_bytecode = True
        files = list(dict.fromkeys(test.id.partition("::")[0] for test in tests))
        os._exit(_pytest(copy, files, _Chosen(tests)) if tests else pytest.ExitCode.OK)
    return pid


def verdicts(chosen: Sequence[Mutant], copies: Sequence[Path], tests: Sequence[Test]) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant, and whether it was killed, as they end."""
    free, waiting = list(copies), list(reversed(chosen))
    running: dict[int, tuple[Mutant, Path]] = {}
    while waiting or running:
        while waiting and free:
            mutant, copy = waiting.pop(), free.pop()
            running[started(mutant, copy, noticing(mutant, tests))] = mutant, copy
        pid, status = os.wait()
        mutant, copy = running.pop(pid)
        (copy / "src" / PACKAGE / mutant.file).write_text(mutant.original, encoding="utf-8")
        free.append(copy)
        code = os.waitstatus_to_exitcode(status)
        assert code in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED), f"pytest ended with {code} on {mutant}"
        yield mutant, code == pytest.ExitCode.TESTS_FAILED


def copied(folder: Path) -> Path:
    """Nobody who edits the project meanwhile changes what is measured."""
    for part in ("src", "tests"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    compileall.compile_dir(str(folder / "src"), quiet=2)
    return folder


def main(files: Sequence[str]) -> int:
    places = list(files) or list(PLACES)
    killed, wrong = 0, 0
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        first = copied(Path(folder) / "0")
        tests = watched(first, list(dict.fromkeys(test for file in places for test in PLACES[file])))
        copies = [first, *(shutil.copytree(first, Path(folder) / str(n)) for n in range(1, os.cpu_count() or 1))]
        sources = {file: (first / "src" / PACKAGE / file).read_text(encoding="utf-8") for file in places}
        chosen = [mutant for file, source in sources.items() for mutant in mutants(file, source)]
        print(f"{len(chosen)} mutants, {len(tests)} tests", flush=True)
        for number, (mutant, dead) in enumerate(verdicts(chosen, copies, tests), 1):
            killed += dead
            wrong += dead is (mutant.name in EQUIVALENT)
            if not dead:
                print(f"{EQUIVALENT.get(mutant.name, 'survived')}: {mutant}", flush=True)
            if number % 50 == 0:
                print(f"  {number} of {len(chosen)}", flush=True)
    print(f"{killed} of {len(chosen)} mutants killed, {len(chosen) - killed - wrong} change nothing")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
