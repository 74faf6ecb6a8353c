"""A text that is wrapped over several lines is found, and a label that is wrapped names its box."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.lines import Line, Word
from toolbelt.ocr.text_match import Match, find
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Point, Region

APP = Path(__file__).parents[2] / "apps" / "wrapped_tk.py"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
LETTER, HEIGHT = 10, 20


def line(text: str, x: int, y: int) -> Line:
    """A line as it is read, each letter ten pixels wide."""
    words, at = [], x
    for word in text.split(" "):
        words.append(Word(word, Region(at, y, len(word) * LETTER, HEIGHT)))
        at += (len(word) + 1) * LETTER
    return Line(text, Region(x, y, len(text) * LETTER, HEIGHT), tuple(words))


def found(wanted: str, *lines: Line) -> list[Match]:
    return find(wanted, lines)


def test_a_label_over_two_lines_is_found_with_all_of_its_place() -> None:
    [place] = found(
        "Save all changes", line("Save all", 100, 100), line("changes", 105, 122), line("Discard", 300, 100)
    )

    assert (place.name, place.point) == ("Save all changes", Point(140, 110))
    assert place.region == Region(100, 100, 80, 42)


def test_a_line_that_was_read_as_two_is_found() -> None:
    [place] = found("Responsible: Tamara Weber", line("Responsible:", 100, 100), line("Tamara Weber", 222, 101))

    assert (place.name, place.region) == ("Responsible: Tamara Weber", Region(100, 100, 242, 21))


def test_two_entries_of_a_row_are_no_line() -> None:
    assert found("Save As", line("Save", 100, 100), line("As", 160, 100)) == []


def test_a_text_over_three_lines_is_found() -> None:
    lines = line("one two", 0, 0), line("three four", 0, 22), line("five", 0, 44)

    [place] = found("two three four five", *lines)

    assert (place.name, place.region) == ("two three four five", Region(40, 0, 30, 20))


def test_a_text_around_the_break_of_a_paragraph_is_found_where_it_starts() -> None:
    [place] = found("terms of use", line("Read the terms", 0, 0), line("of use, then sign.", 0, 22))

    assert (place.name, place.region) == ("terms of use,", Region(90, 0, 50, 20))


@pytest.mark.parametrize(
    "second",
    [line("changes", 100, 126), line("changes", 300, 122), line("all changes", 100, 122), line("change", 100, 122)],
)
def test_what_is_far_below_or_elsewhere_is_another_text(second: Line) -> None:
    assert found("Save all changes", line("Save all", 100, 100), second) == []


@pytest.mark.parametrize(
    ("wanted", "first", "second"),
    [
        ("Delete account", "Delete", "Account settings"),
        ("Open file", "Open", "File manager"),
        ("Update", "We follow up", "date and time"),
        ("12", "1", "2"),
        ("1 2", "1", "2"),
        ("Order 12", "Order", "12"),
    ],
)
def test_entries_of_a_list_are_no_wrapped_text(wanted: str, first: str, second: str) -> None:
    assert found(wanted, line(first, 0, 0), line(second, 0, 22)) == []


def test_a_line_that_goes_on_in_another_column_is_no_end() -> None:
    lines = line("Save all", 0, 0), line("chan", 0, 22), line("changes", 5, 22)

    assert [place.name for place in found("Save all changes", *lines)] == ["Save all changes"]


def test_the_text_in_one_line_is_preferred() -> None:
    [place] = found("Save all", line("Save", 0, 0), line("all", 0, 22), line("Save all", 300, 0))

    assert place.point == Point(340, 10)


@pytest.fixture
def use(desktop: VirtualDesktop, control: Control) -> Callable[..., Any]:
    """Use a tool in the window with the wrapped labels; what its title says then."""
    desktop.launch([sys.executable, str(APP)])
    eyes = Eyes(desktop, control)
    assert eyes.until(lambda lines: find("Remember me", lines), CAP_S)
    tools = standard_toolbelt(eyes)

    def done(tool: str, target: object) -> str:
        observation = tools.call(Action(tool, {"target": target}), control).observation
        assert observation.ok, observation
        assert control.until(lambda: desktop.windows()[-1].title != "Wrapped", CAP_S)
        return desktop.windows()[-1].title

    return done


@pytest.mark.parametrize(
    ("tool", "target", "used"),
    [
        ("click", "Save all changes", "save"),
        ("click", {"text": "Discard all changes", "role": "button"}, "discard"),
        ("tick", "Send me the weekly letter about new offers and old friends", "letter"),
        ("tick", "Remember me", "remember"),
    ],
)
def test_what_has_a_wrapped_label_is_used(use: Callable[..., str], tool: str, target: object, used: str) -> None:
    assert use(tool, target) == f"used {used}"
