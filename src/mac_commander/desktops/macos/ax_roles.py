"""AX roles and subroles in ARIA's words: the tables list every one that AppKit, WebKit and Chromium use.

Sources: ``AXRoleConstants.h``; WebKit's ``AccessibilityObjectMac.mm`` and Chromium's ``ax_platform_node_mac`` for
what only pages have. A subrole that is listed says more than its role and wins.
"""

from __future__ import annotations

from collections.abc import Mapping

from mac_commander.desktops.macos import ax_names

ROLES: Mapping[str, str] = {
    "AXApplication": "application", "AXSystemWide": "application",
    "AXWindow": "window", "AXSheet": "sheet", "AXDrawer": "drawer", "AXPopover": "popover",
    "AXGroup": "group", "AXSplitGroup": "splitgroup", "AXSplitter": "handle", "AXScrollArea": "scrollarea",
    "AXTabGroup": "tablist", "AXRadioGroup": "radiogroup", "AXToolbar": "toolbar", "AXMatte": "group",
    "AXLayoutArea": "canvas", "AXLayoutItem": "group", "AXGrowArea": "handle", "AXHandle": "handle",
    "AXRuler": "group", "AXRulerMarker": "handle",
    "AXMenuBar": "menubar", "AXMenuBarItem": "menuitem", "AXMenu": "menu", "AXMenuItem": "menuitem",
    "AXButton": "button", "AXMenuButton": "menubutton", "AXPopUpButton": "combobox", "AXCheckBox": "checkbox",
    "AXRadioButton": "radio", "AXDisclosureTriangle": "disclosure", "AXColorWell": "colorwell",
    "AXDateField": "datefield", "AXTimeField": "datefield", "AXDockItem": "button",
    "AXTextField": "textfield", "AXTextArea": "textarea", "AXComboBox": "combobox", "AXStaticText": "label",
    "AXSecureTextField": "textfield", "AXSearchField": "searchbox", "AXSwitch": "switch", "AXToggle": "togglebutton",
    "AXHeading": "heading", "AXImage": "image", "AXImageMap": "image", "AXHelpTag": "tooltip",
    "AXSlider": "slider", "AXIncrementor": "spinbutton", "AXScrollBar": "scrollbar", "AXValueIndicator": "handle",
    "AXBusyIndicator": "status", "AXProgressIndicator": "progressbar", "AXLevelIndicator": "meter",
    "AXRelevanceIndicator": "meter",
    "AXTable": "table", "AXOutline": "tree", "AXList": "list", "AXGrid": "grid", "AXBrowser": "tree",
    "AXRow": "row", "AXColumn": "column", "AXCell": "cell", "AXUnknown": "unknown",
    **ax_names.ROLES,
}  # fmt: skip

SUBROLES: Mapping[str, str] = {
    "AXDialog": "dialog", "AXSystemDialog": "dialog",
    "AXSearchField": "searchbox", "AXSecureTextField": "textfield", "AXSwitch": "switch", "AXToggle": "togglebutton",
    "AXSortButton": "columnheader", "AXOutlineRow": "treeitem", "AXTableRow": "row", "AXRatingIndicator": "slider",
    "AXIncrementArrow": "button", "AXDecrementArrow": "button", "AXIncrementPage": "button",
    "AXDecrementPage": "button", "AXTimeline": "slider", "AXMeter": "meter", "AXFileUploadButton": "button",
    "AXLandmarkNavigation": "navigation", "AXLandmarkMain": "landmark", "AXLandmarkBanner": "landmark",
    "AXLandmarkComplementary": "landmark", "AXLandmarkContentInfo": "landmark", "AXLandmarkSearch": "landmark",
    "AXLandmarkRegion": "region", "AXTabPanel": "tabpanel", "AXFieldset": "group",
    "AXApplicationAlert": "alert", "AXApplicationAlertDialog": "dialog", "AXApplicationDialog": "dialog",
    "AXApplicationLog": "region", "AXApplicationStatus": "status", "AXApplicationTimer": "timer",
    "AXApplicationMarquee": "status", "AXApplicationGroup": "group", "AXWebApplication": "application",
    "AXDocumentArticle": "article", "AXDocumentNote": "region", "AXDocumentMath": "region",
    "AXUserInterfaceTooltip": "tooltip", "AXCodeStyleGroup": "code", "AXTimeGroup": "group",
    "AXSummary": "disclosure", "AXDetails": "group", "AXEmptyGroup": "generic", "AXProcessSwitcherList": "list",
    "AXContentList": "list", "AXDescriptionList": "list", "AXDefinitionList": "list", "AXTerm": "label",
    "AXDefinition": "label", "AXDecorative": "image", "AXSeparatorDockItem": "separator",
    **ax_names.SUBROLES,
}  # fmt: skip

SAYS_NO_MORE = frozenset(
    "AXStandardWindow AXFloatingWindow AXSystemFloatingWindow AXUnknown AXCloseButton AXMinimizeButton AXZoomButton "
    "AXFullScreenButton AXToolbarButton AXApplicationDockItem AXDocumentDockItem AXFolderDockItem "
    "AXMinimizedWindowDockItem AXURLDockItem AXDockExtraDockItem AXTrashDockItem AXAudio AXVideo "
    "AXDeleteStyleGroup AXInsertStyleGroup AXSubscriptStyleGroup AXSuperscriptStyleGroup AXRubyInline AXRubyText "
    "AXMathFenceOperator AXMathFenced AXMathFraction AXMathIdentifier AXMathMultiscript AXMathNumber AXMathOperator "
    "AXMathRoot AXMathRow AXMathSeparatorOperator AXMathSquareRoot AXMathSubscriptSuperscript AXMathTableCell "
    "AXMathTableRow AXMathTable AXMathText AXMathUnderOver".split()
)
"""Subroles that change nothing: the role is the better word."""

PRESSABLE = frozenset(
    "AXButton AXMenuButton AXPopUpButton AXCheckBox AXRadioButton AXDisclosureTriangle AXMenuItem AXMenuBarItem "
    "AXComboBox AXDockItem AXColorWell".split()
) | {ax_names.LINK, "AXSwitch", "AXToggle"}
"""Roles whose objects have ``AXPress`` by AppKit's and the browsers' own implementations. Asking each element
would double the calls; one that lacks it answers so when pressed, and nothing happened."""

TEXTUAL = frozenset(("AXTextField", "AXTextArea", "AXComboBox", "AXSearchField", "AXSecureTextField"))
RANGED = frozenset("AXSlider AXIncrementor AXProgressIndicator AXLevelIndicator AXRelevanceIndicator".split())
TOGGLED = frozenset(("AXCheckBox", "AXDisclosureTriangle", "AXSwitch", "AXToggle"))
SETTABLE = TEXTUAL | {"AXSlider", "AXIncrementor"}

VALUED = (
    (TEXTUAL - {"AXSecureTextField"})
    | RANGED
    | TOGGLED
    | frozenset("AXStaticText AXRadioButton AXPopUpButton AXDateField AXTimeField AXColorWell".split())
    | {ax_names.LIST_MARKER, ax_names.DATE_TIME_AREA}
)
"""Roles whose value is worth a second call. It is never part of the first: only the first tells which fields
are secure."""

CHILDLESS = frozenset(
    "AXStaticText AXImage AXButton AXCheckBox AXRadioButton AXSlider AXTextField AXProgressIndicator AXBusyIndicator "
    "AXLevelIndicator AXRelevanceIndicator AXValueIndicator AXDisclosureTriangle AXColorWell AXHelpTag AXScrollBar "
    "AXSplitter".split()
) | {"AXSecureTextField", "AXSearchField"}
"""What is below these is a part of them: ARIA's *children presentational*, and AppKit's cells of a field."""

MAY_BE_LONG = frozenset(("AXScrollArea", "AXBrowser"))
"""Their children (tables, outlines, pages) may have thousands of children: those are asked for in ranges."""


def word(role: str, subrole: str) -> str:
    return SUBROLES.get(subrole) or ROLES.get(role, "unknown")


def is_secure(role: str, subrole: str) -> bool:
    """A field whose value is a secret, by role or by subrole; either is used."""
    return "AXSecureTextField" in (role, subrole)
