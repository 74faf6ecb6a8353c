"""Marks: the controls of real forms in three toolkits have numbers, keep them, and are hit by them, by looks alone."""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from mark_i.agent import AgentCore
from mark_i.brain import Prompt, Reply, Space
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.elements.detector import elements_on
from toolbelt.elements.marks import Mark
from toolbelt.elements.overlay import draw_marks
from toolbelt.ocr.reader import Reader
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Frame, Observation, Point, Region

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
FONT = ImageFont.load_default(size=18)
CHROMIUM = "env", "chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-component-update"

TK = [sys.executable, str(APPS / "form_tk.py")]
GTK = ["env", "NO_AT_BRIDGE=1", "/usr/bin/python3", str(APPS / "form_gtk.py")]
WEB = [*CHROMIUM, "--no-proxy-server", "--window-size=800,700", f"--app=file://{APPS / 'form.html'}"]

TK_FORM = {
    "textbox": ["Name", "Company", "Address"],
    "combobox": ["Size"],
    "checkbox": ["Gift wrap", "Express", "Pay now", "Pay later"],
    "button": ["Cancel", "OK", "More"],
}
GTK_FORM = {
    "textbox": ["Name", "Company", "Street", "Search orders"],
    "combobox": ["Size"],
    "checkbox": ["Gift wrap", "Express", "Pay now", "Pay later"],
    "button": ["Cancel", "OK", "Apply"],
}
WEB_FORM = {
    "textbox": ["First name", "Last name", "Street", "City", "Phone number", "E-mail address"],
    "combobox": ["Country"],
    "checkbox": ["Send me news", "I accept the terms", "Card", "Cash"],
    "button": ["Send order", "Reset", "?"],
}
LINE = re.compile(
    r'(?P<number>\d+) (?P<role>\w+) "(?P<text>.*?)" at (?P<x>-?\d+), (?P<y>-?\d+)(?:, holds "(?P<holds>.*)")?'
)


class Use:
    """The tools on a desktop."""

    def __init__(self, desktop: Any, control: Control) -> None:
        self.eyes = Eyes(desktop, control)
        self.desktop, self.control = desktop, control
        self.belt = standard_toolbelt(self.eyes)

    def __call__(self, tool: str, **args: Any) -> Observation:
        before = self.eyes.look()
        seen = self.belt.call(Action(tool, args), self.control).observation
        self.eyes.settle(before)
        return seen

    def done(self, tool: str, **args: Any) -> str:
        seen = self(tool, **args)
        assert seen.ok, seen.error
        return seen.text

    def listed(self) -> list[dict[str, str]]:
        """What a model without eyes gets, taken apart as it would."""
        found = map(LINE.fullmatch, self.done("marks").splitlines())
        return [one.groupdict() for one in found if one]

    def number(self, role: str, text: str) -> int:
        (found,) = [int(one["number"]) for one in self.listed() if (one["role"], one["text"]) == (role, text)]
        return found

    def titled(self, wanted: str) -> bool:
        return bool(
            self.control.until(lambda: any(one.title.startswith(wanted) for one in self.desktop.windows()), CAP_S)
        )


def started(desktop: VirtualDesktop, control: Control, command: Sequence[str], title: str, folder: Path) -> Use:
    """A form on the desktop, once it can be seen whole."""
    desktop.launch([*command, *([f"--user-data-dir={folder}"] if "chromium" in command else [])])
    use = Use(desktop, control)
    assert use.titled(title)
    last = {"Form Tk": "More", "Form GTK": "Apply", "Form web": "Reset", "Rows": "Bob", "Dense": "Undo", "Bare": "all"}[
        title
    ]
    assert use("wait_for", text=last, timeout=CAP_S).ok
    use("wait_until_still", seconds=0.5, timeout=CAP_S)
    return use


FORMS = pytest.mark.parametrize(
    ("command", "title", "form"),
    [
        pytest.param(TK, "Form Tk", TK_FORM, id="tk"),
        pytest.param([*TK, "dark"], "Form Tk", TK_FORM, id="tk-dark"),
        pytest.param(GTK, "Form GTK", GTK_FORM, id="gtk"),
        pytest.param([*GTK, "dark"], "Form GTK", GTK_FORM, id="gtk-dark"),
        pytest.param(WEB, "Form web", WEB_FORM, id="chromium", marks=pytest.mark.browser),
        pytest.param(
            [*WEB[:-1], f"{WEB[-1]}#dark"], "Form web", WEB_FORM, id="chromium-dark", marks=pytest.mark.browser
        ),
    ],
)


@pytest.mark.parametrize("theme", [[], ["dark"]])
def test_a_checkbox_in_a_frame_for_the_focus_is_one(
    desktop: VirtualDesktop, control: Control, tmp_path: Path, theme: list[str]
) -> None:
    use = started(desktop, control, [*GTK, *theme], "Form GTK", tmp_path)
    without = use.eyes.look()
    for name, tabs in (("Gift wrap", 5), ("Pay now", 2)):
        for _ in range(tabs):
            use("press", keys="tab")
        boxes = {one["text"]: Point(int(one["x"]), int(one["y"])) for one in use.listed() if one["role"] == "checkbox"}

        assert {"Gift wrap", "Express", "Pay now", "Pay later"} == boxes.keys()
        framed = Region(boxes[name].x - 16, boxes[name].y - 16, 32, 32)
        assert not np.array_equal(use.eyes.look().crop(framed), without.crop(framed))
    assert use.done("tick", target="Gift wrap").startswith("Ticked ")
    assert use.titled("clicked gift")


@FORMS
def test_every_control_of_a_form_has_a_mark_with_its_label(
    desktop: VirtualDesktop,
    control: Control,
    tmp_path: Path,
    command: list[str],
    title: str,
    form: dict[str, list[str]],
) -> None:
    use = started(desktop, control, command, title, tmp_path)

    listed = use.listed()

    for role, texts in form.items():
        found = [one["text"] for one in listed if one["role"] == role]
        assert [text for text in texts if found.count(text) != 1] == [], [
            *(mark.told for mark in use.eyes.marks(use.eyes.look()))
        ]
    numbers = [int(one["number"]) for one in listed]
    assert len(set(numbers)) == len(numbers)


@FORMS
def test_a_field_keeps_its_label_while_its_text_is_selected(
    desktop: VirtualDesktop,
    control: Control,
    tmp_path: Path,
    command: list[str],
    title: str,
    form: dict[str, list[str]],
) -> None:
    use = started(desktop, control, command, title, tmp_path)
    first = form["textbox"][0]
    use.done("type_text", text="untitled.txt", into={"mark": use.number("textbox", first)})
    use("press", keys="home")
    for _ in "untitled":
        use("press", keys="shift+right")
    assert ("textbox", first) in [(one["role"], one["text"]) for one in use.listed()]


@pytest.mark.usefixtures("browser")
def test_adjacent_buttons_and_boxes_are_one_element_each(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    page = [*WEB[:-1], f"--app=file://{APPS / 'neighbours.html'}"]
    use = started(desktop, control, page, "Form web", tmp_path)
    names = ["OK", "Cancel", "Apply", "Go", "Yes", "No", "Help", "Save", "Discard", "Send now", "Play", "Halt", "Set"]
    names += ["Edit", "Delete", "Enter", "Leave", "Reset"]
    listed = use.listed()
    assert sorted(one["text"] for one in listed if one["role"] == "button" and one["text"] in names) == sorted(names)
    fields = {one["text"]: one["holds"] for one in listed if one["role"] == "textbox"}
    assert fields == {"Name": "Ada Lovelace", "Town": None, "Volume": "11", "Street": None}
    lines = [line.text for line in use.eyes.read(use.eyes.look())]
    assert {"OK", "Cancel", "Apply", "Name", "Play", "Halt"} <= set(lines)
    for name in names[::3]:
        use.done("click", target={"mark": use.number("button", name)})
        assert use.titled(name)
    for name in ["Small", "Tall"]:
        use.done("click", target={"mark": use.number("checkbox", name)})
        assert use.titled(name)


@pytest.mark.usefixtures("browser")
def test_buttons_that_touch_are_one_element_each(desktop: VirtualDesktop, control: Control, tmp_path: Path) -> None:
    page = [*WEB[:-1], f"--app=file://{APPS / 'dense.html'}"]
    use = started(desktop, control, page, "Dense", tmp_path)
    names = ["Type", "query", "Copy", "Retry Paste", "Empty log", "Skip", "Upload", "Previous", "Set", "Undo"]
    buttons = [one["text"] for one in use.listed() if one["role"] == "button"]
    assert [name for name in names if name not in buttons] == []
    for name in names[::3]:
        use.done("click", target={"mark": use.number("button", name)})
        assert use.titled(f"pressed {name}")


@pytest.mark.usefixtures("browser")
def test_a_page_without_any_style_is_marked_as_well(desktop: VirtualDesktop, control: Control, tmp_path: Path) -> None:
    """Its labels touch their fields, its table has borders, and what makes a field larger looks like a sign."""
    use = started(desktop, control, [*WEB[:-1], f"--app=file://{APPS / 'bare.html'}"], "Bare", tmp_path)
    listed = use.listed()
    fields = {one["text"]: one["holds"] for one in listed if one["role"] == "textbox"}
    held = {"Full name": None, "Email": "ada@example.org", "Password": None, "Comments": None, "Biography": None}
    held["Nickname"] = "Nickname"
    assert fields == held
    assert [one["text"] for one in listed if one["role"] == "checkbox"] == ["Free", "Team"]
    buttons = [one["text"] for one in listed if one["role"] == "button"]
    assert (buttons.count("Open"), buttons.count("Delete")) == (2, 2)
    use.done("type_text", text="Born in London", into="Biography")
    assert use.number("textbox", "Biography")
    use.done("type_text", text="Countess", into="Nickname")
    read = "\n".join(line.text for line in use.eyes.read(use.eyes.look()))
    assert ("Born in London" in read, "Countess" in read) == (True, True), read
    assert {"Full name", "Email", "Comments", "12 KB"} <= {line.text for line in use.eyes.read(use.eyes.look())}


@pytest.mark.usefixtures("browser")
def test_a_button_read_with_its_neighbours_keeps_its_name(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    page = [*WEB[:-1], f"--app=file://{APPS / 'rows.html'}"]
    use = started(desktop, control, page, "Rows", tmp_path)

    refused = use("click", target="Move").error
    assert refused
    assert refused.code == "TARGET_AMBIGUOUS"
    for beside, role in [("Alice", None), ("Bob", "button"), ("all", None)]:
        use.done("click", target={"text": "Move", "beside": beside, "role": role})
        assert use.titled(f"Move {beside}")


@pytest.mark.usefixtures("browser")
def test_an_entry_far_down_a_drop_down_is_turned_to_and_chosen(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    page = [*WEB[:-1], f"--app=file://{APPS / 'rows.html'}"]
    use = started(desktop, control, page, "Rows", tmp_path)

    told = use.done("select", options=["Town 63"], target="Town")
    assert re.fullmatch(r'Selected "Town 63" in "Town" at \d+, \d+\.', told)
    assert use.titled("chose Town 63")


@pytest.mark.parametrize(
    ("command", "title", "clicks"),
    [
        (TK, "Form Tk", {"Address": "address", "Size": "size", "Express": "express", "Pay later": "later", "OK": "ok"}),
        (GTK, "Form GTK", {"Street": "street", "Size": "size", "Gift wrap": "gift", "Pay later": "later", "OK": "ok"}),
        pytest.param(
            WEB,
            "Form web",
            {"City": "city", "E-mail address": "mail", "Cash": "cash", "Send me news": "news", "?": "help"},
            marks=pytest.mark.browser,
        ),
    ],
    ids=["tk", "gtk", "chromium"],
)
def test_a_click_by_number_hits(
    desktop: VirtualDesktop, control: Control, tmp_path: Path, command: list[str], title: str, clicks: dict[str, str]
) -> None:
    use = started(desktop, control, command, title, tmp_path)
    numbers = {one["text"]: int(one["number"]) for one in use.listed() if one["role"] not in {"text", "image"}}

    for text, name in clicks.items():
        said = use.done("click", target={"mark": numbers[text]})
        assert use.titled(f"clicked {name}"), (said, [one.title for one in desktop.windows()])
        if name == "size":
            use("press", keys="escape")


class TextOnly:
    """A brain that sees nothing: all it knows of the screen is the list of marks in its prompt."""

    name, sight = "text-only", 0
    space: Space = "marks"

    def __init__(self, *orders: tuple[str, str, str, str]) -> None:
        self._orders = list(orders)  # a tool, the role and the text of its target, and what is typed

    def think(self, prompt: Prompt) -> Reply:
        """The next order, with the number that its target has now."""
        assert prompt.picture is None
        if not self._orders:
            return Reply(json.dumps({"thought": "Sent.", "action": {"tool": "fail", "args": {"reason": "The end."}}}))
        tool, role, text, value = self._orders.pop(0)
        found = re.search(rf'^(\d+) {role} "{text}" at ', prompt.text, re.MULTILINE)
        assert found, prompt.text
        target = {"mark": int(found[1])}
        args = {"text": value, "into": target} if tool == "type_text" else {"target": target}
        return Reply(json.dumps({"thought": f"The {text}.", "action": {"tool": tool, "args": args}}))


@pytest.mark.usefixtures("browser")
def test_a_model_without_pictures_fills_a_form_by_marks(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    use = started(desktop, control, WEB, "Form web", tmp_path)
    values = {
        "First name": "Ada",
        "Last name": "Lovelace",
        "Street": "12 St James",
        "City": "London",
        "Phone number": "0207",
        "E-mail address": "ada@example.org",
    }
    brain = TextOnly(
        *(("type_text", "textbox", label, value) for label, value in values.items()),
        ("click", "checkbox", "Send me news", ""),
        ("click", "checkbox", "Cash", ""),
        ("click", "button", "Send order", ""),
    )
    eyes = Eyes(desktop, control)

    agent = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes)
    steps = [event.step for event in agent.run("Order it.") if event.step]

    assert [step.observation.error for step in steps] == [None] * len(steps)
    assert use.titled("sent Ada|Lovelace|France|12 St James|London|0207|ada@example.org|1|1|0|1")


# Numbers -----------------------------------------------------------------------------------------------------------


def picture(*texts: tuple[int, int, str], buttons: Sequence[tuple[int, int, str]] = ()) -> Image.Image:
    image = Image.new("RGB", (640, 480), "#f4f4f4")
    draw = ImageDraw.Draw(image)
    for x, y, text in texts:
        draw.text((x, y), text, "black", FONT)
    for x, y, text in buttons:
        draw.rectangle((x, y, x + 110, y + 34), "#e0e0e0", "#707070")
        draw.text((x + 55, y + 17), text, "black", FONT, anchor="mm")
    return image


def test_a_label_belongs_to_the_field_in_its_row() -> None:
    image = picture((20, 20, "Name:"))
    draw = ImageDraw.Draw(image)
    for box in ((90, 14, 600, 48), (20, 60, 200, 94)):
        draw.rectangle(box, "white", "#707070")
    frame = Frame(np.asarray(image, np.uint8))
    fields = [mark for mark in elements_on(frame, Reader().read(frame)) if mark.role == "textbox"]
    assert [mark.text for mark in fields] == ["Name", ""]


@pytest.mark.parametrize("apart", [3, 4, 5, 6])
def test_the_keys_of_a_keypad_are_buttons(apart: int) -> None:
    image = Image.new("RGB", (640, 480), "#f4f4f4")
    draw = ImageDraw.Draw(image)
    for place, name in enumerate("789456123"):
        x, y = 40 + (61 + apart) * (place % 3), 40 + (35 + apart) * (place // 3)
        draw.rounded_rectangle((x, y, x + 60, y + 34), 4, "#e0e0e0", "#707070")
        draw.text((x + 30, y + 17), name, "black", FONT, anchor="mm")
    frame = Frame(np.asarray(image, np.uint8))
    assert [mark.role for mark in elements_on(frame, Reader().read(frame))] == ["button"] * 9


def test_the_cells_of_a_table_are_no_buttons_and_no_fields() -> None:
    image = Image.new("RGB", (640, 480), "white")
    draw = ImageDraw.Draw(image)
    for place, name in enumerate(["Name", "Town", "Year", "Ada", "London", "1815", "Charles", "Totnes", "1791"]):
        x, y = 40 + 120 * (place % 3), 40 + 34 * (place // 3)
        draw.rectangle((x, y, x + 120, y + 34), "white", "#707070")
        draw.text((x + 6, y + 17), name, "black", FONT, anchor="lm")
    frame = Frame(np.asarray(image, np.uint8))
    assert [mark.role for mark in elements_on(frame, Reader().read(frame))] == ["text"] * 9


def rows(top: int, names: Sequence[str]) -> Image.Image:
    """A list with a button in each row."""
    places = [(name, top + 60 * row) for row, name in enumerate(names)]
    return picture(*((40, y + 6, name) for name, y in places), buttons=[(400, y, "Delete") for _, y in places])


class Shown:
    """A screen that shows a picture at a time."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self.desktop = FakeDesktop(lambda _inputs: self.image)
        self.use = Use(self.desktop, self.desktop.control)

    def marks(self, image: Image.Image) -> dict[str, list[Mark]]:
        self.image = image
        found: dict[str, list[Mark]] = {}
        for mark in self.use.eyes.marks(self.use.eyes.look()):
            found.setdefault(mark.text, []).append(mark)
        return found

    def clicked(self, number: int) -> Point:
        self.use.done("click", target={"mark": number})
        points = [
            part for done in self.desktop.inputs if done[0] == "click" for part in done if isinstance(part, Point)
        ]
        return points[-1]


NAMES = ("anchor.txt", "report.txt", "summer.txt", "winter.txt", "zebra.txt", "yellow.txt")


@pytest.mark.parametrize("scrolled", [60, 120, 35])
def test_marks_keep_their_numbers_while_scrolling(scrolled: int) -> None:
    shown = Shown(rows(40, NAMES[:5]))
    before = shown.marks(shown.image)
    old = {mark.region.y: mark.number for mark in before["Delete"]}

    after = shown.marks(rows(40 - scrolled + 60, NAMES[:6]) if scrolled == 35 else rows(40, NAMES[scrolled // 60 :]))

    way = 25 if scrolled == 35 else -scrolled
    for mark in after["Delete"]:
        assert mark.number == old.get(mark.region.y - way, mark.number)
    kept = [mark.number for mark in after["Delete"] if mark.region.y - way in old]
    assert len(kept) >= 3
    assert after["winter.txt"][0].number == before["winter.txt"][0].number
    highest = max(mark.number for marks in before.values() for mark in marks)
    new = [mark.number for marks in after.values() for mark in marks if mark.number > highest]
    assert len(new) == len(set(new))
    assert after["yellow.txt"][0].number > highest


def test_a_number_of_what_is_gone_is_not_given_again() -> None:
    shown = Shown(picture((40, 40, "Alpha"), (40, 200, "Beta")))
    alpha = shown.marks(shown.image)["Alpha"][0].number

    shown.marks(picture((40, 200, "Beta")))
    gamma = shown.marks(picture((300, 40, "Gamma"), (40, 200, "Beta")))["Gamma"][0].number

    assert gamma > alpha
    problem = shown.use("click", target={"mark": alpha}).error
    assert problem
    assert problem.code == "STALE_TARGET"
    assert 'the text "Alpha" at ' in problem.message


def test_a_click_goes_to_where_the_marked_thing_is_now() -> None:
    first = picture((40, 40, "Title"), buttons=[(60, 120, "Save"), (300, 120, "Close")])
    moved = picture((90, 140, "Title"), buttons=[(110, 220, "Save"), (350, 220, "Close")])
    shown = Shown(first)
    save = shown.marks(first)["Save"][0]

    assert shown.clicked(save.number) in Region(60, 120, 110, 34)
    shown.image = moved
    assert shown.clicked(save.number) in Region(110, 220, 110, 34)


def test_a_vanished_or_unknown_mark_is_an_error() -> None:
    shown = Shown(picture(buttons=[(60, 120, "Save"), (300, 120, "Close")]))
    save = shown.marks(shown.image)["Save"][0]
    shown.image = picture(buttons=[(300, 120, "Close")])

    gone = shown.use("click", target={"mark": save.number}).error
    never = shown.use("click", target={"mark": 900}).error

    assert gone
    assert never
    at = save.region.center
    assert gone.code == "STALE_TARGET"
    assert f'the button "Save" at {at.x}, {at.y}' in gone.message
    assert (never.code, never.message) == ("TARGET_NOT_FOUND", "There is no mark 900.")
    assert not [done for done in shown.desktop.inputs if done[0] == "click"]


@pytest.mark.parametrize(
    ("target", "told"),
    [
        (12, 'click: target: the mark 12 is named {"mark": 12}.'),
        ({"mark": "first"}, 'click: target: it is a text, {"x", "y"}, {"text"}, {"mark"} or {"image"}.'),
        ({"mark": 1, "text": "Save"}, 'click: target: it is a text, {"x", "y"}, {"text"}, {"mark"} or {"image"}.'),
    ],
)
def test_what_is_no_target_is_told_in_few_words(target: object, told: str) -> None:
    problem = Shown(picture()).use("click", target=target).error

    assert problem
    assert (problem.code, problem.message) == ("INVALID_ARGS", told)


def test_an_empty_screen_has_no_marks() -> None:
    seen = Shown(Image.new("RGB", (640, 480), "white")).use("marks")

    assert (seen.text, seen.data) == ("Nothing on the screen can be told apart.", [])


def test_the_overlay_leaves_the_frame_unchanged() -> None:
    shown = Shown(picture((40, 40, "Title"), buttons=[(60, 120, "Save"), (300, 120, "Close")]))
    eyes = shown.use.eyes
    frame = Frame(eyes.look().pixels, Point(-100, 50))
    marks = eyes.marks(frame)
    kept = frame.pixels.copy()

    drawn = draw_marks(frame, marks)

    assert np.array_equal(frame.pixels, kept)
    assert drawn.region == frame.region
    changed = (drawn.pixels != frame.pixels).any(axis=2)
    for mark in marks:
        box = mark.region.shifted(100, -50)
        around = changed[box.y - 20 : box.bottom + 20, box.x - 24 : box.right + 24]
        assert around.sum() > 2 * (box.width + box.height)
        assert not changed[box.y + 4 : box.bottom - 4, box.x + 4 : box.right - 4].any()
