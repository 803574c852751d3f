"""Accessibility strings that no PyObjC version has a constant for, each once.

Checked against the metadata of 12.2.2 and 13.0: none of these is exported by a framework. They are what
AppKit, WebKit and Chromium answer to on the wire.
"""

from __future__ import annotations

from collections.abc import Mapping

MANUAL_ACCESSIBILITY = "AXManualAccessibility"
"""Electron's own switch, set on the app element (electron #38102)."""

ENHANCED_USER_INTERFACE = "AXEnhancedUserInterface"
"""VoiceOver's flag: while it is on, window moves are animated and end elsewhere (Rectangle #912)."""

SCROLL_TO_VISIBLE = "AXScrollToVisible"
REQUIRED = "AXRequired"

ROLES: Mapping[str, str] = {
    "AXLink": "link",
    "AXWebArea": "document",
    "AXListMarker": "label",
    "AXDateTimeArea": "datefield",
    "AXPage": "group",
    "AXPageList": "group",
    "AXMathDocument": "region",
}
"""Roles without a constant, in ARIA's words: what pages have (WebKit, Chromium), and newer AppKit."""

SUBROLES: Mapping[str, str] = {
    "AXTabButton": "tab",
    "AXToggleButton": "togglebutton",
    "AXTextLink": "link",
    "AXParagraph": "paragraph",
    "AXContentSeparator": "separator",
    "AXLandmarkForm": "form",
    "AXCollectionList": "list",
    "AXSectionList": "list",
}
"""Subroles without a constant, likewise."""

LINK, LIST_MARKER, DATE_TIME_AREA = "AXLink", "AXListMarker", "AXDateTimeArea"
