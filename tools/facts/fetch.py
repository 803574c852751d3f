"""Bring PyObjC's wheels and sdists here: by pip alone, each held to its sha256 in the requirement files beside this.

Nothing is installed. pip unpacks an sdist before it asks its build backend for metadata; it runs in an environment
that has no build backend, so it stops there, with the sources on the disk and not a line of them executed.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
CACHE = Path(__file__).parents[2] / ".facts-cache"
NEWEST, OLDEST = "13.0", "12.2.2"
VERSIONS = (NEWEST, OLDEST)
"""The newest PyObjC, and the oldest that pyproject.toml allows: before 12.2 notifications could deadlock (#674)."""

WHEEL_TARGET = (
    "--platform=macosx_10_13_universal2 --python-version=3.13 --implementation=cp --abi=cp313 --only-binary=:all:"
).split()
"""One Mac interpreter stands for all: the metadata in the wheels is the same for each."""
SDIST_TARGET = "--no-binary=:all: --no-build-isolation --no-clean".split()


class FetchFailed(Exception):
    """pip could not bring a package; the message is its own."""


def wheels(version: str) -> Path:
    """The folder with one version's wheels, downloaded unless it is there already."""
    folder = CACHE / f"wheels-{version}"
    listed = HERE / f"wheels-{version}.txt"
    if not _complete(folder, listed):
        shutil.rmtree(folder, ignore_errors=True)
        _pip(CACHE, "download", "-d", str(folder), *WHEEL_TARGET, "-r", str(listed))
        _mark(folder, listed)
    return folder


def sdists(version: str) -> Path:
    """The folder with one version's unpacked sources, one folder for each package."""
    folder = CACHE / f"sdists-{version}"
    listed = HERE / f"sdists-{version}.txt"
    if not _complete(folder, listed):
        shutil.rmtree(folder, ignore_errors=True)
        for line in listed.read_text(encoding="utf-8").splitlines():
            _unpack_sdist(line, folder)
        _mark(folder, listed)
    return folder


def sdist_hashes(version: str) -> dict[str, str]:
    """sdist → sha256, as pip is told to insist on."""
    lines = (HERE / f"sdists-{version}.txt").read_text(encoding="utf-8").splitlines()
    pinned = (line.replace("==", "-").split(" --hash=sha256:") for line in lines)
    return {f"{name}.tar.gz": sha256 for name, sha256 in pinned}


def _complete(folder: Path, listed: Path) -> bool:
    done = folder / "requirements.txt"
    return done.is_file() and done.read_bytes() == listed.read_bytes()


def _mark(folder: Path, listed: Path) -> None:
    shutil.copyfile(listed, folder / "requirements.txt")


def _unpack_sdist(requirement: str, folder: Path) -> None:
    work = folder / "unpacking"
    work.mkdir(parents=True)
    only = work / "requirement.txt"
    only.write_text(requirement + "\n", encoding="utf-8")
    output = _pip(work, "download", "-d", str(work), *SDIST_TARGET, "-r", str(only), expect_failure=True)
    unpacked = next((p.parent for p in work.glob("pip-download-*/*/PKG-INFO")), None)
    if unpacked is None:
        raise FetchFailed(f"pip did not unpack {requirement.split()[0]}:\n{output}")
    shutil.move(unpacked, folder / requirement.split("==")[0])
    shutil.rmtree(work)


def _pip(temporary: Path, *arguments: str, expect_failure: bool = False) -> str:
    """Run pip with `temporary` as its scratch folder; the answer is what it said."""
    command = [str(_python_without_build_backend()), "-m", "pip", "--disable-pip-version-check", "-q"]
    temporary.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [*command, *arguments, "--no-deps", "--require-hashes"],
        env=os.environ | {"TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0 and not expect_failure:
        raise FetchFailed(f"pip {' '.join(arguments)}\n{done.stderr}")
    return done.stderr


def _python_without_build_backend() -> Path:
    folder = CACHE / "pip"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "uninstall", "-qy", "setuptools", "wheel"], check=True)
    return python
