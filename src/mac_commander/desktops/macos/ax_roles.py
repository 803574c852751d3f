"""AX roles and subroles in ARIA's words: the tables list every one that AppKit, WebKit and Chromium use.

Sources: ``AXRoleConstants.h``; WebKit's ``AccessibilityObjectMac.mm`` and Chromium's ``ax_platform_node_mac`` for
what only pages have. A subrole that is listed says more than its role and wins.
"""

from __future__ import annotations

from collections.abc import Mapping

ROLES: Mapping[str, str] = {
    "AXApplication": "application", "AXSystemWide": "application",
    "AXWindow": "window", "AXSheet": "sheet", "AXDrawer": "drawer", "AXPopover": "popover",
    "AXGroup": "group", "AXSplitGroup": "splitgroup", "AXSplitter": "handle", "AXScrollArea": "scrollarea",
    "AXTabGroup": "tablist", "AXRadioGroup": "radiogroup", "AXToolbar": "toolbar", "AXMatte": "group",
    "AXLayoutArea": "canvas", "AXLayoutItem": "group", "AXGrowArea": "handle", "AXHandle": "handle",
    "AXRuler": "group", "AXRulerMarker": "handle", "AXPage": "group", "AXPageList": "group",
    "AXMenuBar": "menubar", "AXMenuBarItem": "menubaritem", "AXMenu": "menu", "AXMenuItem": "menuitem",
    "AXButton": "button", "AXMenuButton": "menubutton", "AXPopUpButton": "combobox", "AXCheckBox": "checkbox",
    "AXRadioButton": "radio", "AXDisclosureTriangle": "disclosure", "AXLink": "link", "AXColorWell": "colorwell",
    "AXDateField": "datefield", "AXTimeField": "datefield", "AXDateTimeArea": "datefield",
    "AXSwitch": "switch", "AXToggle": "togglebutton", "AXDockItem": "button",
    "AXTextField": "textfield", "AXTextArea": "textarea", "AXComboBox": "combobox", "AXSearchField": "searchbox",
    "AXSecureTextField": "textfield", "AXStaticText": "label", "AXHeading": "heading", "AXImage": "image",
    "AXImageMap": "image", "AXHelpTag": "tooltip", "AXListMarker": "label", "AXMathDocument": "label",
    "AXSlider": "slider", "AXIncrementor": "spinbutton", "AXScrollBar": "scrollbar", "AXValueIndicator": "handle",
    "AXBusyIndicator": "status", "AXProgressIndicator": "progressbar", "AXLevelIndicator": "meter",
    "AXRelevanceIndicator": "meter",
    "AXTable": "table", "AXOutline": "tree", "AXList": "list", "AXGrid": "grid", "AXBrowser": "tree",
    "AXRow": "row", "AXColumn": "column", "AXCell": "cell", "AXWebArea": "document", "AXUnknown": "unknown",
}  # fmt: skip

SUBROLES: Mapping[str, str] = {
    "AXDialog": "dialog", "AXSystemDialog": "dialog",
    "AXSearchField": "searchbox", "AXSecureTextField": "textfield",
    "AXSwitch": "switch", "AXToggle": "togglebutton", "AXToggleButton": "togglebutton", "AXTabButton": "tab",
    "AXSortButton": "columnheader", "AXOutlineRow": "treeitem", "AXTableRow": "row", "AXRatingIndicator": "slider",
    "AXIncrementArrow": "button", "AXDecrementArrow": "button", "AXIncrementPage": "button",
    "AXDecrementPage": "button", "AXTimeline": "slider", "AXTextLink": "link", "AXMeter": "meter",
    "AXLandmarkNavigation": "navigation", "AXLandmarkMain": "landmark", "AXLandmarkBanner": "landmark",
    "AXLandmarkComplementary": "landmark", "AXLandmarkContentInfo": "landmark", "AXLandmarkSearch": "landmark",
    "AXLandmarkRegion": "region", "AXLandmarkForm": "form", "AXTabPanel": "tabpanel", "AXFieldset": "group",
    "AXApplicationAlert": "alert", "AXApplicationAlertDialog": "dialog", "AXApplicationDialog": "dialog",
    "AXApplicationLog": "region", "AXApplicationStatus": "status", "AXApplicationTimer": "timer",
    "AXApplicationMarquee": "status", "AXApplicationGroup": "group", "AXWebApplication": "application",
    "AXDocument": "document", "AXDocumentArticle": "article", "AXDocumentNote": "region", "AXDocumentMath": "region",
    "AXUserInterfaceTooltip": "tooltip", "AXCodeStyleGroup": "code", "AXParagraph": "paragraph",
    "AXContentSeparator": "separator", "AXSummary": "disclosure", "AXDetails": "group", "AXEmptyGroup": "generic",
    "AXContentList": "list", "AXDescriptionList": "list", "AXDefinitionList": "list", "AXCollectionList": "list",
    "AXSectionList": "list", "AXTerm": "label", "AXDefinition": "label", "AXDecorative": "image",
}  # fmt: skip
"""Subroles that change nothing (``AXStandardWindow``, ``AXCloseButton``, Dock items, …) are left out: the role
says it all."""

PRESSABLE = frozenset(
    "AXButton AXMenuButton AXPopUpButton AXCheckBox AXRadioButton AXDisclosureTriangle AXLink AXMenuItem AXMenuBarItem "
    "AXComboBox AXSwitch AXToggle AXDockItem AXColorWell".split()
)
"""Roles whose objects have ``AXPress`` by AppKit's and the browsers' own implementations. Asking each element
would double the calls; one that lacks it answers so when pressed, and nothing happened."""

SETTABLE = frozenset("AXTextField AXTextArea AXComboBox AXSearchField AXSlider AXIncrementor AXSecureTextField".split())

VALUED = frozenset(
    "AXStaticText AXTextField AXTextArea AXComboBox AXSearchField AXCheckBox AXRadioButton AXPopUpButton AXSwitch "
    "AXToggle AXSlider AXIncrementor AXProgressIndicator AXLevelIndicator AXRelevanceIndicator AXDateField "
    "AXTimeField AXDateTimeArea AXDisclosureTriangle AXColorWell".split()
)
"""Roles whose value is worth a second call. It is never part of the first: only the first tells which fields
are secure."""

RANGED = frozenset("AXSlider AXIncrementor AXProgressIndicator AXLevelIndicator AXRelevanceIndicator".split())
TEXTUAL = frozenset("AXTextField AXTextArea AXComboBox AXSearchField AXSecureTextField".split())
TOGGLED = frozenset("AXCheckBox AXSwitch AXToggle AXDisclosureTriangle".split())

CHILDLESS = frozenset(
    "AXStaticText AXImage AXButton AXCheckBox AXRadioButton AXSlider AXTextField AXSecureTextField AXSearchField "
    "AXProgressIndicator AXBusyIndicator AXLevelIndicator AXRelevanceIndicator AXValueIndicator AXDisclosureTriangle "
    "AXColorWell AXHelpTag AXScrollBar AXSplitter".split()
)
"""What is below these is a part of them: ARIA's *children presentational*, and AppKit's cells of a field."""

MAY_BE_LONG = frozenset("AXScrollArea AXBrowser".split())
"""Their children (tables, outlines, pages) may have thousands of children: those are asked for in ranges."""


def word(role: str, subrole: str) -> str:
    return SUBROLES.get(subrole) or ROLES.get(role, "unknown")


def is_secure(role: str, subrole: str) -> bool:
    """A field whose value is a secret, by role or by subrole; either is used."""
    return "AXSecureTextField" in (role, subrole)
