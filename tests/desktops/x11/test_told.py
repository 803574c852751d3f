"""What is kept of an app's events: elements that may say or show something else, and when there are too many."""

from __future__ import annotations

from typing import Any

from dbus_fast import Message, MessageType, Variant

from mac_commander.desktops.x11.atspi_told import TOLD_MOST, Reference, Told

APP = ":1.7"


def event(member: str, *body: Any, path: str = "/1", sender: str = APP) -> Message:
    interface = "org.a11y.atspi.Event.Object"
    return Message(
        path=path, interface=interface, member=member, message_type=MessageType.SIGNAL, sender=sender, body=list(body)
    )


def listening() -> Told:
    told = Told()
    assert told.take([APP]) is None, "nobody listened"
    return told


def test_an_element_whose_words_changed() -> None:
    told = listening()
    told.hear(event("PropertyChange", "accessible-name", 0, 0, Variant("s", "new")))
    assert told.anything
    assert told.take([APP]) == {Reference(APP, "/1"): False}
    assert told.take([APP]) == {}


def test_what_comes_is_read_with_all_that_is_in_it() -> None:
    told = listening()
    told.hear(event("ChildrenChanged", "add", 3, 0, Variant("(so)", [APP, "/9"])))
    told.hear(event("StateChanged", "showing", 1, 0, Variant("i", 0), path="/5"))
    told.hear(event("ChildrenChanged", "add", 3, 0, Variant("i", 0), path="/6"))
    assert told.take([APP]) == {Reference(APP, path): True for path in ("/9", "/5", "/6")}


def test_what_says_nothing_new_is_left_out() -> None:
    told = listening()
    told.hear(event("StateChanged", "focused", 1, 0, Variant("i", 0)))
    told.hear(event("PropertyChange", "accessible-name", 0, 0, Variant("s", "x"), sender=":1.8"))
    told.hear(event("PropertyChange", 1))
    assert not told.anything


def test_a_flood_is_told_as_not_known() -> None:
    told = listening()
    for n in range(TOLD_MOST + 1):
        told.hear(event("TextChanged", "insert", path=f"/{n}"))
    assert told.take([APP]) is None
    assert told.take([APP]) == {}


def test_another_connection_and_the_end_begin_anew() -> None:
    told = listening()
    assert told.take([APP, ":1.9"]) is None
    told.forget()
    assert told.take([APP, ":1.9"]) is None
