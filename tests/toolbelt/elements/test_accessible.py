"""What programs say, joined with what is seen: real toolkits, and programs that lie, hang, end, or say nothing."""

import json
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from mark_i import AgentCore, Prompt, Reply
from mark_i.brain import Space
from tests.attentive import Attentive
from tests.support import action
from toolbelt.control import Control
from toolbelt.desktops.accessibility import AccessibilityClient, Node, State, WindowTree
from toolbelt.desktops.base import Window
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.elements import Element, elements_on, joined, said_of
from toolbelt.ocr import Reader
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting import aims_of
from world_model import Action, Frame, Point, Region

APPS = Path(__file__).parents[2] / "apps"
SYSTEM_PYTHON = "/usr/bin/python3"
CAP_S = 120.0
FONT = ImageFont.load_default(size=18)
HUNG = "a program did not answer"
CHROMIUM = [
    "chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-component-update", "--no-proxy-server",
    "--force-renderer-accessibility",
]  # fmt: skip
FORMS = {
    "gtk3": (
        [SYSTEM_PYTHON, str(APPS / "form_gtk.py")],
        {
            ("textbox", "Name", ""),
            ("textbox", "Search orders", ""),
            ("combobox", "Size", "Small"),
            ("checkbox", "Express", "checked"),
            ("checkbox", "Gift wrap", "unchecked"),
            ("radio", "Pay now", "checked"),
            ("radio", "Pay later", "unchecked"),
            ("button", "OK", ""),
        },
    ),
    "gtk4": (
        [SYSTEM_PYTHON, str(APPS / "form_gtk4.py")],
        {
            ("textbox", "Name", "Ada"),
            ("checkbox", "News", "checked"),
            ("combobox", "", "Red"),
            ("slider", "", "0"),
            ("button", "Order", ""),
        },
    ),
    "qt6": (
        [SYSTEM_PYTHON, str(APPS / "form_qt6.py")],
        {
            ("textbox", "Name", "Ada"),
            ("textbox", "Password", ""),
            ("combobox", "Colour", "Red"),
            ("checkbox", "News", "checked"),
            ("radio", "Card", "unchecked"),
            ("slider", "", "0"),
            ("tab", "First", ""),
            ("tab", "Second", ""),
            ("option", "Alpha", ""),
            ("button", "Order", ""),
            ("button", "Stop", "disabled"),
        },
    ),
    "chromium": (
        [*CHROMIUM, f"--app=file://{APPS / 'form.html'}"],
        {
            ("textbox", "First name", ""),
            ("combobox", "Country", "France"),
            ("textbox", "E-mail address", ""),
            ("checkbox", "Send me news", "unchecked"),
            ("radio", "Card", "checked"),
            ("button", "Send order", ""),
        },
    ),
}


@pytest.fixture(autouse=True)
def patience(patience: None) -> None:
    """Wait for programs as long as it takes."""


@pytest.fixture
def eyes(desktop: VirtualDesktop, control: Control) -> Eyes:
    return Eyes(desktop, control)


def facts(element: Element) -> tuple[str, str, str]:
    """What matters of an element: its role, its name, and what it holds or how it is."""
    states = [one for one in element.told_states if one not in {"focused", "selected", "expanded"}]
    return element.role, element.text, element.holds or "".join(states)


def started(eyes: Eyes, command: Sequence[str]) -> tuple[Element, ...]:
    """Start a program; return the elements on the screen, once it is drawn and says what it shows."""
    eyes.desktop.launch(command)
    assert eyes.control.until(lambda: eyes.windows() and any(one.said for one in eyes.elements(eyes.look())), CAP_S)
    eyes.settle(eyes.look(), 1.0, quiet=0.5)
    return eyes.elements(eyes.look())


@pytest.mark.parametrize(
    "toolkit", [*(one for one in FORMS if one != "chromium"), pytest.param("chromium", marks=pytest.mark.browser)]
)
def test_a_program_says_roles_names_values_and_states(eyes: Eyes, tmp_path: Path, toolkit: str) -> None:
    command, wanted = FORMS[toolkit]
    own = [f"--user-data-dir={tmp_path}"] if toolkit == "chromium" else []

    found = started(eyes, [*command, *own])

    assert wanted <= set(map(facts, found)), [*map(facts, found)]


@pytest.mark.parametrize("toolkit", ["gtk4", "qt6"])
def test_a_password_is_never_read(eyes: Eyes, toolkit: str) -> None:
    found = started(eyes, FORMS[toolkit][0])

    trees = eyes.desktop.trees([one.pid for one in eyes.windows() if one.pid], CAP_S) or ()

    assert any(node.role == "text_field" for tree in trees for node in tree.nodes)
    assert "s3cret" not in repr(trees) + repr(found)


def is_switch(element: Element) -> bool:
    """Whether it is the switch of the form, which has no text."""
    return element.role in {"checkbox", "switch"} and not element.text


def test_a_switch_that_pixels_do_not_show_is_turned_on(eyes: Eyes) -> None:
    started(eyes, FORMS["gtk4"][0])
    belt = standard_toolbelt(eyes)
    assert eyes.control.until(lambda: any(map(is_switch, eyes.elements(eyes.look()))), CAP_S)
    switch = next(filter(is_switch, eyes.elements(eyes.look())))
    at = {"x": switch.region.center.x, "y": switch.region.center.y}
    eyes.show()

    for off, data in ((False, {"ticked": True}), (False, {"ticked": True}), (True, {"ticked": False})):
        seen = belt.call(Action("tick", {"target": at, "off": off}), eyes.control).observation
        assert (seen.ok, seen.data) == (True, data), seen.error
        eyes.settle(eyes.look(), 1.0)
        eyes.show()


def test_a_program_that_hangs_costs_little_and_is_left_to_the_pixels(
    eyes: Eyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(eyes, FORMS["gtk3"][0])
    monkeypatch.setattr("toolbelt.perception.hearing.TREES_MAX_S", 0.1)
    [pid] = {one.pid for one in eyes.windows() if one.pid}
    os.kill(pid, signal.SIGSTOP)
    try:
        assert eyes.desktop.trees([pid], 0.1) is None
        assert eyes.desktop.unheard == "the programs on the screen do not answer in time"
        eyes.desktop.press("f9")
        eyes._known = None
        looked = eyes.elements(eyes.look())
        assert {"OK", "Cancel"} <= {one.text for one in looked if one.role == "button"}
        assert eyes.control.until(lambda: eyes.desktop.trees([pid], 0.1) or eyes.desktop.unheard == HUNG, CAP_S)
    finally:
        os.kill(pid, signal.SIGCONT)
    assert eyes.desktop.trees([pid], CAP_S) == (), "it is not asked again so soon"


def test_where_programs_say_nothing_the_pixels_carry_on(eyes: Eyes) -> None:
    eyes.desktop.launch([sys.executable, str(APPS / "form_tk.py")])
    assert eyes.control.until(lambda: any(one.text == "OK" for one in eyes.elements(eyes.look())), CAP_S)

    assert not any(one.said for one in eyes.elements(eyes.look()))


def test_a_reader_that_is_killed_is_started_again(eyes: Eyes) -> None:
    started(eyes, FORMS["gtk3"][0])
    pids = [one.pid for one in eyes.windows() if one.pid]
    client = eyes.desktop._accessibility  # type: ignore[attr-defined]
    os.kill(client._worker.pid, signal.SIGKILL)

    assert eyes.control.until(lambda: eyes.desktop.trees(pids, CAP_S), CAP_S)


# What is said and what is seen ---------------------------------------------------------------------------------------

WINDOW = Window(1, "Form", "form", Region(100, 50, 400, 300), pid=7)


def frame_with(*texts: tuple[str, tuple[int, int]], boxes: Sequence[tuple[int, int, int, int]] = ()) -> Frame:
    image = Image.new("RGB", (640, 400), "white")
    draw = ImageDraw.Draw(image)
    for box in boxes:
        draw.rectangle(box, "#e0e0e0", "#505050")
    for text, at in texts:
        draw.text(at, text, "black", FONT, anchor="mm")
    return Frame(np.asarray(image, np.uint8))


def node(role: str, name: str, box: Region | None, *states: State, parent: int = 0, value: str = "") -> Node:
    return Node(parent, role, name, value, box, frozenset(states))


def seen(frame: Frame, *nodes: Node, windows: Sequence[Window] = (WINDOW,)) -> tuple[tuple[Element, ...], int]:
    lines = Reader().read(frame)
    tree = WindowTree(7, "Form", (node("window", "Form", WINDOW.region, parent=-1), *nodes))
    return joined(elements_on(frame, lines), said_of([tree], windows, lines), frame, lines)


SAVE = Region(200, 100, 100, 36)


def test_an_element_that_is_said_where_nothing_is_drawn_is_left_out() -> None:
    frame = frame_with(("Save", (250, 118)), boxes=[(200, 100, 300, 136)])

    found, _ = seen(frame, node("button", "Save", SAVE), node("button", "Delete", SAVE.shifted(0, 100)))

    assert [(one.role, one.text) for one in found] == [("button", "Save")]


def test_a_name_that_contradicts_what_is_read_is_not_believed_and_is_told() -> None:
    frame = frame_with(("Delete all", (250, 118)), boxes=[(200, 100, 300, 136)])

    found, lies = seen(frame, node("button", "Cancel", SAVE))

    assert lies == 1
    assert "Cancel" not in {one.text for one in found}
    assert any("Delete" in one.text for one in found)


def test_places_that_count_from_the_corner_of_the_window_are_put_right() -> None:
    frame = frame_with(("Save", (250, 118)), ("Send", (250, 218)), boxes=[(200, 100, 300, 136), (200, 200, 300, 236)])
    there = [node("button", name, Region(90, 30 + 100 * row, 100, 36)) for row, name in enumerate(("Save", "Send"))]

    found, lies = seen(frame, *there)

    assert [(one.text, one.said, one.region.center) for one in found] == [
        ("Save", True, Point(251, 119)),
        ("Send", True, Point(251, 219)),
    ]
    assert lies == 0


def test_what_another_window_covers_is_left_out() -> None:
    frame = frame_with(("Save", (250, 118)), boxes=[(200, 100, 300, 136)])
    above = Window(2, "Other", "other", Region(180, 80, 200, 100), pid=8)

    found, _ = seen(frame, node("button", "Save", SAVE, "disabled"), windows=[WINDOW, above])

    assert not any(one.said for one in found)


def test_a_value_that_its_program_says_and_hides_is_left_out() -> None:
    box = Region(200, 100, 200, 36)
    frame = frame_with(("••••••", (250, 118)), boxes=[(200, 100, 400, 136)])

    found, _ = seen(frame, node("text_field", "Code", box, value="hunter2 of old"))

    assert [(one.text, one.holds, one.value) for one in found] == [("Code", "", None)]


@pytest.mark.parametrize(
    ("value", "states", "known"),
    [
        ("oat ", (), "oat "),
        ("milk\nbread\n", (), "milk\nbread\n"),
        ("", (), ""),
        ("", ("secret",), None),
        ("a \ufffc b", (), None),
        ("x" * 2000, (), None),
    ],
)
def test_a_text_is_known_to_the_letter_or_not_at_all(value: str, states: Sequence[State], known: str | None) -> None:
    field = node("text_area", "Note", Region(200, 100, 200, 36), *states, value=value)

    [found] = [
        one
        for one in said_of(
            [WindowTree(7, "Form", (node("window", "Form", WINDOW.region, parent=-1), field))], [WINDOW], ()
        ).elements
        if one.role == "textbox"
    ]
    assert found.value == known
    assert found.holds == value.replace("\ufffc", "").strip()


def test_an_icon_has_the_name_that_its_program_gives_it() -> None:
    frame = frame_with(boxes=[(210, 110, 226, 126)])

    found, _ = seen(frame, node("button", "Print", Region(206, 106, 24, 24)))

    assert [(one.role, one.text) for one in found] == [("button", "Print")]


def test_what_only_looks_like_a_control_is_a_text_where_all_is_said() -> None:
    frame = frame_with(("Total", (250, 118)), ("Save", (250, 218)), boxes=[(200, 100, 300, 136), (200, 200, 300, 236)])

    found, _ = seen(frame, node("button", "Save", SAVE.shifted(0, 100)))

    assert [(one.role, one.text) for one in found] == [("text", "Total"), ("button", "Save")]


def test_an_icon_is_clicked_by_the_name_that_its_program_gives_it(eyes: Eyes) -> None:
    started(eyes, [SYSTEM_PYTHON, str(APPS / "icons_gtk.py")])
    belt = standard_toolbelt(eyes)

    for name in ("Print", "="):
        done = belt.call(Action("click", {"target": name}), eyes.control).observation
        assert done.ok, done.error
        titles = [f"pressed {name}"]
        assert eyes.control.until(lambda: [one.title for one in eyes.windows()] == titles, CAP_S)  # noqa: B023 - at once
        eyes.settle(eyes.look(), 1.0)


def test_the_guard_reads_what_a_program_calls_an_icon(eyes: Eyes) -> None:
    found = started(eyes, [SYSTEM_PYTHON, str(APPS / "icons_gtk.py")])
    place = next(one.region.center for one in found if one.text == "Scan")
    click = next(one for one in standard_toolbelt(eyes) if one.name == "click")

    [aim] = aims_of(click, click.validated({"target": {"x": place.x, "y": place.y}}), eyes, eyes.show())

    assert "Scan" in aim.words


def clicking(eyes: Eyes, *names: str) -> Attentive:
    """A brain that clicks texts, and gives up."""
    clicks = (action("click", target=name) for name in names)
    return Attentive(eyes, *clicks, action("fail", reason="That is all."))


def test_what_a_click_did_to_a_box_is_told(eyes: Eyes) -> None:
    started(eyes, FORMS["gtk3"][0])
    agent = AgentCore(
        clicking(eyes, "Gift wrap", "Express", "Name:"),
        standard_toolbelt(eyes),
        eyes.desktop,
        eyes=eyes,
    )

    agent.execute_command("Tick them")

    became = [step.observation.screen.became for step in agent.world_model if step.observation.screen]
    assert became == [("checkbox", "Gift wrap", "checked"), ("checkbox", "Express", "unchecked"), (), ()]


class Listing:
    """A brain that is shown a list of what is there, presses Tab, and keeps what it is told."""

    name, sight = "listing", 640
    space: Space = "marks"

    def __init__(self) -> None:
        self.told: list[str] = []

    def think(self, prompt: Prompt) -> Reply:
        self.told.append(prompt.now)
        return Reply(json.dumps(action("press", keys="tab") if len(self.told) == 1 else action("fail", reason="Over.")))


def test_the_focus_is_told_as_the_program_says(eyes: Eyes) -> None:
    started(eyes, FORMS["gtk3"][0])
    brain = Listing()

    AgentCore(brain, standard_toolbelt(eyes), eyes.desktop, eyes=eyes).execute_command("Look")

    assert 'The focus is in the textbox "Name".' in brain.told[0]
    assert 'The focus is in the textbox "Company".' in brain.told[1]


def test_that_programs_are_not_heard_is_told_once(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}
    monkeypatch.setattr(eyes.desktop, "_accessibility", AccessibilityClient(lambda: environment))
    eyes.desktop.launch([sys.executable, str(APPS / "form_tk.py")])
    assert eyes.control.until(lambda: any(one.text == "OK" for one in eyes.elements(eyes.look())), CAP_S)
    agent = AgentCore(
        clicking(eyes, "Gift wrap", "Express", "Name", "Pay later"),
        standard_toolbelt(eyes),
        eyes.desktop,
        eyes=eyes,
    )

    told = [event.data["text"] for event in agent.run("Tick it") if event.event == "notice"]

    assert told == [
        "Programs are not heard: the accessibility service does not run. What they show is found by its looks alone."
    ]


def test_a_field_is_typed_into_by_the_name_that_its_program_gives_it(eyes: Eyes) -> None:
    started(eyes, [SYSTEM_PYTHON, str(APPS / "unlabelled_gtk.py")])
    belt = standard_toolbelt(eyes)

    done = belt.call(Action("type_text", {"text": "Ada", "into": "Town of birth"}), eyes.control).observation

    assert done.ok, done.error
    assert eyes.control.until(lambda: [one.title for one in eyes.windows()] == ["holds Ada"], CAP_S)


def test_a_box_whose_label_reads_otherwise_is_not_believed() -> None:
    frame = frame_with(("Delete all", (280, 118)), boxes=[(206, 108, 226, 128)])

    found, lies = seen(frame, node("check_box", "Keep my files", Region(200, 100, 140, 36), "checked"))

    assert (lies, any(one.said for one in found)) == (1, False)


def test_two_windows_of_one_title_keep_what_is_theirs() -> None:
    frame = frame_with(("Save", (250, 118)), boxes=[(200, 100, 300, 136)])
    behind = Window(3, "Form", "form", Region(20, 20, 60, 40), pid=7)

    found, _ = seen(frame, node("button", "Save", SAVE), windows=[behind, WINDOW])

    assert [(one.role, one.said) for one in found if one.text == "Save"] == [("button", True)]


def test_the_reader_is_none_of_the_programs_on_the_desktop(eyes: Eyes, desktop: VirtualDesktop) -> None:
    started(eyes, FORMS["gtk3"][0])

    programs = {Path(f"/proc/{pid}/cmdline").read_bytes() for pid in desktop._programs()}

    assert any(b"form_gtk.py" in one for one in programs)
    assert not any(b"worker.py" in one for one in programs)


def test_a_window_that_says_it_is_elsewhere_is_put_right_by_one_text() -> None:
    frame = frame_with(("Save", (250, 118)), boxes=[(200, 100, 300, 136), (310, 100, 346, 136)])
    there = [node("button", "Save", SAVE.shifted(-190, -90)), node("button", "Print", Region(120, 10, 36, 36))]

    found, _ = seen(frame, *there, windows=[replace(WINDOW, region=Region(180, 90, 400, 300))])

    assert [(one.text, one.said) for one in found if one.role == "button"] == [("Save", True), ("Print", True)]


def test_a_menu_that_counts_from_its_own_corner_is_put_right() -> None:
    texts = ("Save", (250, 118)), ("Send", (350, 118)), ("Rename", (250, 180)), ("Remove", (250, 220))
    nodes = [
        node("button", "Save", SAVE),
        node("button", "Send", SAVE.shifted(100, 0)),
        node("menu", "", Region(0, 0, 100, 80)),
        node("menu_item", "Rename", Region(0, 0, 100, 40), parent=3),
        node("menu_item", "Remove", Region(0, 40, 100, 40), parent=3),
    ]

    found, _ = seen(frame_with(*texts), *nodes)

    centers = {one.text: one.region.center for one in found if one.said}
    assert centers["Save"] == SAVE.center
    assert abs(centers["Rename"].y - 180) <= 4
    assert abs(centers["Remove"].x - 250) <= 4


def test_a_tab_that_is_only_called_a_tab_has_the_name_in_it() -> None:
    frame = frame_with(("Fonts", (250, 118)))

    found, _ = seen(frame, node("tab", "Tab", SAVE), node("static_text", "Fonts", SAVE, parent=1))

    assert [(one.role, one.text) for one in found] == [("tab", "Fonts")]


@pytest.mark.parametrize(("role", "kind"), [("slider", "slider"), ("switch", "switch"), ("list", "listbox")])
def test_what_has_no_name_has_that_of_the_label_beside_it(role: str, kind: str) -> None:
    frame = frame_with(("Volume", (150, 118)), boxes=[(200, 100, 300, 136)])

    found, _ = seen(frame, node(role, "", SAVE), node("static_text", "Volume", Region(120, 108, 60, 20)))

    assert (kind, "Volume") in {(one.role, one.text) for one in found}


def test_a_label_of_two_lines_names_its_field() -> None:
    frame = frame_with(("Your e-mail\naddress", (140, 118)), boxes=[(200, 98, 300, 138)])

    alone = elements_on(frame, Reader().read(frame))
    found, _ = seen(frame, node("text_field", "", SAVE.grown(2)))

    for elements in (alone, found):
        assert ("textbox", "Your e-mail address") in {(one.role, one.text) for one in elements}


def test_a_checkbox_as_wide_as_a_switch_is_one() -> None:
    frame = frame_with(boxes=[(200, 100, 248, 124)])

    found, _ = seen(frame, node("check_box", "Wi-Fi", Region(200, 100, 48, 24), "checked"))

    assert [(one.role, one.text) for one in found] == [("switch", "Wi-Fi")]


def test_a_list_that_says_the_number_of_its_entry_holds_the_entry_that_is_read() -> None:
    found, _ = seen(
        frame_with(("Ireland", (SAVE.center.x, SAVE.center.y)), boxes=[(SAVE.x, SAVE.y, SAVE.right, SAVE.bottom)]),
        node("combo_box", "Country", SAVE, value="0"),
    )

    [choice] = [one for one in found if one.role == "combobox"]
    assert (choice.text, choice.holds) == ("Country", "Ireland")
