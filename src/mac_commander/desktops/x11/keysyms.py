"""Keysyms and characters (X11 protocol, appendix A; keysymdef.h)."""

from __future__ import annotations

import unicodedata

RETURN, TAB, ESCAPE = 0xFF0D, 0xFF09, 0xFF1B
CAPS_LOCK, NUM_LOCK, LEVEL3 = 0xFFE5, 0xFF7F, 0xFE03
SHIFT_L, CONTROL_L, ALT_L, SUPER_L = 0xFFE1, 0xFFE3, 0xFFE9, 0xFFEB

NAMED = {
    "return": RETURN, "tab": TAB, "space": 0x20, "escape": ESCAPE, "backspace": 0xFF08, "delete": 0xFFFF,
    "insert": 0xFF63, "home": 0xFF50, "end": 0xFF57, "pageup": 0xFF55, "pagedown": 0xFF56,
    "left": 0xFF51, "up": 0xFF52, "right": 0xFF53, "down": 0xFF54,
    "printscreen": 0xFF61, "pause": 0xFF13, "menu": 0xFF67, **{f"f{n}": 0xFFBD + n for n in range(1, 21)},
}  # fmt: skip
"""What a chord's key names mean here."""

_UNICODE = 0x01000000
_PAGES = {
    0x01: "iso8859_2",
    0x02: "iso8859_3",
    0x03: "iso8859_4",
    0x05: "iso8859_6",
    0x0C: "iso8859_8",
    0x0D: "iso8859_11",
    0x12: "iso8859_14",
    0x13: "iso8859_15",
}
"""Keysyms below 0x2000 are a character set's number and the byte in it; these sets are codecs of Python."""

_CYRILLIC = "ђѓёєѕіїјљњћќґўџ№ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏ"
_GREEK = "ΆΈΉΊΪ ΌΎΫ Ώ  ΅― άέήίϊΐόύϋΰώ     ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣ ΤΥΦΧΨΩ       αβγδεζηθικλμνξοπρσςτυφχψω"
_PUBLISHING = {0xAA9: "—", 0xAAA: "–", 0xAAE: "…", 0xAC9: "™", 0xAD0: "‘", 0xAD1: "’", 0xAD2: "“", 0xAD3: "”"}


def character(keysym: int) -> str:
    """The one character that a key with this keysym types; empty for all that types none, dead keys too."""
    if 0x20 <= keysym <= 0x7E or 0xA0 <= keysym <= 0xFF or 0x20A0 <= keysym <= 0x20AC:
        return chr(keysym)
    if _UNICODE + 0xA0 <= keysym <= _UNICODE + 0x10FFFF:
        return chr(keysym - _UNICODE)
    return _PUBLISHING.get(keysym) or _of_page(keysym >> 8, keysym & 0xFF)


def _of_page(page: int, byte: int) -> str:
    if page == 0x04 and 0xA1 <= byte <= 0xDD:
        return unicodedata.normalize("NFKC", bytes([byte]).decode("shift_jis"))
    if page == 0x06 and byte >= 0xA1:
        return _CYRILLIC[byte - 0xA1] if byte < 0xC0 else bytes([byte]).decode("koi8_r")
    if page == 0x07 and 0xA1 <= byte < 0xA1 + len(_GREEK):
        return _GREEK[byte - 0xA1].strip()
    if page in _PAGES and byte >= 0xA1:
        return bytes([byte]).decode(_PAGES[page], "ignore")
    return ""


def keysym(char: str) -> int:
    """The keysym that stands for this character on a key of ours."""
    code = ord(char)
    return code if code < 0x100 else _UNICODE + code


def typable(char: str) -> bool:
    """Whether any keysym can mean it: control characters and lone surrogates have none."""
    return char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs")


def is_keypad(keysym: int) -> bool:
    """Keypad keys mean different things with NumLock on, so text never uses them."""
    return 0xFF80 <= keysym <= 0xFFBD
