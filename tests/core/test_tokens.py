"""What the model pays: counted with the tokenizer that clients count with (o200k)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mac_commander.core.config import Config
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.server import described
from mac_commander.tools import TOOLS
from mac_commander.tools.see import SEE
from tests.server.double import Double

TOOLS_MOST = 1000
UNCHANGED_MOST = 15

pytestmark = pytest.mark.filterwarnings("ignore:open_binary is deprecated:DeprecationWarning")  # by bpe_openai, on 3.11


def tokens(text: str) -> int:
    from bpe_openai import get_encoding  # reads its table at once, and is warned of it

    return len(get_encoding("o200k_base").encode(text))


def test_the_list_of_tools() -> None:
    listed = [described(tool).model_dump(mode="json", by_alias=True, exclude_none=True) for tool in TOOLS]
    assert tokens(json.dumps(listed, separators=(",", ":"), ensure_ascii=False)) <= TOOLS_MOST


def test_nothing_changed(tmp_path: Path) -> None:
    session = Session(Double(), Config(tmp_path, audit_log=tmp_path / "audit.jsonl"), Stop())
    arguments = {param.name: param.default for param in SEE.params}
    SEE.handler(session, arguments)
    assert tokens(SEE.handler(session, {**arguments, "changes": True}).text) <= UNCHANGED_MOST
