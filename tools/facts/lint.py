"""The check of our macOS code against facts.json: syntax trees only, nothing is imported or run.

`python -m tools.facts.lint [FILE…]` prints one line for each mistake that would otherwise show on a Mac only.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.facts import document, lint_calls, lint_classes, lint_names, lint_selectors, usage
from tools.facts.shapes import Facts
from tools.facts.source import Finding, Source

CHECKS = (lint_names.check, lint_calls.check, lint_selectors.check, lint_classes.check)


def check(paths: Iterable[Path], facts: Facts) -> list[Finding]:
    """Every finding in these files, in their order."""
    sources = [Source.read(path, facts) for path in paths]
    found = [finding for source in sources for each in CHECKS for finding in each(source)]
    return [*dict.fromkeys(found), *_one_loader(sources)]


def _one_loader(sources: list[Source]) -> Iterator[Finding]:
    """What no package describes stays in one file, so that `verify` can exercise all of it."""
    loaders = [s for s in sources if lint_names.loads_by_hand(s)]
    for source in loaders[1:]:
        yield source.found(
            source.tree, "by-hand", f"functions are loaded by hand here and in {loaders[0].path.name}: keep one"
        )


def main(arguments: list[str]) -> int:
    paths = [Path(a).resolve() for a in arguments] or usage.mac_sources()
    found = check(paths, document.load())
    print("\n".join(map(str, found)) or f"{len(paths)} files agree with facts.json")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
