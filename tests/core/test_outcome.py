"""Every way a batch can end says how far it came and what to do next."""

from __future__ import annotations

import pytest

from mac_commander.core.outcome import Failure, Outcome, next_words
from mac_commander.errors import Cause


@pytest.mark.parametrize("cause", Cause)
@pytest.mark.parametrize("sent", [True, False])
def test_every_end_tells_what_to_do_next(cause: Cause, sent: bool) -> None:
    told = Outcome(2, 0, None, Failure(0, "during", cause, "why", delivered=3, of=9, sent=sent)).as_json()[
        "failed_step"
    ]
    assert told["next"]
    assert (told["phase"], told["cause"], told["delivered"], told["of"]) == ("during", cause, 3, 9)
    assert told["retry"] == ("unsafe" if sent else "safe")
    assert told["frontmost"] is None


def test_what_may_have_arrived_is_looked_at_before_it_is_sent_again() -> None:
    assert next_words(Cause.FOCUS, sent=True).startswith("look with see")
    assert next_words(Cause.FOCUS, sent=False).startswith("act again")
