"""Scripts that make a program out of a value are found, in each language; those that quote it are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from mac_commander.core.injection import warnings

RISKY = {
    ".applescript": [
        'on run argv\n do shell script "open " & item 1 of argv\nend run',
        'on run argv\n do shell script "open " & (item 1 of argv)\nend run',
        'on run {theFile}\n do shell script ("cat \'" & theFile & "\'")\nend run',
        'on run argv\n set x to item 1 of argv\n set c to "ls " & x\n do shell script c\nend run',
        'on run argv\n set {a, b} to argv\n do shell script "ls " & quoted form of a & b\nend run',
        'on run argv\n repeat with x in argv\n  do shell script "rm " & x\n end repeat\nend run',
        'on run argv\n do shell script ¬\n  "open " & item 1 of argv\nend run',
        'on show(f)\n do shell script "open " & f\nend show\non run argv\n my show(item 1 of argv)\nend run',
        "on run argv\n run script (item 1 of argv)\nend run",
        'on run argv\n tell application "Terminal" to do script (item 1 of argv)\nend run',
        'on run argv\n copy "ls " & item 1 of argv to c\n Do Shell Script c\nend run',
    ],
    ".sh": [
        'eval "ls $1"', 'x="$1"\neval "$x"', 'sh -c "ls $1"', 'bash -lc "cd $1; ls"', 'ssh host "ls $1"',
        'for f in "$@"; do\n  sh -c "open $f"\ndone',
        'osascript -e "display dialog \\"$1\\""', 'python3 -c "print($1)"',
        'cmd="ls ${1}"\n eval $cmd', "eval $*", 'echo "it\'s"; eval "$1"',
    ],
    ".py": [
        "import os, sys\nos.system('ls ' + sys.argv[1])",
        "import sys, subprocess\nsubprocess.run(f'ls {sys.argv[1]}', shell=True)",
        "from sys import argv\nimport os\nname = argv[1]\ncmd = 'ls %s' % name\nos.popen(cmd)",
        "import sys\neval(sys.argv[1])",
        "import os, sys\ndef show(x):\n    os.system('open ' + x)\nshow(sys.argv[1])",
        "import os, sys\nfor f in sys.argv[1:]:\n    os.system('rm ' + f)",
        "import os, sys\nos.system(' '.join(sys.argv[1:]))",
        "import os, sys\nos.system('ls {}'.format(sys.argv[1]))",
    ],
    ".js": [
        "function run(argv) {\n  app.doShellScript('ls ' + argv[0])\n}",
        "function run(argv) {\n  const name = argv[0];\n  const c = `ls ${name}`;\n  app.doShellScript(c)\n}",
        "function run([file]) { app.doShellScript(`open ${file}`) }",
        "run = (argv) => eval(argv[0])",
        "function run(argv) {\n  for (const f of argv) app.doShellScript(`rm ${f}`)\n}",
    ],
}  # fmt: skip
SAFE = {
    ".applescript": [
        'on run argv\n do shell script "open " & quoted form of item 1 of argv\nend run',
        'on run argv\n do shell script "open " & quoted form of (item 1 of argv) & " &"\nend run',
        'on run {theFile}\n do shell script "cat " & theFile\'s quoted form\nend run',
        'on run argv\n set q to quoted form of (item 1 of argv as text)\n do shell script "ls " & q\nend run',
        'on run argv\n do shell script "sleep " & ((item 1 of argv) as integer)\nend run',
        'on run argv\n -- do shell script "x" & item 1 of argv\n do shell script "date"\nend run',
        'on run argv\n (* do shell script item 1 of argv *)\n set the clipboard to item 1 of argv\nend run',
        'on run argv\n display dialog "do shell script " & item 1 of argv\nend run',
        'on run argv\n do shell script "echo " & (count of argv)\nend run',
        'on run\n set x to "a"\n do shell script "ls " & x\nend run',
    ],
    ".sh": [
        'printf "%s\\n" "$1"', "sh -c 'ls \"$1\"' -- \"$1\"", '# eval "$1"\nls', "eval 'x=1'", 'open "$1"',
        'eval "ls $(printf %q "$1")"', 'eval "ls ${1@Q}"', 'x=$(date); eval "$x"', 'test $# -eq 1 && eval "ls"',
        "echo 'eval $1'",
    ],
    ".py": [
        "import sys, subprocess\nsubprocess.run(['ls', sys.argv[1]])",
        "import sys, subprocess\nsubprocess.run(['ls', sys.argv[1]], shell=False)",
        "import sys, subprocess, shlex\nsubprocess.run('ls ' + shlex.quote(sys.argv[1]), shell=True)",
        "import os, sys\nos.system('sleep %d' % int(sys.argv[1]))",
        "import os\nos.system('date')",
        "this is no Python (",
        "import os, sys, shlex\nos.system(shlex.join(['ls', *sys.argv[1:]]))",
    ],
    ".js": [
        "function run(argv) { return argv.join('\\n') }",
        "function run(argv) {\n  app.doShellScript('ls ' + shellQuote(argv[0]))\n}",
        "function run(argv) { app.doShellScript(`sleep ${Number(argv[0])}`) }",
        "function run(argv) { // app.doShellScript(argv[0])\n  app.doShellScript('date') }",
    ],
}  # fmt: skip


def cases(known: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(suffix, text) for suffix, texts in known.items() for text in texts]


@pytest.mark.parametrize(("suffix", "text"), cases(RISKY))
def test_a_value_that_becomes_a_program_is_found(suffix: str, text: str) -> None:
    assert len(warnings(f"x{suffix}", suffix, text)) == 1


@pytest.mark.parametrize(("suffix", "text"), cases(SAFE))
def test_a_value_that_stays_one_is_not(suffix: str, text: str) -> None:
    assert warnings(f"x{suffix}", suffix, text) == []


def test_the_line_is_named_with_what_to_write() -> None:
    (told,) = warnings("open it.applescript", ".applescript", RISKY[".applescript"][3])
    assert told.startswith("open it.applescript line 4 ")
    assert "`quoted form of`" in told


def test_shipped_scripts_are_without_it() -> None:
    shipped = [p for p in (Path(__file__).parents[2] / "src/mac_commander/scripts").glob("*/*") if p.suffix in RISKY]
    assert len(shipped) >= 8
    assert [w for p in shipped for w in warnings(p.name, p.suffix, p.read_text())] == []


@pytest.mark.parametrize("suffix", RISKY)
@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000,
        '"' * 50_001,
        "'x" * 50_000,
        "a = " * 50_000,
        "\\\n" * 50_000,
        "$" * 50_000,
        "sh " * 50_000,
        "eval " * 40_000,
    ],
)
def test_text_that_is_no_script_takes_no_time_and_no_server(suffix: str, text: str) -> None:
    assert warnings("x", suffix, text) == []
