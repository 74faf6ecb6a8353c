"""The log of a run: what of it is listed, found and copied, as values and in the window with mouse and keyboard."""

import contextlib
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from hypothesis import given, strategies as st

from gui.log.card_filter import FILTERS, LogListing, next_hit, with_cards, with_filter, with_words
from gui.log.card_parts import Part, has_details, parts_of, text_of, title_of, words_of
from gui.log.thumbnail_thread import KEPT_IMAGES, Thumbnails
from gui.run.state import Card, EndCard, NoticeCard, PersonCard, RunState, StepCard
from gui.run.update import reduce
from mark_i import Event
from mark_i.runs.step_images import Shot
from tests.gui.opened_window import CAP_S, Window
from tests.support import action, script
from toolbelt.control import Control
from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import Match, find
from world_model import Action, Frame, Journal, Observation, Point, ScreenChange, Size, Step, Thought, Usage

SCREEN_SIZE: Final = Size(1000, 900)
DONE = StepCard(
    1, "Save it.", 'click(target="Save")', ok=True, observation="Clicked.", changed=True, sentence='Click on "Save"'
)
FAILED = StepCard(
    2, "Again.", "press()", ok=False, observation="It moved.", code="STALE_TARGET", hints="Look.", sentence="Press"
)
STILL = StepCard(3, "Wait.", "wait()", ok=True, observation="Saved it is.", change="Nothing changed on the screen.")
NOTICE = NoticeCard("The model was busy.")
SAID = PersonCard("No, the other file")
END = EndCard("done", "Done", "All is saved.", ("Verified: text: Saved",))
CARDS: tuple[Card, ...] = (DONE, FAILED, STILL, NOTICE, END)


def listing(cards: tuple[Card, ...] = CARDS) -> LogListing:
    return with_cards(LogListing(), cards)


# What a card says ---------------------------------------------------------------------------------------------------


def test_a_step_tells_its_time_its_tokens_and_its_cost() -> None:
    spent = StepCard(3, ok=True, seconds=1.24, usage=Usage(1890, 64, 0.0011))
    assert title_of(spent) == "STEP 3 · 1.2 s · 1,954 tokens · 0.0011 USD"
    assert title_of(StepCard(3, ok=True, usage=Usage(1, 1, None))) == "STEP 3 · 0.0 s · 2 tokens · cost unknown"
    assert title_of(StepCard(3)) == "STEP 3"


def test_what_a_step_has_spent_comes_with_its_event() -> None:
    step = Step(1, Thought("So."), Action("press", {}), Observation(ok=True, text=""), usage=Usage(10, 2, 0.5))
    (card,) = reduce(RunState(running=True), Event("step", 1.0, step.to_dict())).cards
    assert isinstance(card, StepCard)
    assert (card.usage, card.changed) == (Usage(10, 2, 0.5), False)


def test_a_failed_step_says_its_code_and_its_hint() -> None:
    assert parts_of(FAILED)[1:] == (
        Part("Again.", "Thought"),
        Part("Press", "Action", tone="busy"),
        Part("press()", "Call", "code"),
        Part("STALE_TARGET: It moved.", "Error", tone="failed"),
        Part("Look.", "Hint", "small"),
    )


def test_a_card_is_copied_as_it_reads() -> None:
    assert text_of(DONE).splitlines() == [
        "STEP 1 · 0.0 s",
        "Thought: Save it.",
        'Action: Click on "Save"',
        'Call: click(target="Save")',
        "Observation: Clicked.",
    ]
    assert text_of(SAID) == "You: No, the other file"
    assert text_of(NOTICE) == "The model was busy."
    assert text_of(END) == "Done\nAll is saved.\nVerified: text: Saved"


@pytest.mark.parametrize("card", [*CARDS, SAID])
def test_a_search_looks_through_all_that_is_said(card: Card) -> None:
    words = words_of(card)
    for part in parts_of(card):
        assert part.kind == "head" or all(piece in words for piece in part.text.split(": "))


# What is listed and found -------------------------------------------------------------------------------------------


def test_changes_and_errors_are_listed_alone() -> None:
    all_cards = listing((*CARDS, SAID))
    assert [with_filter(all_cards, filter_).indices for filter_ in FILTERS] == [(0, 1, 2, 3, 4, 5), (0,), (1, 3)]
    stopped = listing((DONE, EndCard("stopped", "Stopped", "")))
    assert with_filter(stopped, "Errors").indices == (1,)


def test_words_are_found_in_any_case_and_counted() -> None:
    found = with_words(listing(), "sAVe")
    assert (found.hits, found.at, found.counted) == ((0, 2, 4), None, "3 cards")
    assert with_words(found, "busy").counted == "1 card"
    assert with_words(found, "nowhere").counted == "no matches"
    assert with_words(found, "").counted == ""


def test_the_search_goes_from_hit_to_hit_round_the_ends() -> None:
    found = with_words(listing(), "save")
    assert [next_hit(found, 1, seen).at for seen in (0, 1, 3)] == [0, 2, 4]
    assert [next_hit(found, -1, seen).at for seen in (0, 1, 3)] == [0, 0, 2]
    visited = [found := next_hit(found, 1, 0) for _ in range(4)]
    assert [(one.at, one.counted) for one in visited] == [
        (0, "1 of 3 cards"),
        (2, "2 of 3 cards"),
        (4, "3 of 3 cards"),
        (0, "1 of 3 cards"),
    ]
    assert next_hit(visited[0], -1, 0).at == 4
    assert next_hit(with_words(found, "nowhere"), 1, 0).at is None


def test_only_what_is_listed_is_found() -> None:
    assert with_words(with_filter(listing(), "Changes"), "save").hits == (0,)
    assert with_filter(with_words(listing(), "save"), "Errors").hits == ()


def test_a_hit_that_is_gone_is_passed_over() -> None:
    found = next_hit(next_hit(with_words(listing(), "save"), 1, 0), 1, 0)
    changed = with_cards(found, (*CARDS[:2], NOTICE, *CARDS[3:]))
    assert (changed.hits, changed.counted) == ((0, 4), "2 cards")
    assert next_hit(changed, 1, 0).at == 4
    assert next_hit(changed, -1, 0).at == 0


@given(
    st.lists(st.lists(st.sampled_from(CARDS), max_size=8).map(tuple), max_size=6),
    st.sampled_from(FILTERS),
    st.sampled_from(["", "save", "moved"]),
)
def test_cards_are_listed_as_if_all_had_come_at_once(logs: list[tuple[Card, ...]], filter_: str, words: str) -> None:
    empty = with_words(with_filter(LogListing(), next(one for one in FILTERS if one == filter_)), words)
    grown = functools.reduce(with_cards, logs, empty)
    assert grown == with_cards(empty, logs[-1] if logs else ())


# Pictures -----------------------------------------------------------------------------------------------------------


def shots(folder: Path, count: int) -> list[Shot]:
    """Pictures of a run, each of another grey."""
    journal = Journal(folder / "run", {})
    frames = [Frame(np.full((90, 160, 3), number, np.uint8)) for number in range(count)]
    for index, frame in enumerate(frames, start=1):
        done = Observation(ok=True, text="")
        journal.add(Step(index, Thought(""), Action("press", {}), done, before=frame))
    journal.close({"outcome": "done"})
    return [Shot(journal.folder, frame.digest) for frame in frames]


def test_the_darkroom_makes_what_is_wanted_and_keeps_the_last(tmp_path: Path, control: Control) -> None:
    made = shots(tmp_path, KEPT_IMAGES + 2)
    with contextlib.closing(Thumbnails()) as thumbnails:
        assert thumbnails.small(made[0]) is None
        for shot in made:
            thumbnails.want([shot])
            assert control.until(functools.partial(thumbnails.small, shot), CAP_S)
        assert [thumbnails.small(shot) is None for shot in made] == [True, True, *[False] * KEPT_IMAGES]
        large = thumbnails.large(made[7]).result(CAP_S)
        assert large
        assert large.getpixel((5, 5)) == (7, 7, 7)


def test_a_late_picture_is_made_when_it_is_wanted_again(tmp_path: Path, control: Control) -> None:
    (late, sure) = shots(tmp_path, 2)
    file = late.folder / "frames" / f"{late.digest}.png"
    content = file.read_bytes()
    file.unlink()
    with contextlib.closing(Thumbnails()) as thumbnails:
        thumbnails.want([late, sure])
        assert control.until(lambda: thumbnails.small(sure), CAP_S)
        assert thumbnails.small(late) is None
        file.write_bytes(content)

        def asked_again() -> object:
            thumbnails.want([late])
            return thumbnails.small(late)

        assert control.until(asked_again, CAP_S)


# The window ---------------------------------------------------------------------------------------------------------

THOUGHTS = ("Apples first.", "Then pears.", "Cherries are missing.", "Now plums.", "At last quinces.")


def ran(window: Window, folder: Path) -> None:
    """A run is over: five steps of which the third failed."""
    presses = [{**action("press", keys="shift"), "thought": thought} for thought in THOUGHTS]
    presses[2] = {**action("press", keys="no such key"), "thought": THOUGHTS[2]}
    end = {**action("finish", summary="Fruit was bought."), "thought": "That is all."}
    window.start(script(folder / "fruit.jsonl", *presses, end, end))
    assert window.sees("Done, but not verified", "Fruit was bought.")


def active(window: Window, title: str) -> bool:
    return title in window.titles(active=True)


def test_the_log_is_sifted_searched_and_copied(window: Window, tmp_path: Path) -> None:
    ran(window, tmp_path)

    window.click("Errors")
    assert window.sees("Cherries are missing.", "is not a key")
    assert window.gone("Apples first.")
    window.click("Changes")
    assert window.sees("No step changed the screen.")
    window.click("All")

    window.desktop.press("ctrl+f")
    window.desktop.type("APPLES")
    assert window.sees("1 of 1 card", "STEP 1")
    window.desktop.press("shift+home")
    window.desktop.type("pressed")
    assert window.sees("1 of 4 cards")
    window.desktop.press("f3")
    assert window.sees("2 of 4 cards", "Then pears.")
    window.desktop.press("shift+f3")
    window.desktop.press("shift+f3")
    assert window.sees("4 of 4 cards", "At last quinces.")
    window.desktop.press("escape")
    assert window.gone("of 4 cards")

    window.click("Copy log")
    assert window.wait(window.desktop.read_clipboard)
    whole = window.desktop.read_clipboard() or ""
    assert [thought in whole for thought in THOUGHTS] == [True] * 5
    assert whole.startswith("You: Press the shift key,\nthen say that it is done.\n\nSTEP 1")
    assert whole.endswith("Done, but not verified\nFruit was bought.\n")


def test_a_card_is_chosen_copied_and_pasted_elsewhere(window: Window, tmp_path: Path) -> None:
    ran(window, tmp_path)
    window.click("Fruit was bought.")
    window.desktop.press("ctrl+home")
    assert window.sees("Apples first.", "Latest")
    window.desktop.press("down")
    window.desktop.press("down")
    window.desktop.press("ctrl+c")
    assert window.wait(lambda: (window.desktop.read_clipboard() or "").startswith("STEP 2"))

    window.enter_goal()
    window.desktop.press("ctrl+v")
    assert window.sees("Thought: Then pears.")
    window.click("Latest")
    assert window.sees("Fruit was bought.")
    assert window.gone("Latest")


def test_the_newest_is_followed_unless_somebody_scrolled_away(window: Window, tmp_path: Path) -> None:
    presses = [{**action("press", keys="shift"), "thought": thought} for thought in THOUGHTS]
    ask = {**action("ask_user", question="Which fruit?"), "thought": "Which?"}
    end = {**action("finish", summary="Fruit was bought."), "thought": "That is all."}
    window.start(script(tmp_path / "ask.jsonl", *presses, ask, presses[0], end, end))
    assert window.sees("Which fruit?")
    window.answers("figs")
    assert window.sees("Done, but not verified", "Fruit was bought.")
    assert not find("Latest", window.screen.read(window.screen.look()))

    assert window.wait(lambda: window.lit("Run"))  # it has told its end, and gives back its desktop
    window.click("New conversation")
    assert window.sees("Ready")
    window.desktop.press("up")
    assert window.sees("Press the shift key")
    window.desktop.press("enter")
    assert window.sees("Which fruit?")
    window.is_asked()
    search = find("Copy log", window.screen.read(window.screen.look()))[0].point
    window.desktop.move(Point(search.x, search.y + 60))  # over the log, which is read while the question is open
    for _ in range(8):  # what comes before it is drawn counts for a page at most
        seen = window.screen.look()
        window.desktop.scroll("up", 10)
        window.screen.settle(seen)
    assert window.sees("STEP 1", "Latest", "Which fruit?")
    window.desktop.type("figs\n")
    assert window.sees("Done, but not verified", "STEP 1", "Latest")
    assert not find("Fruit was bought.", window.screen.read(window.screen.look()))
    window.click("Latest")
    assert window.sees("Fruit was bought.")


def test_pictures_of_past_runs_are_compared_by_keyboard_too(window: Window, tmp_path: Path) -> None:
    ran(window, tmp_path)
    window.click("Runs")
    assert window.sees("Outcome", "Delete")  # the goal is on the other page too
    window.click("Press the shift key, then")
    assert window.sees("Step 6 of 6", "Fruit was bought.")
    window.click("Fruit was bought.")
    window.desktop.press("up")
    window.desktop.press("enter")
    assert window.wait(lambda: "Step 6, after" in window.titles(active=True))
    for key, title in (("space", "Step 6, before"), ("left", "Step 6, after"), ("right", "Step 6, before")):
        window.desktop.press(key)
        assert window.wait(functools.partial(active, window, title))
    assert window.sees("Before", "compare")
    window.desktop.press("escape")
    assert window.wait(lambda: window.titles() == ["MARK-I"])
    assert window.sees("Step 6 of 6")


def test_the_place_and_the_changes_are_marked_in_the_pictures(window: Window, tmp_path: Path) -> None:
    click = {**action("click", target={"x": 900, "y": 500}), "thought": "I click."}
    end = {**action("finish", summary="Clicked it."), "thought": "That is all."}
    window.start(script(tmp_path / "click.jsonl", click, end, end))

    def ringed(frame: Frame) -> bool:
        red, green, blue = np.moveaxis(frame.pixels.astype(int), 2, 0)
        pink = (red - green > 70) & (red > 150) & (blue > 60)  # the ring, made small; nothing else looks so
        return int(pink.sum()) > 5

    assert window.sees("Clicked it.", "place circled")
    was_ringed, _ = window.screen.watch(ringed, CAP_S)  # a later card may push it out of sight
    assert was_ringed


@pytest.mark.parametrize("kind", [PersonCard, NoticeCard, functools.partial(EndCard, "done", "Done")])
def test_a_very_long_text_is_folded_and_can_be_unfolded(kind: Callable[[str], Card]) -> None:
    short, long = kind("word " * 200), kind("word " * 1000)
    assert not has_details(short)
    assert parts_of(short, detailed=False) == parts_of(short)
    assert has_details(long)
    assert any(part.text.endswith("more characters)") for part in parts_of(long, detailed=False))
    assert any(part.text == "word " * 1000 for part in parts_of(long))
    assert "word " * 1000 in text_of(long)


def test_a_long_word_is_unfolded_and_found(window: Window, tmp_path: Path) -> None:
    said = f"Buy apples{', and more apples' * 120}, and quinces"
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.write_clipboard(said)
    window.desktop.press("ctrl+v")
    assert window.sees("and more apples")  # the clipboard's owner answers when it can, and keys do not wait for it
    window.desktop.type(f"\t{script(tmp_path / 'b.jsonl', action('finish', summary='That is all.'))}")
    window.desktop.press("ctrl+enter")
    assert window.sees("Done, but not verified", "That is all.")

    def of_the_word(places: list[Match], lines: tuple[Line, ...]) -> Match | None:
        """The one at the head of the card, which the pictures of a later card may have moved out of sight."""
        cut = find("more characters", lines)
        return next((one for one in places if cut and one.point.y < cut[0].point.y), None)

    def in_sight() -> bool:
        if window.found_of("Details", of_the_word):
            return True
        window.desktop.press("page up")
        return False

    assert window.wait(in_sight)
    assert not find("quinces", window.screen.read(window.screen.look()))
    window.click_of("Details", of_the_word)
    assert window.gone("more characters")
    window.desktop.press("d")
    assert window.sees("more characters")
    window.desktop.press("ctrl+f")
    window.desktop.type("quinces")
    assert window.sees("1 of 1 card", "and quinces")


def test_a_card_in_the_state_holds_no_picture() -> None:
    change = ScreenChange(changed=True, appeared=("Save As",))
    step = Step(1, Thought(""), Action("press", {}), Observation(ok=True, text="", screen=change))
    (card,) = reduce(RunState(running=True), Event("step", 1.0, step.to_dict())).cards
    assert isinstance(card, StepCard)
    assert (card.changed, card.before, card.after) == (True, None, None)
