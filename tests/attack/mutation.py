"""Each check of the guard taken out or turned round, one at a time, in a copy: some quick test must fail for each.

``python -m tests.attack.mutation`` reports killed of all and names the survivors.
"""

from __future__ import annotations

import ast
import compileall
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import hypothesis.stateful  # noqa: F401 - loaded here once, for all forks
import PIL.Image  # noqa: F401 - the same
import pytest

ROOT = Path(__file__).parents[2]
CORE = "mac_commander/core"
RUN_SECONDS = 180


@dataclass(frozen=True)
class Place:
    """Functions of one file whose checks count, and the tests that must notice, the quickest first."""

    file: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]


BATCHES = (
    "tests/core/test_batch_proofs.py",
    "tests/core/test_perform_proofs.py",
    "tests/core/test_proofs.py",
    "tests/core/test_batch.py",
)

PLACES = (
    Place("guard.py", ("judge", "session_is_ours", "_human_is_idle", "_target_is_frontmost", "_keys_reach",
                       "_keyboard_is_free", "_window_is_the_same", "_point_is", "point_in_target", "refuse_corners",
                       "nobody_asks"),
          ("tests/core/test_guard.py",)),
    Place("blocklist.py", ("always_blocked", "term_in", "refuse_name", "refuse_app", "blocks", "refuse_always_blocked",
                           "is_host", "refuse_input", "hides_pixels"), ("tests/core/test_blocklist.py",)),
    Place("chords.py", ("refuse_system_chord", "_is_one_of", "types_text"),
          ("tests/core/test_chords.py", "tests/attack/test_combos.py")),
    Place("batch.py", ("run", "_run", "_failure", "_ready", "_refuse_impossible", "_refuse_untypable",
                       "_wait_out_modifiers", "_judge", "deliver", "prove_point", "prove", "watch", "_settle",
                       "_notice_windows"), BATCHES),
    Place("session.py", ("at_the_keyboard", "_one_of", "bring_to_front", "_is_front", "window_picture",
                         "_hidden", "element", "_program"), BATCHES),
    Place("perform.py", ("_point", "_visible", "_centre", "_refuse_disabled", "_pressed", "_drag", "_refuse_secure",
                         "_refuse_secure_element", "_refuse_unknown_field", "_taken_in", "_focus", "_set", "_key",
                         "_type"), BATCHES),
)  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    place: Place
    words: str
    source: str


def mutants(place: Place, source: str) -> Iterator[Mutant]:
    """One for each check: an ``if`` that never holds, one turned round, a part of a condition left out, and a
    statement that is a mere call left out."""
    for function in (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)):
        if function.name in place.functions:
            for node in _own_nodes(function):
                yield from _changed(place, source, function.name, node)


def _own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Those of the function itself, without functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if not isinstance(node, ast.FunctionDef):
            yield node
            waiting += ast.iter_child_nodes(node)


def _changed(place: Place, source: str, where: str, node: ast.AST) -> Iterator[Mutant]:
    for part, new, how in _changes(node):
        words = f"{place.file}:{part.lineno} {where}: {ast.unparse(part)[:60]} {how}"
        yield Mutant(place, words, _replaced(source, part, new))


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr, str, str]]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node.value, "None", "not called"
    for condition in _conditions(node):
        yield condition, "False", "never"
        yield condition, f"not ({ast.unparse(condition)})", "turned round"
        for both in (n for n in ast.walk(condition) if isinstance(n, ast.BoolOp)):
            neutral = "True" if isinstance(both.op, ast.And) else "False"
            yield from ((part, neutral, "left out") for part in both.values)


def _conditions(node: ast.AST) -> list[ast.expr]:
    """What decides: tests, filters, and answers of yes or no."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            return [test]
        case ast.comprehension(ifs=ifs):
            return ifs
        case ast.Return(value=ast.Compare() | ast.BoolOp() | ast.Call(func=ast.Name(id="any" | "all")) as value):
            return [value]
    return []


def _replaced(source: str, part: ast.expr, new: str) -> str:
    lines = source.splitlines(keepends=True)
    assert part.end_lineno is not None
    assert part.end_col_offset is not None
    first, last = lines[part.lineno - 1].encode(), lines[part.end_lineno - 1].encode()
    inside = first[: part.col_offset] + new.encode() + last[part.end_col_offset :]
    return "".join([*lines[: part.lineno - 1], inside.decode(), *lines[part.end_lineno :]])


def is_killed(mutant: Mutant, copy: Path) -> bool:
    """Whether one of its tests fails on the copy."""
    file = copy / CORE / mutant.place.file
    whole = file.read_text(encoding="utf-8")
    file.write_text(mutant.source, encoding="utf-8")
    for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
        compiled.unlink()  # it would be taken for the changed source's when size and second are the same
    try:
        return any(_fails(test, copy) for test in mutant.place.tests)
    finally:
        file.write_text(whole, encoding="utf-8")


def _fails(test: str, copy: Path) -> bool:
    """In a fork of this process, which has the libraries loaded and nothing of ours. One that hangs has failed."""
    pid = os.fork()
    if pid == 0:
        os._exit(_run_test(test, copy))
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) in (pytest.ExitCode.TESTS_FAILED, -signal.SIGALRM)


def _run_test(test: str, copy: Path) -> int:
    signal.alarm(RUN_SECONDS)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(copy))
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    loaded = "ignore::pytest.PytestAssertRewriteWarning"
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--tb=no", "-W", loaded, test]))


def all_mutants() -> list[Mutant]:
    sources = {p: (ROOT / "src" / CORE / p.file).read_text(encoding="utf-8") for p in PLACES}
    return [mutant for place, source in sources.items() for mutant in mutants(place, source)]


def copied() -> Path:
    copy = Path(tempfile.mkdtemp(prefix="mutation-"))
    shutil.copytree(ROOT / "src", copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(str(copy), quiet=2)
    return copy


def main(files: list[str]) -> int:
    chosen = [m for m in all_mutants() if not files or m.place.file in files]
    copy = copied()
    for test in dict.fromkeys(test for mutant in chosen for test in mutant.place.tests):
        assert not _fails(test, copy), f"{test} fails without any mutant"
    survivors = []
    for number, mutant in enumerate(chosen, 1):
        if not is_killed(mutant, copy):
            survivors.append(mutant)
            print(f"survived: {mutant.words}", flush=True)
        if number % 20 == 0:
            print(f"  {number} of {len(chosen)}", flush=True)
    shutil.rmtree(copy)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} mutants killed")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
