"""The official SDK's client against the installed program, in every way in which it negotiates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.server.raw_client import ROOT


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_list_call_and_failure(tmp_path: Path, mode: Any) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "tests.server.double", "--home", str(tmp_path / "home")], cwd=ROOT
    )

    async def talk() -> None:
        async with Client(server, mode=mode) as client:
            assert len((await client.list_tools()).tools) == 5
            good = await client.call_tool("see", {"app": "TextEdit"})
            assert not good.is_error
            bad = await client.call_tool("act", {"target": "TextEdit", "steps": []})
            assert bad.is_error

    anyio.run(talk)
