"""A four-function pocket calculator, exact in decimals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation

DIGITS = 12
"""As many as the display shows."""

_OPERATIONS: dict[str, Callable[[Decimal, Decimal], Decimal]] = {
    "+": lambda a, b: a + b,
    "−": lambda a, b: a - b,
    "×": lambda a, b: a * b,
    "÷": lambda a, b: a / b,
}


@dataclass
class Calculator:
    shown: str = "0"
    _left: Decimal = Decimal(0)
    _operation: str = ""
    _fresh: bool = True
    """The next digit begins a new number."""

    def press(self, key: str) -> None:
        if key in tuple("0123456789."):
            self._digit(key)
        elif key in _OPERATIONS:
            self._finish()
            self._operation, self._fresh = key, True
        elif key == "=":
            self._finish()
            self._operation = ""
        elif key in ("AC", "C"):
            self.shown, self._left, self._operation, self._fresh = "0", Decimal(0), "", True
        elif key == "±":
            self.shown = _text(-self._number)
        elif key == "%":
            self.shown = _text(self._number / 100)

    @property
    def _number(self) -> Decimal:
        try:
            return Decimal(self.shown)
        except InvalidOperation:
            return Decimal(0)

    def _digit(self, digit: str) -> None:
        if self._fresh:
            self.shown, self._fresh = "0", False
        if digit == "." and "." in self.shown:
            return
        grown = self.shown + digit
        self.shown = grown.lstrip("0") or "0" if digit != "." and "." not in grown else grown
        self.shown = self.shown[:DIGITS]

    def _finish(self) -> None:
        try:
            self._left = _OPERATIONS[self._operation](self._left, self._number) if self._operation else self._number
            self.shown = _text(self._left)
        except (DivisionByZero, InvalidOperation):
            self.shown = "Not a number"
        self._fresh = True


def _text(number: Decimal) -> str:
    rounded = round(number, DIGITS - 2).normalize()
    return f"{rounded:f}"
