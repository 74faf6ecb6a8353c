"""What saves over a file that is there asks first, and never replaces it unless the person says so."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from mark_i import AgentCore, Prompt, standard_toolbelt
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.dialogs import LOOKS_MAX, UNNAMED, await_closed
from mark_i.brains.offline.instructions import DialogClosed, NotUnderstood, parse_instructions
from mark_i.brains.offline.progress import progress
from mark_i.brains.offline.seen import ON_THE_WAY, REPLACING
from mark_i.events import Event
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.elements import Element
from toolbelt.ocr import Line
from toolbelt.perception import Eyes
from toolbelt.tools.people import People
from world_model import Action, Observation, Region, ScreenChange, Step, Thought

SAVED: Final = DialogClosed("save it as a.txt", "a.txt")
STILL: Final = ScreenChange(changed=False, settled_ms=0)
GTK: Final = ('A file named "a.txt" already exists. Do you want to', "replace it?")
CLOSES: Final = 'open mousepad, type "tea", close the window'
BEGUN: Final = 'open mousepad, type "tea"'
QT: Final = ("a.txt already", "exists.", "Do you want to replace it?")


def asked_by(*texts: str, buttons: Sequence[str] = ()) -> Prompt:
    """A screen with these lines and buttons."""
    lines = tuple(Line(text, Region(0, 20 * at, 200, 18)) for at, text in enumerate(texts))
    elements = tuple(Element("button", Region(100 * at, 300, 80, 30), text) for at, text in enumerate(buttons))
    return Prompt("", "", "", read=lambda: lines, elements=lambda: elements)


def step(tool: str, note: str = "", *, ok: bool = True, **data: str) -> Step:
    observation = Observation(ok=ok, text="", data=data)
    return Step(1, Thought(""), Action(tool, {}), observation, note=note)


@pytest.mark.parametrize(
    ("texts", "buttons", "x"),
    [
        (GTK, ("Cancel", "Replace"), 140),
        (QT, ("Yes", "No"), 40),
        (('File "a.txt" already exists.', "Do you want to overwrite it?"), ("No", "Yes"), 140),
        (("a.txt existiert bereits. Ersetzen?",), ("Abbrechen", "_Ersetzen"), 140),
    ],
)
def test_a_file_is_replaced_only_as_the_person_says(texts: Sequence[str], buttons: Sequence[str], x: int) -> None:
    prompt = asked_by(*texts, buttons=buttons)

    asks = await_closed(SAVED, prompt, [step("list_windows")])
    assert (asks.tool, asks.note, asks.choices) == ("ask_user", REPLACING, ("Replace it", "Keep it"))
    for answer in ("Replace it", "yes", "Yes, please replace the old one.", "ok, overwrite it"):
        replaces = await_closed(SAVED, prompt, [step("ask_user", REPLACING, answer=answer)])
        assert (replaces.tool, replaces.args) == ("click", {"target": {"x": x, "y": 315}})
    for answer in ("Keep it", "no", "", "don't replace it", "no, keep the old one"):
        kept = await_closed(SAVED, prompt, [step("ask_user", REPLACING, answer=answer)])
        assert (kept.tool, kept.args["reason"]) == ("fail", "You kept a.txt as it was, so nothing was saved.")
    for answer in ("yes, but not that one", "add sugar as a new line"):
        asks = await_closed(SAVED, prompt, [step("ask_user", REPLACING, answer=answer)])
        assert (asks.tool, asks.note) == ("ask_user", REPLACING)
        assert f'I do not understand "{answer}" here.' in asks.args["question"]
    nobody = await_closed(SAVED, prompt, [step("ask_user", REPLACING, ok=False)])
    assert nobody.args["reason"].startswith("a.txt exists already and was not replaced.")


@pytest.mark.parametrize(
    ("texts", "buttons"),
    [
        (("Do you want to discard the changes?",), ("Yes", "No")),
        (GTK, ("Cancel",)),
        (GTK, ("Replace", "Replace")),
        (("Folder does not exist.",), ("OK", "Replace")),
    ],
)
def test_nothing_else_is_taken_for_the_question(texts: Sequence[str], buttons: Sequence[str]) -> None:
    prompt = asked_by(*texts, buttons=buttons)
    replacing = DialogClosed("save it as a.txt and replace it", "a.txt", replaces=True)

    for closed in (SAVED, replacing):
        assert await_closed(closed, prompt, [step("list_windows")]).tool == "wait"
        assert await_closed(closed, prompt, [step("list_windows")] * LOOKS_MAX).tool == "fail"


def test_the_button_is_pressed_once() -> None:
    closed = DialogClosed("save it as a.txt and replace it", "a.txt", replaces=True)
    prompt = asked_by(*GTK, buttons=("Cancel", "Replace"))

    assert await_closed(closed, prompt, [step("click", ON_THE_WAY), step("list_windows")]).tool == "wait"


@pytest.mark.parametrize(
    ("goal", "replaces"),
    [
        ("save it as a.txt", False),
        ("save it as replace.txt", False),
        ("save it as a.txt and replace it", True),
        ("save it as a.txt, replacing the old file", True),
        ('save it as "a.txt" and overwrite what is there', True),
        ("Save it as a.txt. Replace it if it exists", True),
        ("save it over a.txt", True),
        ("overwrite a.txt", True),
    ],
)
def test_a_goal_can_say_that_a_file_is_replaced(goal: str, *, replaces: bool) -> None:
    closed = parse_instructions(f"{goal}, press f5")[-2]

    assert isinstance(closed, DialogClosed)
    assert closed.replaces is replaces


def test_what_else_is_to_be_replaced_is_no_part_of_a_name() -> None:
    last = parse_instructions("save it as a.txt and replace the word foo")[-1]

    assert isinstance(last, NotUnderstood)


def test_a_question_above_a_dialog_leaves_that_open() -> None:
    known = parse_instructions("save it as a.txt")
    opens = replace(STILL, changed=True, opened=("Save As",))
    asks = replace(STILL, changed=True, opened=("Pad",))  # a dialog without a title goes by its program
    steps = [
        Step(1, Thought(""), Action("press", {"keys": "ctrl+shift+s"}), Observation(ok=True, text="", screen=opens)),
        Step(2, Thought(""), Action("press", {"keys": "ctrl+a"}), Observation(ok=True, text="", screen=STILL)),
        Step(3, Thought(""), Action("type_text", {"text": "a.txt"}), Observation(ok=True, text="", screen=asks)),
    ]
    for titles, done in ((["", "Save As"], 3), (["a.txt - Pad"], 4)):
        rows = [{"title": title} for title in titles]
        listed = Step(4, Thought(""), Action("list_windows", {}), Observation(ok=True, text="", data=rows))
        _, worked = progress([one for one in known if not isinstance(one, NotUnderstood)], [*steps, listed])
        assert len(worked) == done


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    ("goal", "before", "earlier"),
    [
        ("add a line with eggs", (f"{BEGUN}, save it",), ()),
        ("save it", (f"{BEGUN}, save it",), ()),
        ("close", (f"{BEGUN}, save it",), ()),
        ('type "milk" and press enter', (), ((f"{BEGUN}, save it", "failed: it asks for a name"),)),
    ],
)
def test_nothing_is_typed_into_a_dialog_that_was_left_open(
    desktop: VirtualDesktop, tmp_path: Path, goal: str, before: tuple[str, ...], earlier: tuple[tuple[str, str], ...]
) -> None:
    told, _ = saved(desktop, f"{BEGUN}, save it", None)
    assert told[-1].data["outcome"] == "failed"
    eyes = Eyes(desktop, desktop.control)
    brain = OfflineBrain.following(before)

    ended = [*AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, earlier=earlier).run(goal)][-1].data

    assert ended["outcome"] == "failed"
    assert 'A dialog is in front and waits for an answer: "Save As".' in ended["summary"]
    assert "press esc" in ended["summary"]
    assert [window.title for window in desktop.windows() if window.dialog] == ["Save As"]
    assert not [*tmp_path.iterdir(), *Path.cwd().glob("milk*")]


@pytest.mark.usefixtures("patience")
def test_a_dialog_that_was_left_open_is_answered_by_the_name_of_its_button(desktop: VirtualDesktop) -> None:
    told, _ = saved(desktop, CLOSES, None)
    assert told[-1].data["outcome"] == "failed"
    eyes = Eyes(desktop, desktop.control)
    brain, earlier = OfflineBrain.following([BEGUN]), ((CLOSES, "failed: it asks something"),)

    agent = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, earlier=earlier)
    ended = [*agent.run("no dont save those changes")][-1].data

    assert ended["outcome"].startswith("done"), ended["summary"]
    assert not desktop.windows()


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize("name", ["the text editor", "editor", "close the editor now"])
def test_a_window_is_closed_by_its_kind(desktop: VirtualDesktop, name: str) -> None:
    told, _ = saved(desktop, f"open mousepad, {name if name.startswith('close') else f'close {name}'}", None)

    assert told[-1].data["outcome"] == "done", told[-1].data["summary"]
    assert not desktop.windows()


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    ("answers", "outcome", "texts"),
    [
        (("no, don't save it",), "done", []),
        (("hm", "Don't Save"), "done", []),
        (("yes, save it", "{}/tea.txt"), "done", ["tea"]),
        (("Cancel",), "failed", []),
        ((None,), "failed", []),
    ],
)
def test_a_window_that_asks_before_it_closes_is_answered(
    desktop: VirtualDesktop, tmp_path: Path, answers: tuple[str | None, ...], outcome: str, texts: list[str]
) -> None:
    eyes, left = Eyes(desktop, desktop.control), [one and one.format(tmp_path) for one in answers]
    toolbelt = standard_toolbelt(eyes, People(lambda _question: left.pop(0)))

    ended = [*AgentCore(OfflineBrain(), toolbelt, desktop, eyes=eyes).run(CLOSES)][-1].data

    assert ended["outcome"] == outcome, ended["summary"]
    assert not left
    assert bool(desktop.windows()) is (outcome == "failed")
    assert [one.read_text() for one in tmp_path.glob("*.txt")] == texts


def saved(desktop: VirtualDesktop, goal: str, answer: str | None) -> tuple[list[Event], list[str]]:
    """The events of a run, and what it asked."""
    eyes, asked = Eyes(desktop, desktop.control), list[str]()

    def person(question: str) -> str | None:
        asked.append(question)
        return answer

    toolbelt = standard_toolbelt(eyes, People(person))
    return list(AgentCore(OfflineBrain(), toolbelt, desktop, eyes=eyes).run(goal)), asked


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    ("more", "answer", "outcome", "text"),
    [
        ("", "Replace it", "done", "new"),
        ("", "Keep it", "failed", "old"),
        ("", None, "failed", "old"),
        ("", "no, call it b.txt", "done", "old"),
        ("", "oh no, dont overwrite that, make it b.txt", "done", "old"),
        ("", "yeah overwrite it, the old one is useless", "done", "new"),
        (" and replace it", None, "done", "new"),
    ],
)
def test_a_program_that_asks_is_answered(
    desktop: VirtualDesktop, tmp_path: Path, more: str, answer: str | None, outcome: str, text: str
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")

    told, asked = saved(desktop, f'open mousepad, type "new", save it as {file}{more}', answer)

    ended = told[-1].data
    assert (ended["outcome"], file.read_text()) == (outcome, text), ended["summary"]
    assert bool(asked) is not bool(more)
    assert all("a.txt exists already. Replace it?" in question for question in asked)
    assert [one.read_text() for one in tmp_path.glob("b.txt")] == ["new"] * ("b.txt" in str(answer))


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    ("answer", "more", "outcome"),
    [
        ("{}/c.txt", "", "done"),
        ("{}/c.txt like I said before", "", "done"),
        ("call it {}/c.txt", ', type " more", save it', "done"),
        ("do not save it", "", "done"),
        (None, "", "failed"),
        ("", "", "failed"),
    ],
)
def test_a_save_without_a_name_asks_for_one(
    desktop: VirtualDesktop, tmp_path: Path, answer: str | None, more: str, outcome: str
) -> None:
    answer = answer and answer.format(tmp_path)

    told, asked = saved(desktop, f'open mousepad, type "new", save it{more}', answer)

    ended = told[-1].data
    assert ended["outcome"] == outcome, ended["summary"]
    assert asked == [UNNAMED]
    wanted = ["new more" if more else "new"] if "c.txt" in str(answer) else []
    assert [one.read_text() for one in tmp_path.glob("*.txt")] == wanted
    assert not [window for window in desktop.windows() if window.dialog] or not answer
    if wanted:
        assert ended["goal"].splitlines()[2] == f'save it as "{tmp_path}/c.txt"'
