"""Key combinations: every spelling to one `Chord`, and the ones that no model may press."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches

from mac_commander.core.finder import FINDER
from mac_commander.errors import InvalidArgument, Refused
from mac_commander.model import App, Chord, Modifier

COMBO_MOST = 64
"""Longer than the longest spelling of four modifiers and a key."""

_MODIFIERS: Mapping[str, Modifier] = {
    **dict.fromkeys(("cmd", "command", "apple"), Modifier.CMD),
    **dict.fromkeys(("ctrl", "control", "ctl"), Modifier.CTRL),
    **dict.fromkeys(("alt", "option", "opt"), Modifier.ALT),
    **dict.fromkeys(("shift", "shft"), Modifier.SHIFT),
    **dict.fromkeys(("fn", "function", "globe"), Modifier.FN),
    **dict.fromkeys(("super", "meta", "win", "windows"), Modifier.SUPER),
}

_GLYPHS: Mapping[str, str] = {
    "⌘": "cmd+", "⌃": "ctrl+", "⌥": "alt+", "⇧": "shift+", "\U0001f310": "fn+", "❖": "super+",
    "↩": "return", "⏎": "return", "⌤": "return", "⇥": "tab", "⎋": "escape", "⌫": "backspace", "⌦": "delete",
    "←": "left", "→": "right", "↑": "up", "↓": "down", "␣": "space", "⇞": "pageup", "⇟": "pagedown",
    "↖": "home", "↘": "end",
}  # fmt: skip

_KEY_NAMES: Mapping[str, str] = {
    "return": "return", "enter": "return", "tab": "tab", "space": "space", "spacebar": "space",
    "escape": "escape", "esc": "escape", "backspace": "backspace", "bksp": "backspace", "back": "backspace",
    "delete": "delete", "del": "delete", "forwarddelete": "delete", "insert": "insert", "ins": "insert",
    "home": "home", "end": "end", "pageup": "pageup", "pgup": "pageup", "pagedown": "pagedown", "pgdn": "pagedown",
    "left": "left", "right": "right", "up": "up", "down": "down",
    "leftarrow": "left", "rightarrow": "right", "uparrow": "up", "downarrow": "down",
    "arrowleft": "left", "arrowright": "right", "arrowup": "up", "arrowdown": "down",
    "plus": "+", "minus": "-", "hyphen": "-", "comma": ",", "period": ".", "dot": ".", "slash": "/",
    "backslash": "\\", "semicolon": ";", "quote": "'", "backtick": "`", "grave": "`", "equal": "=", "equals": "=",
    "bracketleft": "[", "bracketright": "]", "printscreen": "printscreen", "print": "printscreen",
    "sysrq": "printscreen", "menu": "menu", "pause": "pause",
    **{f"f{n}": f"f{n}" for n in range(1, 21)},
}  # fmt: skip

_HYPHENATED = re.compile(
    r"\b(page|forward|caps|left|right|up|down|arrow|print|back)[\s_-]+"
    r"(up|down|delete|lock|arrow|left|right|screen|space)\b"
)
_SIDES = frozenset({"left", "right", "l", "r"})

NAMED_KEYS = frozenset(v for v in _KEY_NAMES.values() if len(v) > 1)
"""The key names that a desktop must know; all other keys are single characters."""


def parse(combo: str, where: str = "combo") -> Chord:
    """One chord from any usual spelling: ``cmd+shift+4``, ``Command-Q``, ``⌘q``, ``ctrl + alt + delete``.

    Raises `InvalidArgument`: nothing, no key, two keys, an unknown word (with near ones).
    """
    if not combo.strip() or len(combo) > COMBO_MOST:
        raise InvalidArgument(f"{where}: wanted a key combination like cmd+a, return, cmd+shift+4; got {_shown(combo)}")
    words = _words(combo)
    modifiers = frozenset(_MODIFIERS[w] for w in words if w in _MODIFIERS)
    keys = [w for w in words if w not in _MODIFIERS]
    if len(keys) != 1:
        problem = "no key besides modifiers" if not keys else f"{len(keys)} keys"
        raise InvalidArgument(f"{where}: wanted one key with modifiers, like cmd+a; got {problem}")
    return Chord(modifiers, _key(keys[0], where))


def _shown(combo: str) -> str:
    return "empty text" if not combo.strip() else f"{len(combo)} characters"


def _words(combo: str) -> list[str]:
    text = unicodedata.normalize("NFKC", "".join(_GLYPHS.get(c, c) for c in combo)).lower().strip()
    text = _HYPHENATED.sub(lambda m: m.group(1) + m.group(2), text)
    last = ""
    if re.search(r"(^|[+\-\s])[+-]$", text):
        text, last = text[:-1], text[-1]
    words = [w for w in re.split(r"[+\-\s]+", text) if w]
    return _without_sides(words) + ([last] if last else [])


def _without_sides(words: list[str]) -> list[str]:
    """``left shift``, ``lshift`` and ``rightcmd`` are the modifier they name."""
    out: list[str] = []
    for i, word in enumerate(words):
        if word in _SIDES and len(words) > i + 2 and words[i + 1] in _MODIFIERS:
            continue
        bare = re.sub(r"^(left|right|l|r)(?=(cmd|command|ctrl|control|alt|option|shift|super|meta|win)$)", "", word)
        out.append(bare)
    return out


def _key(word: str, where: str) -> str:
    if word in _KEY_NAMES:
        return _KEY_NAMES[word]
    if len(word) == 1 and word.isprintable():
        return word
    close = get_close_matches(word[:20], _KEY_NAMES, 3)
    hint = (
        f"did you mean {', '.join(close)}?"
        if close
        else "single characters, f1 to f20, and names like return, tab, escape"
    )
    raise InvalidArgument(f"{where}: unknown key {word[:20]!r}; {hint}")


def resolve(chord: Chord, main: Modifier) -> Chord:
    """The physical chord: ``cmd`` is the desktop's main modifier; on a Mac super, meta and win are Command."""
    swap = {Modifier.CMD: main}
    if main is Modifier.CMD:
        swap[Modifier.SUPER] = Modifier.CMD
    return Chord(frozenset(swap.get(m, m) for m in chord.modifiers), chord.key)


# --- Chords that leave the target, end the session or end apps -----------------------------------------------

_Rule = tuple[str, str]
"""Least modifiers, key: any superset of the modifiers is refused too. ``*`` is every key."""


def _rules(*lines: tuple[str, str]) -> list[tuple[frozenset[Modifier], frozenset[str]]]:
    return [(frozenset(Modifier(m) for m in mods.split()), frozenset(keys.split())) for mods, keys in lines]


_FUNCTION_KEYS = " ".join(f"f{n}" for n in range(1, 13))

_MAC = _rules(
    ("cmd", "space tab escape"),
    ("cmd alt", "space escape"),
    ("cmd ctrl", "q space f d"),
    ("cmd shift", "q /"),
    ("cmd", "? f5"),
    ("ctrl", "up down left right f1 f2 f3 f4 f5 f6 f7 f8"),
    ("", "f3 f4 f11 f12"),
    ("fn", "*"),
)
"""``cmd+?`` (``cmd+shift+/``) gives the keyboard to the Help menu's search field, from where what is typed picks any
menu item; ``cmd+f5`` starts VoiceOver, with Option the panel of such settings."""

_FINDER = _rules(("cmd", "backspace delete"))
_X11 = _rules(
    ("super", "*"),
    ("alt", f"tab escape space {_FUNCTION_KEYS}"),
    ("ctrl alt", f"tab escape backspace delete left right up down l t d {_FUNCTION_KEYS}"),
    ("ctrl", "escape"),
    ("", "printscreen"),
)


def refuse_system_chord(chord: Chord, main: Modifier, target: App, where: str) -> None:
    """Raise `Refused` for a resolved chord that hands the keyboard to another program, ends the session, ends
    apps or empties the trash. Screenshot chords are allowed."""
    if target.app_id.casefold() == FINDER and _fits(chord, _FINDER):
        raise Refused(f"{where}: {chord} is kept from models: it throws the user's files away. Ask the user")
    if _fits(chord, _MAC if main is Modifier.CMD else _X11):
        raise Refused(
            f"{where}: {chord} is kept from models: it leaves {target.name} for the system or another program. "
            "Use the app tool to switch or quit apps"
        )


def _fits(chord: Chord, rules: list[tuple[frozenset[Modifier], frozenset[str]]]) -> bool:
    return any(modifiers <= chord.modifiers and _is_one_of(chord.key, keys) for modifiers, keys in rules)


def _is_one_of(key: str, keys: frozenset[str]) -> bool:
    """A letter outside ASCII may lie on the key of any letter: Russian й is Q, and ⇧⌘й logs out."""
    anywhere = not key.isascii() and any(len(k) == 1 and k.isalpha() for k in keys)
    return key in keys or "*" in keys or anywhere


def types_text(chord: Chord) -> bool:
    """The key by itself or with shift writes a character."""
    return not (chord.modifiers - {Modifier.SHIFT}) and len(chord.key) == 1


_PASTES = frozenset({"v", "insert", "y"})
"""With cmd, ctrl or shift: what was copied or cut (``ctrl+y`` is Emacs's, which AppKit's fields know too)."""


def fills_a_field(chord: Chord, main: Modifier) -> bool:
    """Whether a resolved chord may put something into a field: a character, on a Mac with Option another one, or what
    was copied; a text could be typed elsewhere first."""
    writers = {Modifier.SHIFT, Modifier.ALT} if main is Modifier.CMD else {Modifier.SHIFT}
    writes = not chord.modifiers - writers and (len(chord.key) == 1 or chord.key == "space")
    return writes or (bool(chord.modifiers & {main, Modifier.CTRL, Modifier.SHIFT}) and chord.key in _PASTES)


def count_or_name(chord: Chord) -> str:
    """For the log: the chord by name, but a key that writes, which may be part of a secret, only counted."""
    return "1 char" if types_text(chord) else str(chord)
