"""One program, run to its end: what goes in, what comes out, and that nothing of it is left."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from mac_commander.child import DRAINED_MOST, KEPT_BYTES, Completed, run

SOON = 5.0


def python(program: str, *values: str, timeout: float = 20, **environment: str) -> Completed:
    return run([sys.executable, "-", *values], program.encode(), environment, timeout)


def ended(pid: int) -> bool:
    """Soon: a signal to a group is taken by each process in its own time."""
    end = time.monotonic() + SOON
    while lives(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not lives(pid)


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    "value", ["it's", "a & b", "", "-e", "--", '"; rm -rf /', "é — \" ' 🙂", "a\nb\u2028c", "$(id)`id`", "x" * 8192]
)
def test_values_arrive_unchanged(value: str) -> None:
    done = python("import sys, json; print(json.dumps(sys.argv[1:]))", value, "last")
    import json

    assert json.loads(done.stdout) == [value, "last"]


def test_only_the_environment_given_is_there() -> None:
    done = python("import os; print(sorted(os.environ))", ONE="1", PYTHONCOERCECLOCALE="0")
    assert "HOME" not in done.stdout
    assert "ONE" in done.stdout


def test_exit_code_and_both_outputs() -> None:
    done = python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)")
    assert (done.stdout, done.stderr, done.code) == ("out\n", "err\n", 7)
    assert (done.timed_out, done.stopped, done.truncated, done.flooded) == (False,) * 4


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert python("import os; os.write(1, b'a\\xf6b')").stdout == "a\N{REPLACEMENT CHARACTER}b"


def test_much_output_is_cut_and_said() -> None:
    done = python(f"import sys; sys.stdout.write('x' * {KEPT_BYTES + 1}); sys.stderr.write('y' * 300_000)")
    assert (len(done.stdout), len(done.stderr), done.truncated, done.code) == (KEPT_BYTES, KEPT_BYTES, True, 0)


def test_endless_output_ends_the_child() -> None:
    done = python("while True: print('x' * 100_000)")
    assert done.flooded
    assert done.code < 0
    assert len(done.stdout) == KEPT_BYTES
    assert DRAINED_MOST == 16 << 20


def test_a_large_program_text_and_a_child_that_reads_none_of_it() -> None:
    assert python("x = 1\n" * 200_000 + "print('end')").stdout == "end\n"
    assert run(["/bin/true"], b"x" * 2_000_000, {}, 20).code == 0


def test_at_the_timeout_the_whole_group_is_ended(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    program = (
        "import os, signal, subprocess, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "other = subprocess.Popen(['/bin/sh', '-c', 'trap \"\" TERM; sleep 60 & wait'])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{other.pid}}')\n"
        "time.sleep(60)"
    )
    before = time.monotonic()
    done = python(program, timeout=1.0)
    assert done.timed_out
    assert time.monotonic() - before < SOON
    assert all(ended(int(pid)) for pid in pids.read_text().split())


def test_what_a_child_leaves_running_ends_with_it_and_is_not_waited_for(tmp_path: Path) -> None:
    before = time.monotonic()
    done = run(["/bin/sh", "-s"], b"sleep 60 & echo $!", {"PATH": os.defpath}, 20)
    assert time.monotonic() - before < SOON
    assert done.code == 0
    assert ended(int(done.stdout))


def test_what_detaches_itself_lives_on() -> None:
    done = run(["/bin/sh", "-s"], b"setsid sleep 5 >/dev/null 2>&1 & sleep 0.3; echo $!", {"PATH": os.defpath}, 20)
    assert lives(int(done.stdout))
    os.kill(int(done.stdout), 9)


def test_a_stop_ends_it() -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    before = time.monotonic()
    done = run(["/bin/sleep", "60"], b"", {}, 60, stop.is_set)
    assert (done.stopped, done.timed_out) == (True, False)
    assert time.monotonic() - before < SOON


def test_a_child_that_closes_its_outputs_is_still_waited_for() -> None:
    done = python("import os, time; os.close(1); os.close(2); time.sleep(0.3); os._exit(3)")
    assert done.code == 3


def test_it_sees_no_stdin_of_ours_and_no_descriptor() -> None:
    done = python("import os; print(sorted(os.listdir('/proc/self/fd')))")
    assert eval(done.stdout)[:3] == ["0", "1", "2"]  # the fourth is the listing itself
    assert len(eval(done.stdout)) == 4


def test_a_program_that_is_not_there_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        run(["/nonexistent/osascript", "-"], b"", {}, 1)


def test_no_descriptors_are_left_open() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        run(["/bin/true"], b"x" * 100_000, {}, 5)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
