"""The accessibility errors that a call can end with, by their names in AXError.h."""

from __future__ import annotations

SUCCESS = 0
FAILURE = -25200
ILLEGAL_ARGUMENT = -25201
INVALID_ELEMENT = -25202
CANNOT_COMPLETE = -25204
ATTRIBUTE_UNSUPPORTED = -25205
ACTION_UNSUPPORTED = -25206
NOTIFICATION_ALREADY_REGISTERED = -25209
NOTIFICATION_NOT_REGISTERED = -25210
API_DISABLED = -25211
NO_VALUE = -25212
PARAMETERIZED_ATTRIBUTE_UNSUPPORTED = -25213


class AXFailure(Exception):
    """Ends a call with this error."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code
