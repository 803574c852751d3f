"""osascript and screencapture of the simulated Mac: real programs, run by their paths with an empty environment."""

from __future__ import annotations

import io
import subprocess
import time
from pathlib import Path

import pytest
from PIL import Image

from simulated_mac import Machine
from simulated_mac.programs import NAMES, PREFIX
from tests.simulated_mac.conftest import CHAT, TEXTEDIT, Start, events, world

SCRIPTS = Path(__file__).parents[2] / "src/mac_commander/scripts/macos"


def osascript(
    mac: Machine, program: str, *argv: str, options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    command = [mac.osascript, *options, "-", *argv]
    return subprocess.run(command, input=program, capture_output=True, text=True, env={}, timeout=30, check=False)


def capture(mac: Machine, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [mac.screencapture, *arguments], capture_output=True, text=True, env={}, timeout=30, check=False
    )


def shipped(name: str) -> str:
    return (SCRIPTS / f"{name}.applescript").read_text()


VALUES = [
    "it's",
    "a & b",
    "",
    "-e",
    "--",
    "-",
    'é — " 🙂',
    "two\nlines",
    '" & (do shell script "true") & "',
    "x" * 100_000,
]


def test_values_arrive_unchanged(mac: Machine) -> None:
    done = osascript(mac, shipped("echo-argv"), *VALUES)
    assert (done.returncode, done.stdout) == (0, "\n".join(VALUES) + "\n")
    assert mac.journal.lines[0]["argv"] == VALUES


def test_the_clipboard_is_written_and_read(mac: Machine) -> None:
    assert osascript(mac, shipped("clipboard-write"), 'Ligne — "été" 🙂').returncode == 0
    assert mac.pasteboard.text == 'Ligne — "été" 🙂'
    assert osascript(mac, shipped("clipboard-read")).stdout == 'Ligne — "été" 🙂\n'


def test_a_script_fails_with_its_own_error(mac: Machine) -> None:
    done = osascript(mac, shipped("clipboard-write"))
    assert done.returncode == 1
    assert done.stderr.endswith("execution error: clipboard-write: wanted one argument, the text (2)\n")


def test_the_front_window_is_told(mac: Machine) -> None:
    assert osascript(mac, shipped("front-window")).stdout == "TextEdit: Untitled\n"
    mac.windows.close(mac.stack[0])
    assert osascript(mac, shipped("front-window")).stdout == "TextEdit: no window\n"


def test_each_shipped_script_is_known(mac: Machine) -> None:
    for file in SCRIPTS.glob("*.applescript"):
        assert osascript(mac, file.read_text(), "value").returncode == 0, file.name


def test_a_notification_is_one_line_for_its_receiver(mac: Machine) -> None:
    program = 'on run argv\ndisplay notification (item 1 of argv) with title item 2 of argv sound name "Ping"\nend run'
    assert osascript(mac, program, 'a "quoted" one', "Title").returncode == 0
    assert events(mac) == [("script", "osascript"), ("notification", "Notification Center")]
    told = {"message": 'a "quoted" one', "title": "Title", "subtitle": "", "sound": "Ping"}
    assert mac.journal.lines[1].items() >= told.items()


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("return 1 + 2 * 3 - 8 / 4", "5.0"),
        ('if "A" is "a" then return "same"', "same"),
        ('set {a, b} to {"x", "y"}\nreturn b & a', "yx"),
        ("set n to 0\nrepeat with i in {1, 2, 3}\nset n to n + i\nend repeat\nreturn n", "6"),
        ('if 1 > 2 then\nreturn "more"\nelse if 2 > 1 then\nreturn "less"\nelse\nreturn "same"\nend if', "less"),
        ('-- nothing\n(* more\nof it *)\nreturn "done"', "done"),
        ('return {1, true, "a"}', "1, true, a"),
        ('return quoted form of "it\'s"', "'it'\"'\"'s'"),
        ('set the clipboard to "a"\nreturn count of (the clipboard)', "1"),
        ("set n to 0\nrepeat with i from 1 to 3\nset n to n * 10 + i\nend repeat\nreturn n", "123"),
        ("set n to 0\nrepeat with i from 9 to 5 by -2\nset n to n * 10 + i\nend repeat\nreturn n", "975"),
        ("set n to 1\nrepeat 3 times\nset n to n * 2\nend repeat\nn", "8"),
        ('try\nerror "no" number 7\non error told number n\nreturn told & n\nend try', "no7"),
        ('try\nerror "no"\nend try\nreturn "on"', "on"),
        ('set text item delimiters to "-"\nreturn {1, 2} as text', "1-2"),
        ('on twice(n)\nreturn n & n\nend twice\non run argv\nreturn twice("ab")\nend run', "abab"),
        ('tell application "System Events" to get name of first process whose frontmost is true', "TextEdit"),
    ],
)
def test_what_it_knows_it_does_rightly(mac: Machine, program: str, printed: str) -> None:
    done = osascript(mac, program)
    assert (done.stdout, done.stderr) == (f"{printed}\n", "")


@pytest.mark.parametrize(
    "program",
    [
        'do shell script "true"',
        'tell application "Finder" to delete every item of trash',
        "set x to",
        'display dialog "hello"',
        'return "unfinished',
        'tell application "Finder"\nset the clipboard to "a"',
        'keystroke "a" using command down',
    ],
)
def test_what_it_does_not_know_it_refuses_whole(mac: Machine, program: str) -> None:
    done = osascript(mac, f'set the clipboard to "half done"\n{program}')
    assert done.returncode == 3
    assert "osascript of the simulated Mac does not know line" in done.stderr
    assert mac.pasteboard.text == ""


def test_what_a_script_logs_is_on_stderr_before_its_error(mac: Machine) -> None:
    done = osascript(mac, 'log "first"\nlog {1, 2}\nforever(1)\non forever(n)\nreturn forever(n)\nend forever')
    assert done.stderr == "first\n1, 2\n0:0: execution error: Stack overflow. (-2706)\n"
    assert "(-1708)" in osascript(mac, "nobody(1)").stderr


def test_other_languages_and_uses_are_refused(mac: Machine) -> None:
    assert "knows no JavaScript" in osascript(mac, "1", options=("-l", "JavaScript")).stderr
    done = subprocess.run([mac.osascript, "-e", "return 1"], capture_output=True, text=True, env={}, check=False)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_program_that_was_ended_is_answered_without_a_word(mac: Machine, capfd: pytest.CaptureFixture[str]) -> None:
    with subprocess.Popen([mac.osascript, "-"], stdin=subprocess.PIPE, env={}) as ended:
        assert ended.stdin is not None
        ended.stdin.write(b"delay 0.2")
        ended.stdin.close()
        while not mac.journal.lines:
            time.sleep(0.01)
        ended.kill()
    osascript(mac, "delay 0.4")  # meanwhile the first one's answer has found nobody
    assert capfd.readouterr().err == ""


def test_a_grant_may_be_missing(start: Start) -> None:
    mac = start(world(faults=[{"call": "osascript", "code": -1743}]))
    done = osascript(mac, "return 1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("(-1743)\n")


def test_the_script_waits_as_long_as_it_says(mac: Machine) -> None:
    begun = time.monotonic()
    osascript(mac, "delay 0.3")
    assert time.monotonic() - begun >= 0.3


# --- screencapture -------------------------------------------------------------------------------------------


def test_a_window_is_captured_at_the_scale_of_its_screen(mac: Machine, tmp_path: Path) -> None:
    file = tmp_path / "window.png"
    number = mac.app_named("TextEdit").windows[0].number
    done = capture(mac, "-x", "-t", "png", "-o", "-l", str(number), str(file))
    assert (done.returncode, done.stderr) == (0, "")
    with Image.open(file) as image:
        assert image.size == (1280, 960)
    assert mac.journal.lines[0].items() >= {"event": "capture", "app": "TextEdit", "window": number}.items()


def test_a_window_shows_itself_alone(mac: Machine, tmp_path: Path) -> None:
    """The same pixels, whatever lies over it."""
    number = str(mac.app_named("TextEdit").windows[0].number)
    files = [tmp_path / "free.png", tmp_path / "covered.png"]
    capture(mac, "-x", "-l", number, str(files[0]))
    mac.windows.add(mac.app_named("Chat"), {"title": "Over", "bounds": [0, 0, 1440, 900]}, on_top=True)
    capture(mac, "-x", "-l", number, str(files[1]))
    assert files[0].read_bytes() == files[1].read_bytes()


def test_screens_are_captured_each_to_its_file(start: Start, tmp_path: Path) -> None:
    screens = [{"bounds": [0, 0, 800, 600], "scale": 2}, {"bounds": [-640, -40, 640, 480]}]
    mac = start(world(screens=screens))
    files = [tmp_path / "one.png", tmp_path / "two.png"]
    assert capture(mac, "-x", *map(str, files)).returncode == 0
    sizes = []
    for file in files:
        with Image.open(file) as image:
            sizes.append(image.size)
    assert sizes == [(1600, 1200), (640, 480)]
    assert mac.journal.lines[0]["window"] == "screen"


def test_what_cannot_be_captured_leaves_no_file(start: Start, tmp_path: Path) -> None:
    mac = start(world({**TEXTEDIT, "windows": [{"bounds": [0, 0, 9, 9], "minimised": True}]}, CHAT))
    for number in (mac.app_named("TextEdit").windows[0].number, 99_999):
        done = capture(mac, "-x", "-l", str(number), str(tmp_path / "no.png"))
        assert (done.returncode, done.stderr) == (1, "could not create image from window\n")
    mac.grants["screen_recording"] = False
    assert capture(mac, "-x", str(tmp_path / "no.png")).returncode == 1
    assert list(tmp_path.glob("no*")) == []
    assert events(mac) == []


def test_the_programs_are_gone_with_the_machine(mac: Machine) -> None:
    paths = [Path(path) for path in (mac.osascript, mac.screencapture)]
    assert [path.name for path in paths] == list(NAMES)
    mac.close()
    assert not any(path.exists() for path in paths)
    assert not paths[0].parent.exists()


def test_what_a_killed_one_left_is_cleared(start: Start) -> None:
    ended = subprocess.Popen(["/bin/true"])
    ended.wait()
    left = Path(start().osascript).parents[1] / f"{PREFIX}{ended.pid}-abc"
    left.mkdir()
    start()
    assert not left.exists()


def test_text_is_drawn(mac: Machine) -> None:
    from simulated_mac import picture

    window = mac.app_named("TextEdit").windows[0]
    empty = picture.of_window(mac, window)
    editor = window.children[0].editor
    assert editor is not None
    editor.insert("Hello")
    with Image.open(io.BytesIO(picture.of_window(mac, window))) as image:
        dark = sum(image.crop((4, 84, 200, 120)).convert("L").histogram()[:90])
    assert dark > 20
    assert picture.of_window(mac, window) != empty
