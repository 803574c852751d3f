"""How long a client waits, and what it costs in memory: ``python -m bench.startup [RUNS]``.

From the spawn of the process to the answer of ``tools/list`` after the handshake, as a ratio to an empty server on the
same SDK, started in turn with ours. A machine's own figures mean little; the ratio carries over. ``DONTWRITEBYTECODE``
and ``UNBUFFERED`` are taken out of the environment: with them every start compiles anew.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

EMPTY = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import ListToolsResult

async def nothing(_context, _params):
    return ListToolsResult(tools=[])

async def main():
    server = Server("empty", on_list_tools=nothing)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

anyio.run(main)
"""

SERVERS = {
    "empty": [sys.executable, "-c", EMPTY],
    "ours": [str(Path(sys.executable).with_name("mac-commander"))],
}
TARGET = 1.15
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "0"}}
MESSAGES = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)
DISTORTING = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}


def main(runs: int) -> int:
    seconds: dict[str, list[float]] = {name: [] for name in SERVERS}
    kilobytes: dict[str, list[float]] = {name: [] for name in SERVERS}
    for command in SERVERS.values():  # the first run of each writes the byte code
        once(command)
    for _ in range(runs):
        for name, command in SERVERS.items():
            took, memory = once(command)
            seconds[name].append(took)
            kilobytes[name].append(memory)
    start, peak = ratios(seconds), ratios(kilobytes)
    print(f"spawn to tools/list, ours to an empty server: {told(start)} over {runs} runs; target {TARGET}")
    print(f"peak memory, ours to an empty server: {told(peak)}")
    return 0 if statistics.median(start) <= TARGET else 1


def once(command: Sequence[str]) -> tuple[float, int]:
    """Seconds to the list, and the peak of resident memory in kilobytes."""
    environment = {name: value for name, value in os.environ.items() if name not in DISTORTING}
    began = time.perf_counter()
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert server.stdin is not None
    assert server.stdout is not None
    for message in MESSAGES:
        server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
        if "id" in message:
            answer = json.loads(server.stdout.readline())
    took = time.perf_counter() - began
    assert "tools" in answer["result"], answer
    server.stdin.close()
    _, _, usage = os.wait4(server.pid, 0)
    server.returncode = 0
    server.stdout.close()
    return took, usage.ru_maxrss


def ratios(figures: dict[str, list[float]]) -> list[float]:
    """Of each pair of runs that followed each other, so that a change in the machine's load falls on both."""
    return [ours / empty for ours, empty in zip(figures["ours"], figures["empty"], strict=True)]


def told(values: Sequence[float]) -> str:
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.2f} (middle half {low:.2f} to {high:.2f})"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 30))
