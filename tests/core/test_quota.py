from __future__ import annotations

from mac_commander.core.quota import Quota


def test_a_burst_is_let_through_and_the_rest_told_how_long_to_wait() -> None:
    now = 100.0
    quota = Quota(3, 60.0, lambda: now)
    assert [quota.wait() for _ in range(5)] == [0, 0, 0, 60, 60]
    now = 130.0
    assert quota.wait() == 30
    now = 160.0
    assert [quota.wait() for _ in range(4)] == [0, 0, 0, 60]
