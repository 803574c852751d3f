"""`python -m tools.release` builds into dist/: wheel, sdist, MCPB bundle, server.json."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.release import bundle, project, registry

DIST = project.ROOT / "dist"
NODE = Path(sys.executable).with_name("node")
MCPB = project.ROOT / "requirements" / "node" / "node_modules" / ".bin" / "mcpb"


def main() -> int:
    about = project.read()
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    try:
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", DIST], check=True, cwd=project.ROOT)
        packed = DIST / about.bundle
        with tempfile.TemporaryDirectory() as folder:
            bundle.lay_out(Path(folder), about)
            bundle.pack(Path(folder), packed, [NODE, MCPB.resolve()])
    except subprocess.CalledProcessError as failure:
        return failure.returncode
    told = json.dumps(registry.server_json(about, packed), indent=2)
    (DIST / "server.json").write_text(told + "\n", encoding="utf-8")
    for path in sorted(DIST.iterdir()):
        print(f"{path.stat().st_size:>9,}  dist/{path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
