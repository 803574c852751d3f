"""A window of our own under the server's hands, and the app behind it that says what reached it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mac_commander.verify.acceptance import could_be_tried, wanted
from mac_commander.verify.client import Answer, Client
from mac_commander.verify.witness import Witness, awaited, matching


@dataclass(frozen=True, slots=True)
class Bench:
    client: Client
    witness: Witness

    def act(self, *steps: Mapping[str, Any]) -> Answer:
        """Steps that have to go through. What the witness told before is forgotten."""
        self.witness.forget()
        answer = self.client.call("act", target=self.witness.name, steps=list(steps))
        could_be_tried(answer)
        wanted(answer.value.get("ok") is True, answer.text[:600])
        return answer

    def see(self, **more: Any) -> Answer:
        answer = self.client.call("see", app=self.witness.name, **more)
        could_be_tried(answer)
        wanted(not answer.is_error, answer.text[:600])
        return answer

    def ref(self, name: str) -> str:
        """Of the element whose label begins with this."""
        found = re.search(rf'"{re.escape(name)}[^"\n]*"[^\n]*\[(e\d+)\]', self.see().text)
        wanted(found is not None, f"no element {name!r} is listed")
        assert found is not None
        return found[1]

    def told(self, event: str, **fields: Any) -> dict[str, Any]:
        """The report that has to come."""
        awaited(self.witness, lambda: any(matching(self.witness, event, **fields)))
        report = next(matching(self.witness, event, **fields), None)
        kinds = sorted({r["event"] for r in self.witness.reports()})
        wanted(report is not None, f"the app never told {event} {fields}; it told {', '.join(kinds) or 'nothing'}")
        assert report is not None
        return report

    def canvas_point(self, across: float) -> list[float]:
        x, y, width, height = self.witness.canvas
        return [x + width * across, y + height / 2]


Check = Callable[[Bench], str]
"""Returns what was seen, for PASS. Raises `AssertionError` for FAIL and `Unverified`."""
