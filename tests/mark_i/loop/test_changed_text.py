"""A text that stands in the place of another one proves a correction, where the program or the screen shows it."""

from dataclasses import replace
from typing import Any

import pytest

from mark_i.loop.evidence import checked, objections
from mark_i.loop.facts import SeenBefore
from tests.mark_i.loop.known_facts import did, facts, typed
from toolbelt.elements import Element
from world_model import Observation, Region, ScreenChange

WAS, NOW = "Guests\nAnn\nBen\nCleo", "Guests\nAnn\nCleo"
SAID = {"text": NOW, "was": WAS}


def field(text: str) -> Element:
    return Element("textbox", Region(0, 0, 100, 20), holds=text, said=True)


def worth(piece: dict[str, str], before: str, now: str, goal: str = "drop Ben", *, computed: bool = True) -> Any:
    """What the piece is worth, where a program says what its text was and what it is now."""
    known = facts(goal, did("press", keys="backspace"), said=lambda: (field(now),))
    known = replace(known, before=SeenBefore(fields=(before,)))
    [(_, verdict)] = checked([piece], known, "", "deed", computed=computed)
    return verdict


@pytest.mark.parametrize(
    ("before", "now", "good"),
    [
        (WAS, NOW, True),
        (f"Notes of May\n{WAS}\nBye", f"Notes of May\n{NOW}\nBye", True),
        (WAS, WAS, False),  # nothing was removed
        (NOW, NOW, False),  # it was so before
        (WAS, "Guests\nAnn\n\nCleo", False),
        (WAS, "Guests\nAnn\ncleo", False),
        (f"{WAS}\nBye", NOW, False),  # more was removed than that
    ],
)
def test_a_text_must_be_what_was_meant_letter_by_letter(before: str, now: str, *, good: bool) -> None:
    assert worth(SAID, before, now).proves is good


def test_a_program_that_says_another_text_is_believed() -> None:
    verdict = worth(SAID, WAS, "Guests\nAnn")

    assert verdict.wrong
    assert verdict.reason == "The program says that its text is not what was meant. Look at the text itself."


@pytest.mark.parametrize(("goal", "good"), [("drop Ben", True), ("delete the tea", False)])
def test_a_model_must_have_changed_what_the_goal_names(goal: str, *, good: bool) -> None:
    assert worth({"text": "", "was": "Ben\n"}, WAS, NOW, goal, computed=False).proves is good


@pytest.mark.parametrize(
    ("before", "now", "reason"),
    [
        (WAS, NOW, ""),
        (WAS, WAS, 'It could not be seen whether "Ben" is gone. Look at the text itself.'),
        (WAS, "", '"Cleo" could not be read on the screen. Look at the text itself.'),
    ],
)
def test_a_program_that_says_nothing_is_read_line_by_line(before: str, now: str, reason: str) -> None:
    known = facts("drop Ben", did("press", keys="backspace"), screen=now.split("\n"), before=before.split("\n"))
    [(_, verdict)] = checked([SAID], known, "", "deed", computed=True)

    assert (verdict.proves, verdict.reason) == (not reason, reason)


@pytest.mark.parametrize(("appeared", "good"), [(("list.txt", "Ben", "Cleo"), True), (("list.txt", "Cleo"), False)])
def test_a_text_that_the_run_opened_itself_was_there_before_the_change(
    appeared: tuple[str, ...], *, good: bool
) -> None:
    screen = ScreenChange(changed=True, appeared=appeared)
    opened = ("open_app", {"name": "editor"}, Observation(ok=True, text="", screen=screen))
    known = facts("open list.txt and drop Ben", opened, did("press", keys="backspace"), screen=NOW.split("\n"))
    [(_, verdict)] = checked([SAID], known, "", "deed", computed=True)

    assert verdict.proves is good


@pytest.mark.parametrize(("shown", "good"), [("Cleo\nGuests", True), ("Guests\nCleo", False), ("Cleo", False)])
def test_a_new_order_is_read_line_by_line(shown: str, *, good: bool) -> None:
    known = facts("swap them", did("press", keys="up"), screen=shown.split("\n"), before=("Guests", "Cleo"))
    piece = {"text": "Cleo\nGuests", "was": "Guests\nCleo"}

    assert checked([piece], known, "", "deed", computed=True)[0][1].proves is good


@pytest.mark.parametrize(("title", "good"), [("list.txt - Mousepad", True), ("*list.txt - Mousepad", False)])
def test_what_was_to_be_saved_is_not_done_while_its_window_says_otherwise(title: str, *, good: bool) -> None:
    screen = ScreenChange(changed=True, was_in_front="*list.txt - Mousepad")
    save = ("press", {"keys": "ctrl+s"}, Observation(ok=True, text="", screen=screen))
    known = facts("write tea and save it", typed("tea"), save, titles=(title,), screen=("tea",))

    assert [*objections([], known, kind="deed")] == ([] if good else [f'"{title}" is not saved.'])


def test_lines_that_were_typed_are_no_word_together() -> None:
    steps = typed("Dinner"), did("press", keys="enter"), typed("Meet 19 May at 7:30")
    known = facts(
        'type "Dinner", press enter, type "Meet 19 May at 7:30"', *steps, screen=("Dinner", "Meet 19 May at 7:30")
    )

    assert not [*objections([], known, kind="deed")]
    assert known.typed[-1] == "Dinner\nMeet 19 May at 7:30"
