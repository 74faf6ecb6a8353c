"""What proves a deed without a word of the goal: keys, windows, forms, the clipboard, computed and counted numbers."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mark_i import AgentCore, Eyes, ScriptedBrain, standard_toolbelt
from mark_i.loop.evidence import objections
from mark_i.loop.outcome import concluded
from tests.mark_i.loop.known_facts import Made, did, facts, lines, proves, typed
from tests.support import action, finish
from toolbelt.desktops import VirtualDesktop
from toolbelt.elements import Element
from toolbelt.tool import Ending
from world_model import Action, Frame, Observation, Place, Region, Role, ScreenChange, Step, Thought, WorldModel

APPS = Path(__file__).parents[2] / "apps"
STEP = {"observation": 1}


@pytest.mark.parametrize(
    ("goal", "keys", "good"),
    [
        ("save the document", "ctrl+s", True),
        ("speichere das Dokument", "Ctrl+S", True),
        ("сохрани документ", "ctrl+s", True),
        ("print the document", "ctrl+s", False),
        ("zoom in", "ctrl+plus", True),
        ("zoom in", "ctrl+minus", False),
        ("zeige es im Vollbild", "f11", True),
        ("scroll to the bottom", "end", True),
        ("put it at the end of the list", "end", False),
        ("enter Berlin as the city", "enter", False),
        ("press the End key", "end", True),
        ("turn on wrapping and save it", "ctrl+s", True),
    ],
)
def test_keys_stand_for_what_they_do_in_nearly_every_program(goal: str, keys: str, *, good: bool) -> None:
    pressed = did("press", "Pressed.", appeared=["x"], keys=keys)

    assert proves(STEP, facts(goal, pressed)) is good
    assert not proves(STEP, facts(goal, did("press", "Pressed.", changed=False, keys=keys)))


def test_typing_and_keys_that_changed_nothing_prove_no_more_than_typing() -> None:
    goal, piece = "type hello and save it", {"observation": 1}

    assert proves(piece, facts(goal, typed("hello"), did("press", "Pressed.", keys="ctrl+s")))
    assert not proves(piece, facts(goal, typed("hello"), did("press", "Pressed.", changed=False, keys="ctrl+s")))


def test_a_noun_with_a_capital_need_not_show_where_keys_did_what_was_asked() -> None:
    goal = "Schreibe hallo und speichere das Dokument."

    def told(keys: str) -> list[str]:
        return list(objections([], facts(goal, typed("hallo"), did("press", "Pressed.", keys=keys)), kind="deed"))

    assert told("ctrl+s") == []
    assert told("ctrl+b") == ['Nothing shows "speichere das Dokument".']


def test_a_window_that_is_gone_was_closed_in_whatever_language() -> None:
    def closed(goal: str, *titles: str) -> bool:
        pressed = did("press", "Pressed.", keys="escape")
        return proves(STEP, facts(goal, pressed, closed={1: ("a.txt - Pad",)}, titles_before=("a.txt - Pad", *titles)))

    assert closed("Schließe das Fenster.")
    assert closed("Закрой редактор.")
    assert not closed("Speichere das Dokument.")
    assert not closed("Schließe das Fenster.", "b.txt - Pad"), "it may be the other one"
    assert closed("Schließe a.txt.", "b.txt - Pad")


@pytest.mark.parametrize(
    ("goal", "left", "told"),
    [
        ("Close all windows but that of a.txt.", ["a.txt - Pad", "c.txt - Pad"], ['"c.txt - Pad" is still open.']),
        ("Close all windows but that of a.txt.", ["a.txt - Pad"], []),
        ("Schließe alle Fenster.", ["c.txt - Pad"], ['"c.txt - Pad" is still open.']),
        ("Close all windows.", ["Desktop"], []),
        ("Close all windows of Pad.", ["Terminal"], []),
        ("Close b.txt.", ["a.txt - Pad"], []),
    ],
)
def test_all_windows_that_were_to_be_closed_are(goal: str, left: list[str], told: list[str]) -> None:
    step = did("close_window", '"b.txt - Pad" is closed.', title="b.txt")
    before = ("b.txt - Pad", *left)
    known = facts(goal, step, titles=tuple(left), titles_before=before, closed={1: ("b.txt - Pad",)})

    assert list(objections([], known, kind="deed")) == told
    assert proves({"observation": 1}, known)


@pytest.mark.parametrize(
    ("goal", "name"), [("Do what Button 1 does.", "done_unverified"), ("Show what Button 1 does.", "done")]
)
def test_a_tooltip_is_no_deed(desktop: VirtualDesktop, tmp_path: Path, goal: str, name: str) -> None:
    eyes, told = Eyes(desktop, desktop.control), "What Button 1 does"
    desktop.launch([sys.executable, str(APPS / "tips_tk.py"), str(tmp_path / "clicks"), "20", "20", "50"])
    assert desktop.control.until(lambda: any(window.active for window in desktop.windows()), 30.0)
    eyes.settle(eyes.look(), 1.0)
    steps = [action("move", target="Button 1"), action("wait_for", text=told), *[finish({"text": told})] * 2]

    outcome = AgentCore(ScriptedBrain(steps), standard_toolbelt(eyes), desktop, eyes=eyes).execute_command(goal)

    assert outcome.name == name


def test_a_text_proves_what_the_step_proves_with_which_it_appeared() -> None:
    sent = Observation(
        ok=True, text="Clicked.", screen=ScreenChange(changed=True, appeared=("Thank you!",), vanished=("Mail",))
    )
    step: Made = ("click", {"target": "OK"}, sent)

    assert proves(
        "Thank you!",
        facts(
            "send the mail",
            did("press", "Pressed.", appeared=["a"], keys="tab"),
            step,
            screen=["Thank you!"],
            before=["Nothing"],
        ),
    )
    assert not proves("Thank you!", facts("print the page", step, screen=["Thank you!"]))


def filled(goal: str, role: Role = "textbox", *, gone: bool, kept: tuple[Element, ...] | None = None) -> bool:
    """Whether filling a field proves the goal, if the field is gone then or not."""
    before, after = Frame.named("before"), Frame.named("after")
    field = Element(role, Region(0, 0, 90, 20), "PIN")
    seen = Observation(
        ok=True,
        text="Typed.",
        screen=ScreenChange(changed=True, appeared=("Hello again",)),
        places=(Place(5, 5, "PIN", "textbox"),),
    )
    world_model = WorldModel()
    world_model.remember(Step(1, Thought(""), Action("type_text", {"text": "4711"}), seen, before=before, after=after))
    known = facts(goal, screen=["Hello again"])
    greeting = Element("text", Region(0, 50, 90, 20), "Hello again")
    there = {"before": (field,), "after": kept if kept is not None else (greeting,) if gone else (greeting, field)}
    known = replace(known, world_model=world_model, controls=lambda frame: there[frame.digest])
    return proves("Hello again", known) and proves(STEP, known)


def test_a_field_that_is_gone_once_it_was_filled_was_accepted() -> None:
    assert filled("log in with the PIN 4711", gone=True)
    assert not filled("log in with the PIN 4711", gone=False)
    assert not filled("log in with the PIN 4711", gone=True, kept=()), "nobody knows what was there then"
    assert not filled("log in with the word 4711", gone=True)
    assert not filled("log in with the PIN 4711", "button", gone=True)


def test_the_label_of_a_field_is_no_news_though_it_is_read_with_what_was_typed() -> None:
    seen = Observation(
        ok=True,
        text="Typed.",
        screen=ScreenChange(changed=True, appeared=("PIN 4711",)),
        places=(Place(5, 5, "PIN", "textbox"),),
    )

    assert not proves(STEP, facts("log in with the PIN 4711", ("type_text", {"text": "4711"}, seen), before=["PIN"]))


def test_the_clipboard_proves_that_something_was_copied_to_it() -> None:
    def read(goal: str, text: str | None) -> bool:
        copied = did("press", "Pressed ctrl+c.", changed=False, keys="ctrl+c")
        seen = Observation(ok=True, text=text or "Nothing is on the clipboard.", data={"text": text})
        return proves({"observation": 2}, facts(goal, copied, ("clipboard_read", {}, seen), before=["alpha"]))

    assert read("copy the text to the clipboard", "alpha")
    assert read("kopiere den Text in die Zwischenablage", "alpha")
    assert not read("copy the text to the clipboard", None)
    assert not read("copy the text of a.txt into b.txt", "alpha")


@pytest.mark.parametrize(
    ("goal", "text", "shown", "good"),
    [
        ("compute 17*23", "17*23\n", "391", True),
        ("Berechne 15 mal 15", "15*15\n", "225", True),
        ("compute 17*23", "17*2\n", "34", False),
        ("send 17 and 23 to Bob", "17 23\n", "391", False),
        ("compute 17*23", "17*23\n", "at 10:31", False),
    ],
)
def test_a_number_that_a_program_shows_for_those_of_the_goal_is_computed(
    goal: str, text: str, shown: str, *, good: bool
) -> None:
    known = facts(goal, typed(text, shown), screen=[shown])

    assert proves(STEP, known) is good


@pytest.mark.parametrize(
    ("goal", "dialogs", "told"),
    [
        ("Open the dialog that replaces words.", ("Find and Swap",), False),
        ("Öffne die Einstellungen.", ("Preferences",), False),
        ("Open b.txt.", ("Open File",), True),
        ("Replace the words.", ("Find and Swap",), True),
        ("Open the dialog that replaces words.", ("Find and Swap", "Error"), True),
    ],
)
def test_the_one_dialog_that_came_last_is_the_one_to_open(goal: str, dialogs: tuple[str, ...], *, told: bool) -> None:
    pressed = did("press", "Pressed.", appeared=["x"], keys="ctrl+r")
    known = facts(goal, pressed, came={1: dialogs}, open_questions=dialogs, titles=dialogs)

    assert bool(list(objections([], known, kind="deed"))) is told
    assert told or proves(STEP, known)


@pytest.mark.parametrize(
    ("screen", "evidence", "answer", "good"),
    [
        (["a.txt b.txt c.txt"], ["a.txt b.txt c.txt"], "There are 3 files.", True),
        (["a.txt b.txt c.txt"], ["a.txt b.txt"], "There are 2 files.", False),
        (["• one", "• two"], ["one", "two"], "There are 2 things.", True),
        (["2 a.txt"], ["2 a.txt"], "It has 2 lines.", True),
    ],
)
def test_what_was_counted_is_in_whole_rows(screen: list[str], evidence: list[Any], answer: str, *, good: bool) -> None:
    look = did("press", "Pressed.", appeared=screen, keys="tab")
    known = replace(facts("How many are there in a.txt?", look), lines=lines(*screen))
    ending = Ending(done=True, summary=answer, evidence=tuple(evidence), kind="answer")

    assert concluded(ending, known, "default").name == ("done" if good else "done_unverified")


def test_an_application_is_known_by_what_its_desktop_entry_calls_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mark_i.loop.facts.described_as", {"galculator": ("Taschenrechner",)}.get)
    opened = did("open_app", "Started galculator.", name="")[2]
    known = facts("Öffne den Taschenrechner", ("open_app", {"name": "galculator"}, opened), came={1: ("galculator",)})

    assert proves(STEP, known)
    assert not proves(STEP, replace(known, goal="Lösche den Taschenrechner"))
    assert not proves(STEP, replace(known, came={}))
