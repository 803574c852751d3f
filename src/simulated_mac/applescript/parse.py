"""Lines of AppleScript as a tree of statements, each a tuple that begins with its kind."""

from __future__ import annotations

from simulated_mac.applescript.errors import Unknown
from simulated_mac.applescript.expressions import Expressions, Node
from simulated_mac.applescript.words import lines


class Program:
    """Reads all lines into statements."""

    def __init__(self, text: str) -> None:
        self._lines = lines(text)
        self._at = 0

    def handlers(self) -> dict[str, Node]:
        """All handlers by name; statements outside any are an implicit ``run``."""
        loose: list[Node] = []
        found: dict[str, Node] = {}
        while self._at < len(self._lines):
            line = Expressions(self._lines[self._at])
            if line.skip("on run"):
                argument = () if line.ended else (line.name(),)
                self._ended(line)
                found["run"] = ("handler", argument, self._block("end run", "end"))
            elif line.skip("on") or line.skip("to"):
                name, parameters = line.name(), line.parameters()
                self._ended(line)
                found[name] = ("handler", parameters, self._block(f"end {name}", "end"))
            elif line.skip("use AppleScript") or line.skip("use scripting additions"):
                self._at += 1
            else:
                loose.append(self._statement())
        if loose and "run" in found:
            raise Unknown(self._lines[0].number, self._lines[0].text)
        return {"run": ("handler", (), tuple(loose)), **found}

    def _ended(self, line: Expressions) -> None:
        if not line.ended:
            raise line.unknown()
        self._at += 1

    def _block(self, *ends: str) -> tuple[Node, ...]:
        statements: list[Node] = []
        while self._at < len(self._lines):
            line = Expressions(self._lines[self._at])
            if any(line.skip(end) and line.ended for end in ends):
                self._at += 1
                return tuple(statements)
            statements.append(self._statement())
        last = self._lines[-1]
        raise Unknown(last.number, f"{last.text} (no {ends[0]!r} after it)")

    def _statement(self) -> Node:
        line = Expressions(self._lines[self._at])
        if line.skip("tell application") or line.skip("tell app"):
            return self._tell(line)
        if line.skip("if"):
            return self._if(line)
        if line.skip("repeat with"):
            return self._repeat(line)
        if line.skip("repeat"):
            return self._repeat_times(line)
        if line.skip("try"):
            self._ended(line)
            return self._try()
        statement = simple(line)
        self._ended(line)
        return statement

    def _tell(self, line: Expressions) -> Node:
        app = line.expression()
        if line.skip("to"):
            statement = simple(line)
            self._ended(line)
            return ("tell", app, (statement,))
        self._ended(line)
        return ("tell", app, self._block("end tell", "end"))

    def _if(self, line: Expressions) -> Node:
        condition = line.expression()
        line.need("then")
        if not line.ended:
            statement = simple(line)
            self._ended(line)
            return ("if", condition, (statement,), ())
        self._ended(line)
        return self._branches(condition)

    def _branches(self, condition: Node) -> Node:
        yes: list[Node] = []
        while self._at < len(self._lines):
            line = Expressions(self._lines[self._at])
            if line.skip("else if"):
                other = line.expression()
                line.need("then")
                self._ended(line)
                return ("if", condition, tuple(yes), (self._branches(other),))
            if line.skip("else"):
                self._ended(line)
                return ("if", condition, tuple(yes), self._block("end if", "end"))
            if line.skip("end if") or line.skip("end"):
                self._ended(line)
                return ("if", condition, tuple(yes), ())
            yes.append(self._statement())
        raise Unknown(self._lines[-1].number, "no 'end if'")

    def _repeat(self, line: Expressions) -> Node:
        name = line.name()
        members = line.expression() if line.skip("in") else self._range(line)
        self._ended(line)
        return ("repeat", name, members, self._block("end repeat", "end"))

    def _range(self, line: Expressions) -> Node:
        line.need("from")
        first = line.expression()
        line.need("to")
        return ("range", first, line.expression(), line.expression() if line.skip("by") else ("value", 1))

    def _repeat_times(self, line: Expressions) -> Node:
        times = line.expression()
        line.need("times")
        self._ended(line)
        return ("repeat", "", ("range", ("value", 1), times, ("value", 1)), self._block("end repeat", "end"))

    def _try(self) -> Node:
        tried: list[Node] = []
        while self._at < len(self._lines):
            line = Expressions(self._lines[self._at])
            if line.skip("on error"):
                names = (line.name() if not line.ended else "", line.name() if line.skip("number") else "")
                self._ended(line)
                return ("try", tuple(tried), names, self._block("end try", "end"))
            if line.skip("end try") or line.skip("end"):
                self._ended(line)
                return ("try", tuple(tried), ("", ""), ())
            tried.append(self._statement())
        raise Unknown(self._lines[-1].number, "no 'end try'")


def simple(line: Expressions) -> Node:
    """A statement on one line."""
    if line.skip("set"):
        return _set(line)
    if line.skip("log"):
        return ("log", line.expression())
    if line.skip("get"):
        return ("value of", line.expression())
    if line.skip("return"):
        return ("return", None if line.ended else line.expression())
    if line.skip("error"):
        message = line.expression()
        return ("error", message, line.expression() if line.skip("number") else ("value", -2700))
    if line.skip("delay"):
        return ("delay", line.expression())
    if line.skip("display notification"):
        return _notification(line)
    if line.skip("activate"):
        return ("activate",)
    return ("value of", line.expression())


def _set(line: Expressions) -> Node:
    if line.skip("the clipboard to") or line.skip("clipboard to"):
        return ("set clipboard", line.expression())
    if line.skip("AppleScript's text item delimiters to") or line.skip("text item delimiters to"):
        return ("set delimiters", line.expression())
    if not line.skip("{"):
        name = line.name()
        line.need("to")
        return ("set", (name,), line.expression())
    names = [line.name()]
    while line.skip(","):
        names.append(line.name())
    line.need("}")
    line.need("to")
    return ("set list", tuple(names), line.expression())


def _notification(line: Expressions) -> Node:
    parts: dict[str, Node] = {"message": line.expression()}
    for phrase, part in (("with title", "title"), ("subtitle", "subtitle"), ("sound name", "sound")):
        if line.skip(phrase):
            parts[part] = line.expression()
    return ("notification", parts)
