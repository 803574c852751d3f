"""Accessibility strings that no PyObjC version has a constant for, each once.

Checked against the metadata of 12.2.2 and 13.0: none of these is exported by a framework. They are what
AppKit, WebKit and Chromium answer to on the wire.
"""

from __future__ import annotations

MANUAL_ACCESSIBILITY = "AXManualAccessibility"
"""Electron's own switch, set on the app element (electron #38102)."""

ENHANCED_USER_INTERFACE = "AXEnhancedUserInterface"
"""VoiceOver's flag: while it is on, window moves are animated and end elsewhere (Rectangle #912)."""

SCROLL_TO_VISIBLE = "AXScrollToVisible"
REQUIRED = "AXRequired"
INVALID = "AXInvalid"
SHEETS = "AXSheets"
"""A list of a window's sheets, on windows that have it."""

SECURE_TEXT_FIELD = "AXSecureTextField"

IDENTIFIER_WORD_AUTOFILL = "autofill"
