"""`python -m tools.readme` writes the made parts of README.md; `--check` compares them with the code and a run."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.readme import answers, tables

README = Path(__file__).parents[2] / "README.md"

PART = re.compile(r"(?<=<!-- made: )(\w+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)
"""Between two comments; what stands there is replaced whole."""

STALE = "README.md is not what the code and a run give: run `make readme`, commit what it writes."


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m tools.readme", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; show what differs")
    options = parser.parse_args(arguments)
    committed = README.read_text(encoding="utf-8")
    made = filled(committed, {**tables.parts(), **answers.parts()})
    if not options.check:
        README.write_text(made, encoding="utf-8")
        return 0
    differing = list(difflib.unified_diff(committed.splitlines(), made.splitlines(), "README.md", "made", lineterm=""))
    print("\n".join([*differing, STALE] if differing else ["README.md is current"]))
    return 1 if differing else 0


def filled(text: str, parts: Mapping[str, str]) -> str:
    """The text with every made part in its place. Raises `KeyError` for a place that nothing is made for."""
    return PART.sub(lambda found: f"{found[1]}{found[2]}{parts[found[1]]}\n", text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
