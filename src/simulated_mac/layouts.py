"""What each key gives in each keyboard layout. Keys are ANSI positions, ``kVK_ANSI_*`` of Carbon's Events.h."""

from __future__ import annotations

NUMBER_ROW = (50, 18, 19, 20, 21, 23, 22, 26, 28, 25, 29, 27, 24)
TOP_ROW = (12, 13, 14, 15, 17, 16, 32, 34, 31, 35, 33, 30, 42)
HOME_ROW = (0, 1, 2, 3, 5, 4, 38, 40, 37, 41, 39)
BOTTOM_ROW = (6, 7, 8, 9, 11, 45, 46, 43, 47, 44)
SPACE = 49
_ROWS = (NUMBER_ROW, TOP_ROW, HOME_ROW, BOTTOM_ROW)

_PLAIN = {
    "us": ("`1234567890-=", "qwertyuiop[]\\", "asdfghjkl;'", "zxcvbnm,./"),
    "de": ("^1234567890ß´", "qwertzuiopü+#", "asdfghjklöä", "yxcvbnm,.-"),
    "fr": ("@&é\"'(§è!çà)-", "azertyuiop^$`", "qsdfghjklmù", "wxcvbn,;:="),
    "dvorak": ("`1234567890[]", "',.pyfgcrl/=\\", "aoeuidhtns-", ";qjkxbmwvz"),
    "ru": ("]1234567890-=", "йцукенгшщзхъё", "фывапролджэ", "ячсмитьбю/"),
}
_SHIFTED = {
    "us": ("~!@#$%^&*()_+", "QWERTYUIOP{}|", 'ASDFGHJKL:"', "ZXCVBNM<>?"),
    "de": ('°!"§$%&/()=?`', "QWERTZUIOPÜ*'", "ASDFGHJKLÖÄ", "YXCVBNM;:_"),
    "fr": ("#1234567890°_", "AZERTYUIOP¨*£", "QSDFGHJKLM%", "WXCVBN?./+"),
    "dvorak": ("~!@#$%^&*(){}", '"<>PYFGCRL?+|', "AOEUIDHTNS_", ":QJKXBMWVZ"),
    "ru": ('[!"№%:,.;()_+', "ЙЦУКЕНГШЩЗХЪЁ", "ФЫВАПРОЛДЖЭ", "ЯЧСМИТЬБЮ?"),
}
_OPTION = {
    "us": {0: "å", 1: "ß", 8: "ç", 31: "ø", 19: "™", 27: "–"},
    "de": {37: "@", 23: "[", 22: "]", 28: "{", 25: "}", 26: "|", 14: "€", 27: "¿", 47: "…"},
    "fr": {23: "{", 27: "}", 15: "®", 37: "¬", 14: "ê", 50: "•", 44: "≠"},
    "dvorak": {0: "å", 1: "ø", 7: "œ", 27: "“"},
    "ru": {0: "ƒ", 14: "ќ"},
}


def _table(layout: str) -> dict[tuple[int, bool, bool], str]:
    """By keycode, shift, option."""
    found: dict[tuple[int, bool, bool], str] = {}
    for shift, rows in ((False, _PLAIN[layout]), (True, _SHIFTED[layout])):
        for keycodes, characters in zip(_ROWS, rows, strict=True):
            found |= {(code, shift, False): c for code, c in zip(keycodes, characters, strict=True)}
        found[SPACE, shift, False] = " "
    return found | {(code, False, True): character for code, character in _OPTION[layout].items()}


def character(layout: str, keycode: int, shift: bool, option: bool) -> str:
    """What the key gives, empty when it gives nothing."""
    return _TABLES[layout].get((keycode, shift, option), "")


def key_for(layout: str, wanted: str) -> tuple[int, bool, bool] | None:
    """A key that gives the character, with shift and option."""
    return next((key for key, given in _TABLES[layout].items() if given == wanted), None)


_TABLES = {layout: _table(layout) for layout in _PLAIN}
