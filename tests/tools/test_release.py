"""What people install holds what it must, says nothing that is not so, and runs from where it was put."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mac_commander import __version__
from mac_commander.tools import TOOLS
from tests.protocol import node
from tools.release import bundle, project, registry

ABOUT = project.read()
ROOT = project.ROOT

DATA = {
    "mac_commander/py.typed",
    "mac_commander/scripts/README.md",
    "mac_commander/scripts/linux/clipboard-read.sh",
    "mac_commander/scripts/linux/clipboard-write.sh",
    "mac_commander/scripts/linux/echo-argv.sh",
    "mac_commander/scripts/linux/front-window.sh",
    "mac_commander/scripts/macos/clipboard-read.applescript",
    "mac_commander/scripts/macos/clipboard-write.applescript",
    "mac_commander/scripts/macos/echo-argv.applescript",
    "mac_commander/scripts/macos/front-window.applescript",
    "mac_commander/verify/witness_world.json",
    "simulated_mac/default_world.json",
    "simulated_mac/facts.json",
}
"""All that is not Python: each was put here on purpose."""

INSTALL_SECONDS = 240
"""Until everything that the wheel needs has come from the registry."""

OUT_OF_REACH = ("NewConnectionError", "NameResolutionError", "ConnectTimeout", "ReadTimeout")
"""What pip says of a registry that does not answer."""

METADATA = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, check=True, cwd=ROOT, capture_output=True)
    (built,) = folder.iterdir()
    return built


def test_the_version_is_the_same_everywhere() -> None:
    assert ABOUT.version == __version__


def test_the_wheel_is_for_every_system(wheel: Path) -> None:
    assert wheel.name == f"mac_commander-{ABOUT.version}-py3-none-any.whl"


def test_the_wheels_file_list(wheel: Path) -> None:
    code = {
        str(p.relative_to(ROOT / "src")) for package in bundle.PACKAGES for p in (ROOT / "src" / package).rglob("*.py")
    }
    manual = f"mac_commander-{ABOUT.version}.data/data/share/man/man1/mac-commander.1"
    about = {f"mac_commander-{ABOUT.version}.dist-info/{name}" for name in METADATA}
    with zipfile.ZipFile(wheel) as packed:
        assert set(packed.namelist()) == code | DATA | about | {manual}
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in packed.infolist()}
    assert set(modes.values()) == {0o644}, "nothing in it is run by its own name"


def test_what_the_wheel_needs_is_named_for_each_system(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        told = packed.read(f"mac_commander-{ABOUT.version}.dist-info/METADATA").decode()
    needs = re.findall(r"^Requires-Dist: (.+)$", told, re.MULTILINE)
    for need in needs:
        platform = (
            "darwin" if need.startswith("pyobjc") else "linux" if re.match("cairo|dbus|python-xlib", need) else ""
        )
        assert (f"sys_platform == '{platform}'" in need) == bool(platform), need


def test_the_installed_wheel_serves_on_the_simulated_mac(wheel: Path, tmp_path: Path) -> None:
    """Scripts, world and facts are found, and the guardian starts, where no source tree is."""
    place = tmp_path / "site"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        "--target",
        str(place),
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    server = subprocess.Popen(
        [sys.executable, "-m", "mac_commander", "--desktop", "simulated", "--home", str(tmp_path / "home")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(place)},
    )
    with server:
        assert server.stdin is not None
        assert server.stdout is not None
        steps = [{"kind": "type", "text": "é — 🙂"}]
        answers = []
        for number, (method, params) in enumerate(
            [
                (
                    "initialize",
                    {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
                ),
                ("tools/call", {"name": "act", "arguments": {"target": "TextEdit", "steps": steps}}),
                ("tools/call", {"name": "applescript", "arguments": {"name": "echo-argv", "args": ["x"]}}),
            ]
        ):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
            if method == "initialize":
                server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
            server.stdin.flush()
            answers.append(json.loads(server.stdout.readline())["result"])
        server.stdin.close()
    assert server.returncode == 0
    assert json.loads(answers[1]["content"][0]["text"])["steps_completed"] == 1
    assert json.loads(answers[2]["content"][0]["text"])["stdout"] == "x\n"


@pytest.mark.timeout(INSTALL_SECONDS + 60)
def test_the_wheel_in_a_clean_environment_shows_its_demo(wheel: Path, tmp_path: Path) -> None:
    """With what it declares to need, from the registry, and nothing of ours."""
    python = tmp_path / "clean" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "clean"], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    asked = subprocess.run([*pip, wheel], capture_output=True, text=True, timeout=INSTALL_SECONDS)
    if asked.returncode and any(word in asked.stderr for word in OUT_OF_REACH):
        pytest.skip("not run: the package registry cannot be reached")
    assert asked.returncode == 0, asked.stderr
    environment = {"PATH": os.defpath, "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    program = [tmp_path / "clean" / "bin" / "mac-commander", "demo", "--screenshot", tmp_path / "demo.png"]
    demo = subprocess.run(program, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "The audit log: one line for every call" in demo.stdout


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    bundle.lay_out(folder, ABOUT)
    return folder


def test_the_bundle_is_accepted_and_packed_by_its_own_tool(laid_out: Path, tmp_path: Path) -> None:
    if why := node.missing(node.MCPB):
        pytest.skip(f"not run: {why}")
    packed = tmp_path / ABOUT.bundle
    bundle.pack(laid_out, packed, [node.program() or "", node.MCPB.resolve()])
    with zipfile.ZipFile(packed) as opened:
        names = set(opened.namelist())
        top = {name for name in names if "/" not in name}
    assert top == {"manifest.json", "pyproject.toml", "icon.png", "README.md", "LICENSE"}
    assert {f"src/{name}" for name in DATA} <= names
    assert not [name for name in names if "__pycache__" in name]


def test_the_bundle_names_the_tools_and_a_folder_that_may_be_left_empty(laid_out: Path) -> None:
    manifest: dict[str, Any] = json.loads((laid_out / "manifest.json").read_text())
    assert [tool["name"] for tool in manifest["tools"]] == [tool.name for tool in TOOLS]
    assert (laid_out / manifest["server"]["entry_point"]).is_file()
    args = manifest["server"]["mcp_config"]["args"]
    assert {"--home=${user_config.home}", "--overlay=${user_config.overlay}"} <= set(args)
    with Image.open(laid_out / "icon.png") as icon:
        assert icon.size == (512, 512)


@pytest.mark.parametrize("overlay", ["true", "false", ""])
def test_the_bundles_options_are_taken_as_the_client_fills_them_in(overlay: str, tmp_path: Path) -> None:
    for home in ("", str(tmp_path / "a folder")):
        done = subprocess.run(
            [sys.executable, "-m", "mac_commander", f"--home={home}", f"--overlay={overlay}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, b"")


def test_the_bundle_is_pinned_to_what_was_tested(laid_out: Path) -> None:
    told = (laid_out / "pyproject.toml").read_text()
    assert "constraint-dependencies" in told
    pins = list(bundle.pins())
    assert all("==" in pin for pin in pins)
    assert any(pin.startswith("mcp==") for pin in pins)


def test_server_json_keeps_to_the_registrys_limits(tmp_path: Path) -> None:
    packed = tmp_path / ABOUT.bundle
    packed.write_bytes(b"bundle")
    told = registry.server_json(ABOUT, packed)
    assert 1 <= len(told["description"]) <= registry.DESCRIPTION_MOST
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", told["name"])
    pypi, mcpb = told["packages"]
    assert (pypi["identifier"], pypi["version"], told["version"]) == (ABOUT.name, ABOUT.version, ABOUT.version)
    assert "mcp" in mcpb["identifier"]
    assert mcpb["fileSha256"] == hashlib.sha256(b"bundle").hexdigest()


def test_the_readme_proves_that_the_name_is_ours() -> None:
    assert f"mcp-name: {registry.name(ABOUT)}" in (ROOT / "README.md").read_text(encoding="utf-8")
