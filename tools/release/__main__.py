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
    about = project.read()
    dist = Path(arguments[0]).absolute() if arguments else project.ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    try:
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", dist], check=True, cwd=project.ROOT)
        packed = dist / about.bundle
        with tempfile.TemporaryDirectory() as folder:
            bundle.lay_out(Path(folder), about)
            bundle.pack(Path(folder), packed, [NODE, MCPB.resolve()])
    except subprocess.CalledProcessError as failure:
        return failure.returncode
    told = json.dumps(registry.server_json(about, packed), indent=2)
    (dist / "server.json").write_text(told + "\n", encoding="utf-8")
    for path in sorted(dist.iterdir()):
        print(f"{path.stat().st_size:>9,}  {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
