"""`python -m tools.release [FOLDER]` builds into dist/, unless named: wheel, sdist, MCPB bundle, server.json."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.release import bundle, project, registry

NODE = Path(sys.executable).with_name("node")
MCPB = project.ROOT / "requirements" / "node" / "node_modules" / ".bin" / "mcpb"


def main(arguments: list[str]) -> int:
    """Exit status: 0 built, 1 a builder failed; without npm's part only wheel and sdist are made, and that is said."""
    dist = Path(arguments[0]).absolute() if arguments else project.ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    try:
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", dist], check=True, cwd=project.ROOT)
        if MCPB.exists():
            _bundle(dist)
    except subprocess.CalledProcessError as failure:
        return failure.returncode
    for path in sorted(dist.iterdir()):
        print(f"{path.stat().st_size:>9,}  {path}")
    if not MCPB.exists():
        print("not built: the MCPB bundle and server.json, whose tool comes from npm (`make node` says why not)")
    return 0


def _bundle(dist: Path) -> None:
    about = project.read()
    packed = dist / about.bundle
    with tempfile.TemporaryDirectory() as folder:
        bundle.lay_out(Path(folder), about)
        bundle.pack(Path(folder), packed, [NODE, MCPB.resolve()])
    told = json.dumps(registry.server_json(about, packed), indent=2)
    (dist / "server.json").write_text(told + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
