"""Lines of AppleScript as a tree of statements and expressions, each a tuple that begins with its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from simulated_mac.applescript.errors import Unknown
from simulated_mac.applescript.words import Line, Word, lines

Node = tuple[Any, ...]
_COMPARISONS = {
    "=": "is",
    "≠": "is not",
    "/=": "is not",
    "<": "<",
    ">": ">",
    "<=": "<=",
    ">=": ">=",
    "≤": "<=",
    "≥": ">=",
}
_CONSTANTS = {"linefeed": "\n", "tab": "\t", "quote": '"', "space": " ", "true": True, "false": False}


class Expressions:
    """Reads one line from left to right."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self._words = line.words
        self._at = 0

    def unknown(self) -> Unknown:
        return Unknown(self.line.number, self.line.text)

    @property
    def ended(self) -> bool:
        return self._at == len(self._words)

    def _peek(self, ahead: int = 0) -> Word:
        at = self._at + ahead
        return self._words[at] if at < len(self._words) else Word("end", "")

    def skip(self, phrase: str) -> bool:
        """Go past these words when they come next."""
        wanted = phrase.split()
        coming = [self._peek(index) for index in range(len(wanted))]
        if any(w.kind == "text" or w.value != p for w, p in zip(coming, wanted, strict=True)):
            return False
        self._at += len(wanted)
        return True

    def need(self, phrase: str) -> None:
        if not self.skip(phrase):
            raise self.unknown()

    def name(self) -> str:
        word = self._peek()
        if word.kind != "name":
            raise self.unknown()
        self._at += 1
        return word.value

    # --- expressions, from the loosest binding to the tightest --------------------------------------------------

    def expression(self) -> Node:
        left = self._comparison()
        while True:
            if self.skip("and"):
                left = ("and", left, self._comparison())
            elif self.skip("or"):
                left = ("or", left, self._comparison())
            else:
                return left

    def _comparison(self) -> Node:
        if self.skip("not"):
            return ("not", self._comparison())
        left = self._joined()
        for phrase in ("is not", "is equal to", "is in", "is", "contains", "starts with", "equals"):
            if self.skip(phrase):
                kind = {"is equal to": "is", "equals": "is"}.get(phrase, phrase)
                return ("compare", kind, left, self._joined())
        if self._peek().kind == "sign" and self._peek().value in _COMPARISONS:
            kind = _COMPARISONS[self._peek().value]
            self._at += 1
            return ("compare", kind, left, self._joined())
        return left

    def _joined(self) -> Node:
        left = self._sum()
        while self.skip("&"):
            left = ("join", left, self._sum())
        return left

    def _sum(self) -> Node:
        return self._chain("+-", lambda: self._chain("*/", self._converted))

    def _chain(self, signs: str, part: Callable[[], Node]) -> Node:
        left = part()
        while self._peek().kind == "sign" and self._peek().value in signs:
            sign = self._peek().value
            self._at += 1
            left = ("arithmetic", sign, left, part())
        return left

    def _converted(self) -> Node:
        value = self._primary()
        while self.skip("as"):
            value = ("as", self._kind(), value)
        return value

    def _kind(self) -> str:
        self.skip("Unicode")
        kind = self.name()
        if kind not in ("text", "string", "integer", "list", "boolean"):
            raise self.unknown()
        return kind

    def _primary(self) -> Node:
        word = self._peek()
        if word.kind == "text":
            self._at += 1
            return ("value", word.value)
        if word.kind == "number":
            self._at += 1
            return ("value", float(word.value) if "." in word.value else int(word.value))
        if self.skip("-"):
            return ("arithmetic", "-", ("value", 0), self._primary())
        if self.skip("("):
            inside = self.expression()
            self.need(")")
            return inside
        if self.skip("{"):
            return self._list()
        return self._phrase()

    def _list(self) -> Node:
        members: list[Node] = []
        while not self.skip("}"):
            members.append(self.expression())
            if not self.skip(","):
                self.need("}")
                break
        return ("list", *members)

    def _phrase(self) -> Node:
        self.skip("the")
        if self.skip("clipboard"):
            return ("clipboard",)
        if self.skip("count of") or self.skip("count") or self.skip("length of"):
            return ("count", self._converted())
        if self.skip("item"):
            index = self._sum()
            self.need("of")
            return ("item", index, self._converted())
        for ordinal, place in (("first item of", 1), ("last item of", -1)):
            if self.skip(ordinal):
                return ("item", ("value", place), self._converted())
        if self.skip("rest of"):
            return ("rest", self._converted())
        if self.skip("quoted form of"):
            return ("quoted", self._converted())
        return self._of_the_desktop()

    def _of_the_desktop(self) -> Node:
        if self.skip("first application process whose frontmost is true"):
            return ("front process",)
        if self.skip("name of") or self.skip("title of"):
            return ("name", self._converted())
        if self.skip("windows of") or self.skip("every window of"):
            return ("windows", self._converted())
        if self.skip("front window of") or self.skip("window 1 of"):
            return ("front window", self._converted())
        if self.skip("AppleScript's text item delimiters"):
            return ("delimiters",)
        name = self.name()
        if name in _CONSTANTS:
            return ("value", _CONSTANTS[name])
        return ("value", "\r") if name == "return" else ("variable", name)


class Program:
    """Reads all lines into statements."""

    def __init__(self, text: str) -> None:
        self._lines = lines(text)
        self._at = 0

    def handlers(self) -> dict[str, Node]:
        """The run handler under ``run``; statements outside any are an implicit one."""
        loose: list[Node] = []
        found: dict[str, Node] = {}
        while self._at < len(self._lines):
            line = Expressions(self._lines[self._at])
            if line.skip("on run"):
                argument = line.name() if not line.ended else ""
                self._ended(line)
                found["run"] = ("handler", argument, self._block("end run", "end"))
            elif line.skip("use AppleScript") or line.skip("use scripting additions"):
                self._at += 1
            else:
                loose.append(self._statement())
        if loose and "run" in found:
            raise Unknown(self._lines[0].number, self._lines[0].text)
        return found or {"run": ("handler", "", tuple(loose))}

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
        line.need("in")
        members = line.expression()
        self._ended(line)
        return ("repeat", name, members, self._block("end repeat", "end"))


def simple(line: Expressions) -> Node:
    """A statement on one line."""
    if line.skip("set"):
        return _set(line)
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
    if line.skip("AppleScript's text item delimiters to"):
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
