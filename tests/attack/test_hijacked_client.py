"""The headline: every tool, hostile values, a hostile world. Thirteen goals, and none of them is ever reached.

``ATTACK=full`` makes it 200,000 steps of 2,000 machines and more; else a quick part of the same.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from tests.attack import values
from tests.attack.client import Hijacked
from tests.attack.size import FULL, SECONDS_MOST, of
from tests.attack.worlds import LAYOUTS

STEPS_WANTED = of(150, 200_000)
STEPS = of(40, 100)
"""At most, of one machine; they have fewer when the choices get long."""
ROUND = settings(
    max_examples=of(8, 40),
    stateful_step_count=STEPS,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate,),  # shrinking a failure takes minutes, and the steps before it are few
    derandomize=not FULL,
)


class HijackedClient(RuleBasedStateMachine):
    all_steps: list[int]
    """Of each machine that has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.client: Hijacked | None = None
        self.steps = 0

    @initialize(layout=st.sampled_from(LAYOUTS), raw=st.just(False), hide=st.booleans())
    def start(self, layout: str, raw: bool, hide: bool) -> None:
        self.client = Hijacked(layout, allow_raw_applescript=raw, hide_blocked_apps=hide)

    def _called(self, tool: str, arguments: Any, cancel_after: int | None = None) -> None:
        assert self.client is not None
        self.steps += 1
        marker = str(self.client.home / "marker")
        poisoned = json.loads(json.dumps(arguments).replace("{marker}", json.dumps(marker)[1:-1]))
        reached = self.client.call(tool, poisoned, cancel_after)
        assert not reached, f"{tool} reached: {', '.join(reached)}; {self.client.events()[-12:]} {self.client.last}"

    @rule(arguments=values.acts)
    def act(self, arguments: Any) -> None:
        self._called("act", arguments)

    @rule(arguments=values.acts, deed=values.deeds, after=st.integers(1, 30))
    def act_while_the_world_changes(self, arguments: Any, deed: dict[str, Any], after: int) -> None:
        assert self.client is not None
        self.client.deed(deed, after)
        self._called("act", arguments)

    @rule(arguments=values.acts, after=st.integers(1, 20))
    def act_and_cancel(self, arguments: Any, after: int) -> None:
        self._called("act", arguments, after)

    @rule(arguments=values.sees)
    def see(self, arguments: Any) -> None:
        self._called("see", arguments)

    @rule(arguments=values.pictures)
    @precondition(lambda self: self.steps % 10 == 9)
    def see_a_picture(self, arguments: Any) -> None:
        self._called("see", arguments)

    @rule(arguments=values.apps)
    def app(self, arguments: Any) -> None:
        self._called("app", arguments)

    @rule(arguments=values.notes)
    def notify(self, arguments: Any) -> None:
        self._called("notify", arguments)

    @rule(arguments=values.scripts)
    @precondition(lambda self: self.steps % 10 == 4)
    def applescript(self, arguments: Any) -> None:
        self._called("applescript", arguments)

    @rule(deed=values.between)
    def the_world_changes(self, deed: dict[str, Any]) -> None:
        assert self.client is not None
        self.steps += 1
        self.client.deed(deed)

    @rule()
    def the_user_comes_back(self) -> None:
        """Else a machine that was locked once would be locked for good."""
        assert self.client is not None
        machine = self.client.machine
        machine.locked = False
        machine.keyboard.secure_holder = None
        machine.app_named("Shifter").hung = False
        machine.grants.update(dict.fromkeys(machine.grants, True))
        for modifier in ("cmd", "shift"):
            machine.keyboard.human_holds_down(modifier, False)
        for window in list(machine.app_named("SecurityAgent").windows):
            machine.windows.close(window)
        machine.life.launch(machine.app_named("com.apple.TextEdit"))

    def teardown(self) -> None:
        if self.client is not None:
            self.client.close()
        self.all_steps.append(self.steps)


def test_no_goal_is_ever_reached(reached: Callable[[str], None]) -> None:
    """In rounds, so that a search that is ended by its time has a figure too."""

    class Counted(HijackedClient):
        all_steps: list[int] = []  # noqa: RUF012 - of this run

    end = time.monotonic() + SECONDS_MOST
    while sum(Counted.all_steps) < STEPS_WANTED and time.monotonic() < end:
        run_state_machine_as_test(Counted, settings=ROUND)
    reached(f"hijacked client: no goal in {sum(Counted.all_steps):,} steps of {len(Counted.all_steps):,} machines")
