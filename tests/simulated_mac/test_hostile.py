"""Where Macs are hostile, so is this one."""

from __future__ import annotations

import gc
import importlib
import threading
import time
from typing import Any

import pytest

from simulated_mac import Machine, picture, pressing
from simulated_mac.frameworks.hitoolbox import MainThreadOnly
from simulated_mac.keyboard import KeyEvent
from tests.simulated_mac.conftest import CHAT, TEXTEDIT, Start, events, value, world


def apple(name: str) -> Any:
    """A stand-in module, of the machine that was started last."""
    return importlib.import_module(name)


def turn(seconds: float = 0.0) -> int:
    foundation = apple("CoreFoundation")
    result: int = foundation.CFRunLoopRunInMode(foundation.kCFRunLoopDefaultMode, seconds, True)
    return result


def text_event(text: str, flags: int | None = 0, down: bool = True, keycode: int = 0) -> Any:
    quartz = apple("Quartz")
    event = quartz.CGEventCreateKeyboardEvent(None, keycode, down)
    if flags is not None:
        quartz.CGEventSetFlags(event, flags)
    if text:
        quartz.CGEventKeyboardSetUnicodeString(event, len(text.encode("utf-16-le")) // 2, text)
    return event


def post(event: Any) -> None:
    quartz = apple("Quartz")
    quartz.CGEventPost(quartz.kCGHIDEventTap, event)


def app(pid: int = 412) -> Any:
    return apple("ApplicationServices").AXUIElementCreateApplication(pid)


def read(element: Any, attribute: str) -> tuple[int, Any]:
    answer: tuple[int, Any] = apple("ApplicationServices").AXUIElementCopyAttributeValue(element, attribute, None)
    return answer


def first_child(pid: int = 412) -> Any:
    return read(read(app(pid), "AXWindows")[1][0], "AXChildren")[1][0]


# --- NSWorkspace ---------------------------------------------------------------------------------------------


def test_the_workspace_is_frozen_until_the_main_run_loop_turns(mac: Machine) -> None:
    workspace = apple("AppKit").NSWorkspace.sharedWorkspace()
    running = apple("AppKit").NSRunningApplication.runningApplicationWithProcessIdentifier_(99)
    mac.life.activate(mac.app_named("Chat"))
    mac.life.end(mac.app_named("TextEdit"))
    assert workspace.frontmostApplication().processIdentifier() == 412
    assert not running.isActive()
    assert len(workspace.runningApplications()) == 2
    thread = threading.Thread(target=turn)
    thread.start()
    thread.join()
    assert workspace.frontmostApplication().processIdentifier() == 412
    turn()
    assert workspace.frontmostApplication().processIdentifier() == 99
    assert running.isActive()
    assert len(workspace.runningApplications()) == 1


def test_a_loop_without_sources_returns_at_once(mac: Machine) -> None:
    begun = time.monotonic()
    assert turn(5.0) == apple("CoreFoundation").kCFRunLoopRunFinished
    assert time.monotonic() - begun < 2.0


def test_hide_works_and_answers_no(mac: Machine) -> None:
    running = apple("AppKit").NSRunningApplication.runningApplicationWithProcessIdentifier_(99)
    assert running.hide() is False
    assert mac.app_named("Chat").hidden


def test_an_activation_may_be_swallowed_or_lie(start: Start) -> None:
    mac = start(world(TEXTEDIT, {**CHAT, "activates": False}))
    running = apple("AppKit").NSRunningApplication.runningApplicationWithProcessIdentifier_(99)
    assert running.activateWithOptions_(0) is False
    assert mac.front is mac.app_named("TextEdit")
    mac = start(world(faults=[{"call": "activateWithOptions_", "code": 1}]))
    running = apple("AppKit").NSRunningApplication.runningApplicationWithProcessIdentifier_(99)
    assert running.activateWithOptions_(0) is True
    assert mac.front is mac.app_named("TextEdit")


# --- keyboard ------------------------------------------------------------------------------------------------


def test_twenty_units_are_kept(mac: Machine) -> None:
    post(text_event("é" * 19 + "🙂x"))
    assert value(mac, "Text") == "é" * 19 + "\ufffd"


def test_what_a_person_holds_leaks_into_events_without_flags(start: Start) -> None:
    mac = start(world(human_holds=["cmd"]))
    post(text_event("a", flags=None))
    assert mac.journal.lines[0]["flags"] == 0x100000
    assert value(mac, "Text") == ""
    post(text_event("a", flags=0))
    assert value(mac, "Text") == "a"


def test_a_key_up_that_carries_flags_leaves_the_modifier_held(mac: Machine) -> None:
    quartz = apple("Quartz")
    post(text_event("", flags=0x100000, keycode=0))
    post(text_event("", flags=0x100000, keycode=0, down=False))
    assert quartz.CGEventSourceFlagsState(apple("Quartz").kCGEventSourceStateCombinedSessionState) == 0x100000
    post(text_event("swallowed"))
    assert value(mac, "Text") == ""
    post(text_event("", flags=0, keycode=55, down=False))
    post(text_event("x"))
    assert value(mac, "Text") == "x"


def test_a_balanced_chord_leaves_nothing_held(mac: Machine) -> None:
    for keycode, down, flags in ((55, True, 0x100000), (0, True, 0x100000), (0, False, 0x100000), (55, False, 0)):
        post(text_event("", flags=flags, keycode=keycode, down=down))
    post(text_event("x"))
    assert value(mac, "Text") == "x"
    assert mac.keyboard.down == {0}


def test_posted_keys_reach_nobody_while_another_app_holds_secure_input(start: Start) -> None:
    mac = start(world(secure_input="Chat"))
    post(text_event("x"))
    assert events(mac) == []
    session = apple("Quartz").CGSessionCopyCurrentDictionary()
    assert session["kCGSSessionSecureInputPID"] == 99


def test_a_focused_secure_field_is_secure_input_of_its_own(start: Start) -> None:
    field = {"role": "AXTextField", "subrole": "AXSecureTextField", "bounds": [0, 0, 9, 9]}
    mac = start(world({"name": "A", "pid": 7, "windows": [{"bounds": [0, 0, 99, 99], "elements": [field]}]}))
    assert mac.keyboard.secure_owner is mac.apps[0]
    post(text_event("pw"))
    assert [line["text"] for line in mac.journal.lines] == ["pw"]
    assert read(first_child(7), "AXValue") == (0, "••")
    assert mac.calls["a secure value was read"] == 1


def test_an_input_method_keeps_latin_letters_to_itself(start: Start) -> None:
    mac = start(world(input_method=True))
    post(text_event("ni3"))
    assert value(mac, "Text") == "3"
    post(text_event("", keycode=36))
    assert value(mac, "Text") == "3ni"


def test_input_sources_end_the_process_off_the_main_thread(mac: Machine) -> None:
    objc, foundation = apple("objc"), apple("Foundation")
    names: dict[str, Any] = {}
    bundle = foundation.NSBundle.bundleWithPath_("/S/HIToolbox.framework")
    objc.loadBundleFunctions(bundle, names, [("TISCopyCurrentKeyboardInputSource", b"@", "")])
    caught: list[BaseException] = []

    def ask() -> None:
        try:
            names["TISCopyCurrentKeyboardInputSource"]()
        except BaseException as error:  # noqa: BLE001 - what macOS does is no ordinary exception
            caught.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert isinstance(caught[0], MainThreadOnly)
    assert names["TISCopyCurrentKeyboardInputSource"]() is not None


def test_hardware_counters_count_a_person_alone(mac: Machine) -> None:
    quartz = apple("Quartz")

    def counts() -> list[int]:
        states = (quartz.kCGEventSourceStateHIDSystemState, apple("Quartz").kCGEventSourceStateCombinedSessionState)
        return [quartz.CGEventSourceCounterForEventType(state, quartz.kCGEventKeyDown) for state in states]

    post(text_event("x"))
    assert counts() == [0, 1]
    mac.keyboard.human_types("y\x1b")
    assert counts() == [2, 3]
    assert quartz.CGEventSourceKeyState(quartz.kCGEventSourceStateHIDSystemState, 53) is True


# --- pointer -------------------------------------------------------------------------------------------------


def click(x: float, y: float, states: tuple[int, ...] = (1,), flags: int | None = 0) -> None:
    quartz = apple("Quartz")
    for state in states:
        for kind in (quartz.kCGEventLeftMouseDown, quartz.kCGEventLeftMouseUp):
            event = quartz.CGEventCreateMouseEvent(None, kind, (x, y), quartz.kCGMouseButtonLeft)
            quartz.CGEventSetIntegerValueField(event, quartz.kCGMouseEventClickState, state)
            if flags is not None:
                quartz.CGEventSetFlags(event, flags)
            post(event)


def test_a_click_without_a_click_state_is_no_click(mac: Machine) -> None:
    click(140, 540, states=(0,))
    assert value(mac, "Wrap") == 0
    click(140, 540)
    assert value(mac, "Wrap") == 1


def test_a_double_click_needs_rising_click_states(mac: Machine) -> None:
    post(text_event("hello world"))
    editor = mac.app_named("TextEdit").windows[0].children[0].editor
    assert editor is not None
    click(120, 130, states=(1, 1))
    assert editor.selected == ""
    click(120, 130, states=(1, 2))
    assert editor.selected == "hello"
    click(120, 130, states=(1, 2, 3))
    assert editor.selected == "hello world"


def test_the_click_that_brings_an_app_forward_does_no_more(start: Start) -> None:
    send = {"role": "AXCheckBox", "title": "Mute", "bounds": [900, 200, 60, 24], "value": 0}
    chat = {**CHAT, "windows": [{"title": "Chat", "bounds": [800, 80, 400, 480], "elements": [send]}]}
    mac = start(world(TEXTEDIT, chat))
    click(910, 210)
    assert mac.front is mac.app_named("Chat")
    assert value(mac, "Mute") == 0
    click(910, 210)
    assert value(mac, "Mute") == 1


def drag(points: list[tuple[float, float]]) -> None:
    quartz = apple("Quartz")
    kinds = [quartz.kCGEventLeftMouseDown, *[quartz.kCGEventLeftMouseDragged] * (len(points) - 2)]
    for kind, point in zip([*kinds, quartz.kCGEventLeftMouseUp], points, strict=True):
        event = quartz.CGEventCreateMouseEvent(None, kind, point, quartz.kCGMouseButtonLeft)
        quartz.CGEventSetIntegerValueField(event, quartz.kCGMouseEventClickState, 1)
        post(event)


def test_a_drag_that_jumps_is_missed(mac: Machine) -> None:
    window = mac.app_named("TextEdit").windows[0]
    drag([(300, 90), (350, 140), (350, 140)])
    assert window.frame[:2] == (100, 80)
    drag([(300, 90), (320, 110), (350, 140), (350, 140)])
    assert window.frame[:2] == (150, 130)


def test_windows_that_take_no_clicks_are_passed_through(mac: Machine) -> None:
    chat = mac.app_named("Chat")
    for more in ({"click_through": True}, {"alpha": 0.0}):
        mac.windows.add(chat, {"bounds": [0, 0, 1440, 900], "layer": 25, **more}, on_top=True)
    click(140, 540)
    assert value(mac, "Wrap") == 1
    point = (140, mac.main_screen.height - 540)
    number = apple("AppKit").NSWindow.windowNumberAtPoint_belowWindowWithWindowNumber_(point, 0)
    assert number == mac.app_named("TextEdit").windows[0].number


# --- accessibility -------------------------------------------------------------------------------------------


def test_copy_multiple_answers_error_wrappers(mac: Machine) -> None:
    services = apple("ApplicationServices")
    button = read(read(app(), "AXWindows")[1][0], "AXChildren")[1][1]
    wanted = ["AXTitle", "AXValue", "AXHelp"]
    error, values = services.AXUIElementCopyMultipleAttributeValues(button, wanted, 0, None)
    assert (error, values[0]) == (0, "Save")
    codes = [services.AXValueGetValue(v, services.kAXValueTypeAXError, None) for v in values[1:]]
    assert codes == [(True, -25205), (True, -25212)]
    error, values = services.AXUIElementCopyMultipleAttributeValues(button, wanted, 1, None)
    assert (error, values) == (-25205, None)


def test_elements_die_between_calls(mac: Machine) -> None:
    element = first_child()
    mac.windows.close(mac.app_named("TextEdit").windows[0])
    assert read(element, "AXRole") == (-25202, None)
    mac.life.end(mac.app_named("TextEdit"))
    assert read(app(), "AXWindows") == (-25202, None)


def test_without_the_grant_everything_is_disabled(start: Start) -> None:
    mac = start(world(grants={"accessibility": False}))
    services, quartz = apple("ApplicationServices"), apple("Quartz")
    assert services.AXIsProcessTrusted() is False
    assert read(app(), "AXWindows") == (-25211, None)
    post(text_event("x"))
    assert events(mac) == []
    assert quartz.CGPreflightPostEventAccess() is False


def test_without_screen_recording_windows_have_no_names(start: Start) -> None:
    start(world(grants={"screen_recording": False}))
    quartz = apple("Quartz")
    assert all(quartz.kCGWindowName not in entry for entry in quartz.CGWindowListCopyWindowInfo(1, 0))


def test_a_hung_app_answers_when_the_time_is_up(start: Start) -> None:
    start(world({**TEXTEDIT, "hung": True}, CHAT))
    services, element = apple("ApplicationServices"), app()
    assert services.AXUIElementSetMessagingTimeout(element, 0.1) == 0
    begun = time.monotonic()
    assert read(element, "AXWindows") == (-25204, None)
    assert time.monotonic() - begun >= 0.1
    assert read(app(99), "AXTitle") == (0, "Chat")


def test_timeouts_belong_to_one_reference_or_to_all(start: Start) -> None:
    start(world({**TEXTEDIT, "slow_ms": 60}, CHAT))
    services, impatient = apple("ApplicationServices"), app()
    services.AXUIElementSetMessagingTimeout(impatient, 0.01)
    assert read(impatient, "AXTitle") == (-25204, None)
    assert read(app(), "AXTitle") == (0, "TextEdit")
    services.AXUIElementSetMessagingTimeout(services.AXUIElementCreateSystemWide(), 0.01)
    assert read(app(), "AXTitle") == (-25204, None)


def test_electron_refuses_the_switch_and_wakes_later(start: Start) -> None:
    start(world({**TEXTEDIT, "electron": True, "tree_after_ms": 80}, CHAT))
    services = apple("ApplicationServices")
    window = read(app(), "AXWindows")[1][0]
    assert list(read(window, "AXChildren")[1]) == []
    assert services.AXUIElementSetAttributeValue(app(), "AXManualAccessibility", True) == -25205
    assert list(read(window, "AXChildren")[1]) == []
    deadline = time.monotonic() + 5
    while not read(window, "AXChildren")[1]:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(("works", "expected"), [(True, 1), (False, 0)])
def test_faults_strike_and_may_work_anyway(start: Start, works: bool, expected: int) -> None:
    fault = {"call": "AXUIElementPerformAction", "code": -25205, "works_anyway": works, "nth": 2, "app": "TextEdit"}
    mac = start(world(faults=[fault]))
    services = apple("ApplicationServices")
    box = read(read(app(), "AXWindows")[1][0], "AXChildren")[1][2]
    assert services.AXUIElementPerformAction(box, "AXPress") == 0
    assert services.AXUIElementPerformAction(box, "AXPress") == -25205
    assert value(mac, "Wrap") == (0 if works else 1)
    assert events(mac).count(("press", "TextEdit")) == 1 + expected
    assert services.AXUIElementPerformAction(box, "AXPress") == 0


def test_windows_may_lack_accessibility_or_a_number(start: Start) -> None:
    silent = {"title": "Silent", "bounds": [0, 0, 50, 50], "accessible": False}
    unlisted = {"title": "Unlisted", "bounds": [0, 0, 60, 60], "listed": False}
    start(world({**TEXTEDIT, "windows": [silent, unlisted]}))
    quartz = apple("Quartz")
    assert [read(w, "AXTitle")[1] for w in read(app(), "AXWindows")[1]] == ["Unlisted"]
    named = [entry.get(quartz.kCGWindowName) for entry in quartz.CGWindowListCopyWindowInfo(1, 0)]
    assert "Silent" in named
    assert "Unlisted" not in named


def test_an_enhanced_interface_moves_windows_wrongly(mac: Machine) -> None:
    services = apple("ApplicationServices")
    window = read(app(), "AXWindows")[1][0]
    there = services.AXValueCreate(services.kAXValueTypeCGPoint, (5, 6))
    services.AXUIElementSetAttributeValue(app(), "AXEnhancedUserInterface", True)
    assert services.AXUIElementSetAttributeValue(window, "AXPosition", there) == 0
    assert mac.stack[0].frame[:2] == (100, 80)
    services.AXUIElementSetAttributeValue(app(), "AXEnhancedUserInterface", False)
    services.AXUIElementSetAttributeValue(window, "AXPosition", there)
    assert mac.stack[0].frame[:2] == (5, 6)


def test_a_panel_takes_the_keys_while_the_app_stays_in_front(mac: Machine) -> None:
    panel = {"title": "Search", "bounds": [0, 0, 90, 30], "layer": 8, "takes_keyboard": True}
    field = {"role": "AXTextField", "title": "Query", "bounds": [0, 0, 90, 30]}
    mac.windows.add(mac.app_named("Chat"), {**panel, "elements": [field]}, on_top=True)
    post(text_event("x"))
    assert events(mac) == [("key_down", "Chat")]
    assert mac.front is mac.app_named("TextEdit")
    services = apple("ApplicationServices")
    error, focused = read(services.AXUIElementCreateSystemWide(), "AXFocusedUIElement")
    assert (error, services.AXUIElementGetPid(focused, None)) == (0, (0, 99))


def test_observers_hear_in_the_next_turn(mac: Machine) -> None:
    services, objc, foundation = apple("ApplicationServices"), apple("objc"), apple("CoreFoundation")
    heard: list[str] = []

    def callback(_observer: Any, _element: Any, notification: Any, _refcon: Any) -> None:
        heard.append(str(notification))

    closure = objc.callbackFor(services.AXObserverCreate)(callback)
    _, observer = services.AXObserverCreate(412, closure, None)
    source = services.AXObserverGetRunLoopSource(observer)
    assert services.AXObserverAddNotification(observer, app(), "AXValueChanged", None) == 0
    assert services.AXObserverAddNotification(observer, app(), "AXValueChanged", None) == -25209
    foundation.CFRunLoopAddSource(foundation.CFRunLoopGetMain(), source, foundation.kCFRunLoopDefaultMode)
    post(text_event("x"))
    assert heard == []
    assert turn() == foundation.kCFRunLoopRunHandledSource
    assert heard == ["AXValueChanged"]


def test_an_observer_that_nobody_holds_hears_nothing(mac: Machine) -> None:
    """Else a process that watches one app after the other would gather what it never hears."""
    services, objc = apple("ApplicationServices"), apple("objc")
    observer = services.AXObserverCreate(412, objc.callbackFor(services.AXObserverCreate)(lambda *_: None), None)
    assert len(mac.notices) == 1
    del observer
    gc.collect()
    assert len(mac.notices) == 0


def test_a_tree_may_hold_its_own_parent(start: Start) -> None:
    group = {"role": "AXGroup", "bounds": [0, 0, 9, 9], "children": [{"role": "AXGroup", "cycle": True}]}
    start(world({"name": "A", "pid": 7, "windows": [{"bounds": [0, 0, 9, 9], "elements": [group]}]}))
    outer = first_child(7)
    inner = read(outer, "AXChildren")[1][0]
    assert apple("CoreFoundation").CFEqual(read(inner, "AXChildren")[1][0], outer)


def test_a_hung_app_does_nothing_with_what_reaches_it(start: Start) -> None:
    mac = start(world({**TEXTEDIT, "hung": True}, CHAT))
    post(text_event("x"))
    click(140, 540)
    mac.life.quit(mac.app_named("TextEdit"))
    assert (value(mac, "Text"), value(mac, "Wrap")) == ("", 0)
    assert mac.app_named("TextEdit").running
    assert [event for event, _ in events(mac)] == ["key_down", "mouse_down", "mouse_up", "quit"]


def test_an_event_may_be_lost(start: Start) -> None:
    mac = start(world(faults=[{"call": "CGEventPost", "code": 0, "nth": 2}]))
    for text in "abc":
        post(text_event(text))
    assert value(mac, "Text") == "ac"


@pytest.mark.parametrize(("x", "y"), [(-1000, -100), (100, 1000)])
def test_screens_may_lie_anywhere(start: Start, x: float, y: float) -> None:
    screens = [{"bounds": [0, 0, 1440, 900]}, {"bounds": [-1920, -200, 1920, 1080]}, {"bounds": [0, 900, 1440, 900]}]
    box = {"role": "AXCheckBox", "title": "Far", "bounds": [x, y, 50, 20], "value": 0}
    far = {"name": "Far", "pid": 7, "windows": [{"bounds": [x - 50, y - 50, 300, 200], "elements": [box]}]}
    mac = start(world(far, screens=screens))
    click(x + 5, y + 5)
    assert value(mac, "Far") == 1
    services = apple("ApplicationServices")
    system = services.AXUIElementCreateSystemWide()
    error, element = services.AXUIElementCopyElementAtPosition(system, x + 5, y + 5, None)
    assert (error, read(element, "AXTitle")) == (0, (0, "Far"))


@pytest.mark.parametrize(
    ("keycode", "flags", "receiver"), [(48, 0x100000, "Chat"), (49, 0x100000, "Finder"), (12, 0x140000, "loginwindow")]
)
def test_the_window_server_keeps_its_chords(start: Start, keycode: int, flags: int, receiver: str) -> None:
    finder = {"name": "Finder", "bundle_id": "com.apple.finder", "pid": 301}
    mac = start(world(TEXTEDIT, CHAT, finder))
    for down in (True, False):
        post(text_event("", flags=flags, keycode=keycode, down=down))
    post(text_event("", flags=0, keycode=55, down=False))
    post(text_event("x"))
    assert [(event, app) for event, app in events(mac) if event == "key_down"] == [("key_down", receiver)]


def test_system_processes_have_pids_of_their_own(start: Start) -> None:
    mac = start(world({**TEXTEDIT, "pid": 81}, {**CHAT, "pid": 82}, locked=True))
    quartz = apple("Quartz")
    owners = {int(entry[quartz.kCGWindowOwnerPID]) for entry in quartz.CGWindowListCopyWindowInfo(1, 0)}
    assert {mac.login.pid, mac.window_server_pid} == {83, 84}
    assert owners == {81, 82, 83, 84}


ROLES = (
    *("AXTextField", "AXTextArea", "AXSearchField", "AXSecureTextField", "AXComboBox", "AXButton", "AXPopUpButton"),
    *("AXMenuButton", "AXCheckBox", "AXRadioButton", "AXSwitch", "AXStaticText", "AXLink", "AXRow", "AXSlider"),
    *("AXIncrementor", "AXDisclosureTriangle", "AXProgressIndicator", "AXGroup"),
)


@pytest.mark.parametrize("role", ROLES)
def test_a_world_may_say_anything_as_a_value(start: Start, role: str) -> None:
    values = ("text", "", 5, 2.5, True, False, None, -1, 10**30)
    elements = [{"role": role, "title": "T", "bounds": [10, 40, 80, 20], "value": value} for value in values]
    mac = start(world({"name": "A", "windows": [{"bounds": [0, 0, 200, 200], "elements": elements}]}))
    window = mac.app_named("A").windows[0]
    assert picture.of_window(mac, window).startswith(b"\x89PNG")
    for element in window.children:
        pressing.press(mac, element)
        pressing.step(element, 1)
        mac.windows.focus(element)
        mac.keyboard.post(KeyEvent(True, 0, 0, "x"))
        assert element.editor is None or element.value.endswith("x")
