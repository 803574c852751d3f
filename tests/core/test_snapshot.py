from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core.refs import RefTable
from mac_commander.core.screen_text import escaped, quoted, visible
from mac_commander.core.snapshot import bounded, changes, listing, shown
from mac_commander.model import App, Element, Rect, Snapshot, State, Window, WindowKind
from mac_commander.roles import INTERACTIVE

EDITOR = App(412, 1.0, "TextEdit", "com.apple.TextEdit")
WINDOW = Window(1, 412, "Untitled", Rect(100, 80, 640, 480), main=True)


def el(key: str, role: str, name: str = "", *, depth: int = 0, value: str | None = None, **more: object) -> Element:
    states = frozenset(more.pop("states", ()))  # type: ignore[call-overload]
    return Element(key, role, name, value, depth=depth, window=1, bounds=Rect(100, 100, 10, 10), states=states, **more)  # type: ignore[arg-type]


def lines(*elements: Element, table: RefTable | None = None, budget: int = 150, find: str | None = None) -> list[str]:
    return list(shown(listing(Snapshot(EDITOR, (WINDOW,), elements), table or RefTable()), budget, find).lines)


def test_the_lines_of_the_design() -> None:
    out = lines(
        el("a", "button", "Save"),
        el("b", "textarea", value='Ligne — "était"', settable=True, states={State.FOCUSED}),
        el("c", "checkbox", "Wrap lines", states={State.CHECKED}),
        el("d", "textfield", "Password", states={State.SECURE}),
        el("e", "button", "Publish", states={State.DISABLED}),
    )
    assert out == [
        'window "Untitled" main at 100,80 size 640x480',
        '  button "Save" [e1] 105,105',
        '  textarea [e2] 105,105 focused value="Ligne — \\"était\\""',
        '  checkbox "Wrap lines" [e3] 105,105 checked',
        '  textfield "Password" [e4] 105,105 secure',
        '  button "Publish" [e5] 105,105 disabled',
    ]


def test_containers_without_meaning_leave_no_gap() -> None:
    out = lines(
        el("a", "group", depth=0),
        el("b", "generic", "box", depth=1),
        el("c", "toolbar", "Main", depth=2),
        el("d", "button", "Go", depth=3),
        el("e", "button", "Stop", depth=1),
    )
    assert out[1:] == ['  toolbar "Main"', '    button "Go" [e1] 105,105', '  button "Stop" [e2] 105,105']


def test_nothing_is_said_twice() -> None:
    out = lines(
        el("a", "button", "Save"),
        el("b", "label", "Save", depth=1),
        el("c", "label", "Name"),
        el("d", "textfield", "Name"),
        el("e", "label", "Total"),
        el("f", "label", "Total"),
    )
    assert [line.strip() for line in out[1:]] == [
        'button "Save" [e1] 105,105', 'textfield "Name" [e2] 105,105', 'label "Total"', 'label "Total"',
    ]  # fmt: skip


def test_a_list_of_tabs_is_not_called_by_its_tab() -> None:
    out = lines(
        el("a", "tablist", "letter.txt"),
        el("b", "tab", "letter.txt", depth=1),
        el("c", "tablist", "Documents"),
        el("d", "tab", "one", depth=1),
    )
    assert [line.strip().split(" [")[0] for line in out[1:]] == ['tab "letter.txt"', 'tablist "Documents"', 'tab "one"']


def test_a_cell_says_where_it_is() -> None:
    out = lines(el("a", "rowheader", "3"), el("b", "cell", "Bern", cell=(3, 2), states={State.SELECTED}))
    assert out[1:] == ['  cell "Bern" [e1] 105,105 selected row 3 column 2']


def test_the_text_of_a_label_is_what_it_is_called() -> None:
    out = lines(el("a", "label", value="Page 1 of 1"), el("b", "heading", "x" * 150), el("c", "button", "y" * 150))
    assert out[1:] == ['  label "Page 1 of 1"', f'  heading "{"x" * 150}"', f'  button "{"y" * 100}…" [e1] 105,105']


def test_a_row_says_its_cells_once() -> None:
    out = lines(
        el("a", "row", "Apple | 1.20 | "),
        el("b", "cell", "Apple", depth=1),
        el("c", "label", "Apple", depth=2),
        el("d", "cell", "1.20", depth=1),
        el("e", "cell", "", depth=1, states={State.SELECTED}),
        el("f", "checkbox", "Paid", depth=2),
        el("x", "textfield", value="1.20", depth=1, settable=True),
        el("y", "textfield", value="", depth=1, settable=True),
        el("g", "listitem", "Second link"),
        el("h", "label", "Second", depth=1),
        el("i", "link", "link", depth=1),
    )
    assert [line.strip() for line in out[1:]] == [
        'row "Apple | 1.20 | " [e1] 105,105', 'cell [e2] 105,105 selected', 'checkbox "Paid" [e3] 105,105',
        'textfield [e4] 105,105', 'listitem "Second link" [e5] 105,105', 'link "link" [e6] 105,105',
    ]  # fmt: skip


def test_what_is_scrolled_away_is_counted_not_listed() -> None:
    rows = [el(str(i), "row", f"r{i}", states={State.OFFSCREEN} if i > 2 else ()) for i in range(10)]
    full = listing(Snapshot(EDITOR, (WINDOW,), tuple(rows)), RefTable())
    assert (full.total, full.offscreen) == (3, 7)


def test_the_budget_goes_to_the_dialog_and_the_focused_window_first() -> None:
    other, dialog = replace(WINDOW, id=2, main=False), replace(WINDOW, id=3, kind=WindowKind.DIALOG, main=False)
    elements = [replace(el(f"{w}{i}", "button", f"{w} {i}"), window=w) for w in (2, 1, 3) for i in range(3)]
    full = listing(Snapshot(EDITOR, (other, WINDOW, dialog), tuple(elements)), RefTable())
    assert [line.split()[1:3] for line in shown(full, 5).lines if line.startswith("  ")] == [
        ['"1', '0"'], ['"1', '1"'], ['"3', '0"'], ['"3', '1"'], ['"3', '2"'],
    ]  # fmt: skip


def test_the_budget_counts_elements_and_tells() -> None:
    part = shown(
        listing(Snapshot(EDITOR, (WINDOW,), tuple(el(str(i), "button", str(i)) for i in range(9))), RefTable()), 4
    )
    assert (part.elements, part.total, len(part.lines)) == (4, 9, 5)


def test_find_wants_all_words_in_role_label_or_value() -> None:
    elements = (
        el("a", "button", "Save file"),
        el("b", "button", "Open file"),
        el("c", "textfield", "x", value="save file"),
    )
    assert [x.strip()[:6] for x in lines(*elements, find="FILE save")[1:]] == ["button", "textfi"]
    assert lines(*elements, find="button open")[1:] == ['  button "Open file" [e2] 105,105']


def test_a_long_value_is_cut_with_its_length() -> None:
    out = lines(el("a", "textarea", value="x" * 200, value_length=2_000_000, settable=True))
    assert out[1].endswith(f'value="{"x" * 200}" (2000000 chars)')


def test_changes_by_ref() -> None:
    table = RefTable()

    def look(*elements: Element, window: Window = WINDOW) -> object:
        return listing(Snapshot(EDITOR, (window,), elements), table)

    before = look(el("a", "checkbox", "Wrap"), el("b", "button", "Old"))
    after = look(el("a", "checkbox", "Wrap", states={State.CHECKED}), el("c", "button", "New"))
    assert changes(before, after) == [  # type: ignore[arg-type]
        '+ button "New" [e3] 105,105',
        '~ checkbox "Wrap" [e1] 105,105 checked',
        '- button "Old" [e2]',
    ]
    assert changes(after, after) == []  # type: ignore[arg-type]


def test_a_moved_window_is_one_change() -> None:
    table = RefTable()
    before = listing(Snapshot(EDITOR, (WINDOW,), (el("a", "button", "Go"),)), table)
    moved = Window(1, 412, "Untitled", Rect(200, 80, 640, 480), main=True)
    after = listing(
        Snapshot(EDITOR, (moved,), (Element("a", "button", "Go", window=1, bounds=Rect(9, 9, 2, 2)),)), table
    )
    assert changes(before, after) == ['~ window "Untitled" main at 200,80 size 640x480']


def test_changes_are_bounded_and_say_so() -> None:
    assert bounded([str(i) for i in range(50)]) == [
        *(str(i) for i in range(19)),
        "… 31 more: see lists everything",
    ]


def test_an_empty_popup_is_not_listed() -> None:
    tip = Window(2, 412, "", Rect(0, 0, 5, 5), WindowKind.POPUP)
    assert lines() == list(shown(listing(Snapshot(EDITOR, (WINDOW, tip), ()), RefTable()), 9).lines)


@pytest.mark.parametrize(
    ("text", "shown_as"),
    [
        ('a"b\\c', 'a\\"b\\\\c'),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\u2028\u202e\x1b[31m\x00", "\\u2028\\u202e\\u001b[31m\\u0000"),
        ("\ud83d", "\\ud83d"),
        ("é — 🙂 👨\u200d👩", "é — 🙂 👨\u200d👩"),
        ("\u00a0", "\\u00a0"),
    ],
)
def test_screen_text_is_written_out(text: str, shown_as: str) -> None:
    assert escaped(text) == shown_as


def test_a_value_of_its_own_keeps_its_quotes() -> None:
    """JSON escapes those itself."""
    assert visible('"été"\\\n\u202e') == '"été"\\\\n\\u202e'


@given(st.text(max_size=300), st.text(max_size=300), st.sampled_from(sorted(INTERACTIVE)))
def test_whatever_the_screen_says_an_element_is_one_line_of_utf8(name: str, value: str, role: str) -> None:
    out = lines(el("a", role, name, value=value, settable=True))
    assert len(out) == 2
    assert len("\n".join(out).splitlines()) == 2
    "\n".join(out).encode("utf-8")


@given(st.text())
def test_a_label_cannot_forge_a_ref(name: str) -> None:
    assert not quoted(name + '" [e99]').endswith('" [e99]')


def test_a_window_that_closed_is_one_line_of_changes() -> None:
    dialog = Window(2, 412, "Save", Rect(200, 200, 300, 150), WindowKind.DIALOG)
    table, button = RefTable(), el("a", "button", "Save")
    asked = [replace(el(key, "button", name), window=2) for key, name in (("x", "Cancel"), ("y", "OK"))]
    before = listing(Snapshot(EDITOR, (dialog, WINDOW), (*asked, button, el("b", "label", "Old"))), table)
    after = listing(Snapshot(EDITOR, (WINDOW,), (button,)), table)
    assert changes(before, after) == ['- dialog "Save"', '- label "Old"']


def test_what_was_made_again_as_it_was_is_one_line_of_changes() -> None:
    """Qt makes the cells of a tree anew at every look; their refs are new, and that is all that is."""
    table = RefTable()
    looks = [tuple(el(f"{look}{n}", "cell", f"file {n // 2}") for n in range(8)) for look in "ab"]
    old, new = (listing(Snapshot(EDITOR, (WINDOW,), cells), table) for cells in looks)
    assert changes(old, new) == ["~ 8 elements were made again as they were and have new refs: see lists them"]
    few = listing(Snapshot(EDITOR, (WINDOW,), (el("c", "cell", "file 0"), el("d", "cell", "other"))), table)
    assert changes(listing(Snapshot(EDITOR, (WINDOW,), (el("e", "cell", "file 0"),)), table), few) == [
        '+ cell "file 0" [e17] 105,105', '+ cell "other" [e18] 105,105', '- cell "file 0" [e19]',
    ]  # fmt: skip


def test_a_cell_of_an_icon_and_a_text_is_one_line() -> None:
    """GTK 3's file chooser: the cell has a cell for each."""
    row = {State.SELECTED}
    out = lines(
        el("a", "cell", "letter.txt", states=row, cell=(3, 1)),
        el("b", "cell", depth=1, states=row),
        el("c", "cell", "letter.txt", depth=1, states=row),
        el("d", "cell", cell=(3, 2)),
    )
    assert out[1:] == ['  cell "letter.txt" [e1] 105,105 selected row 3 column 1', "  cell [e2] 105,105 row 3 column 2"]
