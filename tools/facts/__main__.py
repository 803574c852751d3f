"""`python -m tools.facts` regenerates facts.json and the stubs; `--check` compares them with the wheels."""

import argparse
import copy
import sys

from tools.facts import cut, document, fetch, stubs, surface, usage
from tools.facts.shapes import Facts
from tools.facts.source import EXPORTED

STALE = (
    "The committed facts or stubs are not what the packages and our code say: run `make facts`, commit what it writes."
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.facts", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; compare what the wheels alone can tell")
    try:
        return check() if parser.parse_args(arguments).check else regenerate()
    except (cut.WrongNames, fetch.FetchFailed) as problem:
        print(problem, file=sys.stderr)
        return 1


def regenerate() -> int:
    """Write facts.json and the stubs from wheels and sdists of both versions."""
    surfaces = [_surface(version) for version in fetch.VERSIONS]
    for version, each in zip(fetch.VERSIONS, surfaces, strict=True):
        surface.read_headers(each, fetch.sdists(version))
    facts = _cut(*surfaces)
    document.FACTS.write_text(document.write(facts), encoding="utf-8")
    stubs.save(document.load())
    print(", ".join(f"{len(document.load()[s])} {s}" for s in EXPORTED))  # type: ignore[literal-required]
    return 0


def check() -> int:
    """Compare the committed files with the wheels of both versions, with the code, and with each other.

    The classes, which only the sdists know, are taken from the committed file: so selectors that the code uses but the
    file lacks are found, as are those that it no longer needs, and what the wheels say about selectors.
    """
    committed = document.load()
    made = _cut(*(_surface_without_headers(version, committed) for version in fetch.VERSIONS))
    found = document.differences(document.wheel_part(committed), document.wheel_part(made))
    found += [f"stubs/{path} is not what facts.json gives" for path in stubs.differing(committed)]
    if document.FACTS.read_text(encoding="utf-8") != document.write(committed):
        found.append("facts.json was not written by `make facts`")
    print("\n".join([*found, STALE] if found else ["facts.json and the stubs are current"]))
    return 1 if found else 0


def _surface(version: str) -> surface.Surface:
    read = surface.read_wheels(fetch.wheels(version))
    read.packages |= fetch.sdist_hashes(version)
    return read


def _surface_without_headers(version: str, committed: Facts) -> surface.Surface:
    read = _surface(version)
    read.classes, read.protocols = copy.deepcopy((committed["classes"], committed["protocols"]))
    surface.apply_selector_notes(read)
    return read


def _cut(newest: surface.Surface, oldest: surface.Surface) -> Facts:
    return cut.cut(newest, oldest, usage.read(usage.mac_sources()), usage.wanted())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
