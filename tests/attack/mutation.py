"""Each check of the guard taken out or turned round, one at a time, in a copy: some test must fail for each.

``python -m tests.attack.mutation [FILE[:FUNCTION] …]`` reports killed of all and names the survivors. pytest collects
once; a first run without a mutant notes which test enters which function. Each mutant is then a fork, which meets those
tests alone, the quickest first, up to the first that fails. As many run at once as there are processors.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from tests.attack.mutants import Mutant, mutants

ROOT = Path(__file__).parents[2]
PACKAGE = "mac_commander"

HANG_SECONDS = 20
"""What a test may take besides ten times what it takes without a mutant: one that hangs has noticed."""

CRASHED = 3

STEPS = tuple(
    f"tests/core/test_{part}.py"
    for part in ("batch", "batch_proofs", "perform_proofs", "proofs", "waits", "finder", "session", "see", "see_grants")
)

FILES = tuple(f"tests/core/test_{part}.py" for part in ("config", "scripts", "audit"))

MACOS = (
    "tests/core/test_finder.py",
    *(f"tests/desktops/macos/test_{part}.py" for part in ("apps", "batch", "evidence", "human", "input", "real_macs")),
)

PLACES = {
    "core/guard.py": ("tests/core/test_guard.py",),
    "core/blocklist.py": ("tests/core/test_blocklist.py", "tests/core/test_likely_mistakes.py"),
    "core/chords.py": ("tests/core/test_chords.py", "tests/attack/test_combos.py"),
    "core/session.py": STEPS,
    "core/perform.py": STEPS,
    "core/batch.py": STEPS,
    "core/names.py": ("tests/core/test_names.py", "tests/core/test_session.py"),
    "core/refs.py": ("tests/core/test_refs.py",),
    "core/finder.py": ("tests/core/test_finder.py",),
    "core/steps.py": ("tests/core/test_steps.py",),
    "core/keyboard_lock.py": ("tests/core/test_keyboard_lock.py",),
    "core/trusted_file.py": FILES,
    "core/config.py": FILES,
    "desktops/macos/delivery.py": MACOS,
    "desktops/macos/evidence.py": MACOS,
    "desktops/macos/frontmost.py": MACOS,
    "desktops/macos/session.py": MACOS,
    "desktops/macos/human.py": MACOS,
    "desktops/macos/activation.py": MACOS,
    "desktops/macos/menu_bar.py": MACOS,
    "desktops/macos/kept_items.py": MACOS,
}
"""Files whose every function counts, and the tests that must notice."""

EQUIVALENT: Mapping[str, str] = {}
"""Changes that change nothing, with the reason; they are run all the same, and must survive."""


@dataclass(frozen=True)
class Test:
    """One function of a test file, with its parameters."""

    item: pytest.Item
    seconds: float
    entered: frozenset[str]
    """Functions of the package, as ``core/batch.py Batch._run``."""


class Verdicts:
    """A plugin of pytest that runs mutants in place of tests."""

    def __init__(self, package: Path, chosen: Sequence[Mutant]) -> None:
        self._package = package
        self.chosen = chosen
        self.killed: list[Mutant] = []
        self.survivors: list[Mutant] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        tests = watched(session.items, self._package)
        print(f"{len(self.chosen)} mutants, {len(tests)} tests", flush=True)
        for number, (mutant, killed) in enumerate(self._verdicts(tests), 1):
            (self.killed if killed else self.survivors).append(mutant)
            if not killed:
                print(f"{EQUIVALENT.get(mutant.name, 'survived')}: {mutant}", flush=True)
            if number % 50 == 0:
                print(f"  {number} of {len(self.chosen)}", flush=True)
        return True

    def _verdicts(self, tests: Sequence[Test]) -> Iterator[tuple[Mutant, bool]]:
        """Each mutant, and whether it was killed, as they end."""
        waiting, running = list(reversed(self.chosen)), dict[int, Mutant]()
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                mutant = waiting.pop()
                running[forked(lambda mutant=mutant: self._is_killed(mutant, tests))] = mutant
            pid, status = os.wait()
            code, mutant = os.waitstatus_to_exitcode(status), running.pop(pid)
            assert code != CRASHED, f"no verdict on {mutant}"
            yield mutant, code != 0

    def _is_killed(self, mutant: Mutant, tests: Sequence[Test]) -> bool:
        entering = sorted((t for t in tests if mutant.place in t.entered), key=lambda test: test.seconds)
        for test in entering:
            seconds = HANG_SECONDS + 10 * test.seconds
            test.item.add_marker(pytest.mark.timeout(seconds, method="thread"), append=False)
        put(mutant, str(self._package / mutant.file))
        return fails([test.item for test in entering])


def forked(deed: Callable[[], bool]) -> int:
    """A process of its own that ends with whether the deed said so."""
    if pid := os.fork():
        return pid
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    try:
        os._exit(int(deed()))
    finally:
        os._exit(CRASHED)  # whatever comes here, the child must not go on as its parent


def fails(items: Sequence[pytest.Item]) -> bool:
    """Run them, up to the first that fails."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if item.session.testsfailed:
            return True
    return False


def watched(items: Sequence[pytest.Item], package: Path) -> list[Test]:
    """All tests, run once without a mutant."""
    notes = package / "tests.json"

    def run() -> bool:
        notes.write_text(json.dumps([_entered(item, package) for item in items]), encoding="utf-8")
        return False

    os.waitpid(forked(run), 0)
    told = json.loads(notes.read_text(encoding="utf-8"))
    failed = [item.nodeid for item, (fails, _, _) in zip(items, told, strict=True) if fails]
    assert not failed, f"without any mutant these fail: {failed}"
    return [Test(item, seconds, frozenset(names)) for item, (_, seconds, names) in zip(items, told, strict=True)]


def _entered(item: pytest.Item, package: Path) -> tuple[bool, float, list[str]]:
    """Whether the test failed, how long it took, and the functions of the package that it entered."""
    failed = item.session.testsfailed
    codes, below = set[CodeType](), f"{package}/"

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    begun = time.perf_counter()
    sys.setprofile(called)
    try:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    finally:
        sys.setprofile(None)
    ours = {f"{c.co_filename.removeprefix(below)} {c.co_qualname}" for c in codes if c.co_filename.startswith(below)}
    return item.session.testsfailed > failed, time.perf_counter() - begun, sorted(ours)


def put(mutant: Mutant, file: str) -> None:
    """Into the functions that are loaded, and into the module when it is loaded anew: scenes do that."""
    changed = compile(mutant.source, file, "exec", dont_inherit=True)
    code = next(code for code in _codes(changed) if code.co_qualname == mutant.function)
    loaded = [f for f in gc.get_objects() if isinstance(f, FunctionType) and f.__code__.co_filename == file]
    for function in loaded:
        if function.__code__.co_qualname == mutant.function:
            function.__code__ = code
    load = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> Any:
        return changed if loader.path == file else load(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def copied(folder: Path) -> Path:
    """Nobody who edits the project meanwhile changes what is measured."""
    for part in ("src", "tests"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    return folder


def enter(copy: Path) -> None:
    """From here on what is ours comes from the copy."""
    os.chdir(copy)
    sys.path[:] = [str(copy / "src"), str(copy), *(p for p in sys.path if p not in ("", str(ROOT), str(ROOT / "src")))]
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]


def main(asked: Sequence[str]) -> int:
    functions = {place for place in asked if ":" in place}
    places = list(dict.fromkeys(place.partition(":")[0] for place in asked)) or list(PLACES)
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copy = copied(Path(folder))
        package = copy / "src" / PACKAGE
        sources = {file: (package / file).read_text(encoding="utf-8") for file in places}
        found = (mutant for file, source in sources.items() for mutant in mutants(file, source))
        run = Verdicts(package, [m for m in found if not functions or f"{m.file}:{m.function}" in functions])
        enter(copy)
        sys.dont_write_bytecode = False  # scenes load modules anew: they are not to be compiled each time
        tests = dict.fromkeys(test for file in places for test in PLACES[file])
        ended = pytest.main(["-q", "-s", "-p", "no:cacheprovider", *tests], [run])
    print(f"{len(run.killed)} of {len(run.chosen)} mutants killed")
    lived = {mutant.name for mutant in run.survivors}
    unexpected = lived ^ {mutant.name for mutant in run.chosen if mutant.name in EQUIVALENT}
    return bool(unexpected) or len(run.killed) + len(run.survivors) < len(run.chosen) or bool(ended)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
