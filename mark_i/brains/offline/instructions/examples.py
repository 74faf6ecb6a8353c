"""What can be said, by example: the words of a person, what is done, and what is meant by it.

This is the documentation of the grammar and its test: each example is parsed and compared. `text` is left out.
"""

from dataclasses import dataclass
from typing import Final

from mark_i.brains.offline.instructions.kinds import (
    Check,
    Click,
    Close,
    Instruction,
    Open,
    Pause,
    Press,
    Scroll,
    Select,
    Tell,
    Thing,
    Tick,
    Type,
    ValueOf,
    Wait,
)
from world_model import Point


@dataclass(frozen=True, slots=True)
class Example:
    """Words, and the instructions that they are; `means` is for a person who reads the table."""

    say: str
    does: tuple[Instruction, ...]
    means: str


def _click(target: str | Thing) -> Click:
    return Click("", target)


def _type(content: str | ValueOf, into: str | Thing | None = None, *, enter: bool = False) -> Type:
    return Type("", content, into, enter)


def _fill(content: str, into: str) -> tuple[Instruction, ...]:
    return _click(Thing(into, "textbox")), Press("", "end"), Press("", "shift+home"), _type(content)


EXAMPLES: Final = (
    # What to click: texts, kinds of things, which of several, neighbours.
    Example("click Save", (_click("Save"),), "The text Save, wherever it stands; if it stands twice, that is said."),
    Example('click "Save, and close"', (_click("Save, and close"),), "Quoted, a name is taken exactly as it stands."),
    Example("click the Save button", (_click(Thing("Save", "button")),), "Of several texts the one in a button."),
    Example('click on the link "terms"', (_click(Thing("terms", "link")),), "Of several texts the one in colour."),
    Example('click the field labelled "Email"', (_click(Thing("Email", "textbox")),), "The field, not its label."),
    Example("focus on the text box", (_click(Thing(role="textbox")),), "The only field there is."),
    Example("click the button", (_click(Thing(role="button")),), "The only button there is."),
    Example("click the second Delete", (_click(Thing("Delete", nth=2)),), "The second, row by row."),
    Example("click the 3rd Delete button", (_click(Thing("Delete", "button", 3)),), "Numbers do as well as words."),
    Example("click the last link", (_click(Thing(role="link", nth=-1)),), "The last one that can be seen."),
    Example(
        'click Delete beside "Milk"', (_click(Thing("Delete", beside="Milk")),), "In the row of Milk, else nearest."
    ),
    Example("click the button next to Milk", (_click(Thing(role="button", beside="Milk")),), "The button in its row."),
    Example(
        "click Edit to the right of Milk", (_click(Thing("Edit", beside="Milk", side="right")),), "On that side only."
    ),
    Example(
        "click the field under Email",
        (_click(Thing(role="textbox", beside="Email", side="below")),),
        "Left, right, above or below.",
    ),
    Example(
        "click all Delete buttons", (_click(Thing("Delete", "button", every=True)),), "Each one that is there now."
    ),
    Example(
        'click the button in the dialog box labeled "OK"', (_click(Thing("OK", "button")),), "Where it is can be said."
    ),
    Example('close the dialog by clicking the "x"', (_click("x"),), "What is clicked for it."),
    Example("expand Details", (_click("Details"),), "Expanding and collapsing is clicking."),
    Example("click the Settings tab", (_click("Settings"),), "Tabs, items, icons and menus go by their text."),
    Example("click File > Save As", (_click("File"), _click("Save As")), "One after the other."),
    Example("find and click Save", (_click("Save"),), "What is not in sight is scrolled to in any case."),
    Example("click at 512, 300", (Click("", Point(512, 300)),), "A point, in pixels."),
    Example("double-click notes.txt", (Click("", "notes.txt", double=True),), "Also right-click."),
    # Boxes, lists.
    Example(
        "tick Milk and Bread",
        (Tick("", Thing("Milk", "checkbox")), Tick("", Thing("Bread", "checkbox"))),
        "By their labels.",
    ),
    Example("untick Milk", (Tick("", Thing("Milk", "checkbox"), off=True),), "What is so already is left alone."),
    Example("check the box beside Milk", (Tick("", Thing(role="checkbox", beside="Milk")),), "A box, so it is ticked."),
    Example(
        "check the 1st radio button",
        (Tick("", Thing(role="radio", nth=1)),),
        "A radio button is ticked as a checkbox is.",
    ),
    Example("tick all boxes", (Tick("", Thing(role="checkbox", every=True)),), "Each one that can be seen."),
    Example(
        "select A, B and C", (_click("A"), _click("B"), _click("C")), "Each by its text; commas and `and` part them."
    ),
    Example('select "Salt and pepper"', (_click("Salt and pepper"),), "One name with `and` in it is quoted."),
    Example("select nothing and click OK", (_click("OK"),), "Nothing is nothing."),
    Example(
        "select Large from the list", (Select("", ("Large",)),), "Of the only drop-down or list, scrolled if need be."
    ),
    Example("choose Large from the Size dropdown", (Select("", ("Large",), "Size"),), "Of the one with that label."),
    Example("select A and B from the list", (Select("", ("A", "B")),), "Several, of a list that allows it."),
    Example('choose "Large" from the Size menu', (_click("Size"), _click("Large")), "A menu is opened by a click."),
    # Typing.
    Example('type "Hello"', (_type("Hello"),), "Where the caret is."),
    Example('type "Bob" into Name', (_type("Bob", "Name"),), "The field with that label."),
    Example('type "Bob" into the text field', (_type("Bob", Thing(role="textbox")),), "The only field there is."),
    Example('enter "5" into the 2nd text box', (_type("5", Thing(role="textbox", nth=2)),), "Which of several."),
    Example(
        'type "Bob" in the field under Name',
        (_type("Bob", Thing(role="textbox", beside="Name", side="below")),),
        "By what is beside it.",
    ),
    Example(
        'enter the username "bob" and the password "x1" into the text fields',
        (_type("bob", "username"), _type("x1", "password")),
        "Each into the field of its label.",
    ),
    Example(
        'enter "x1" into both text fields',
        (_type("x1", Thing(role="textbox", nth=1)), _type("x1", Thing(role="textbox", nth=2))),
        "Into the first and the second.",
    ),
    Example("enter 10/20/2017 as the date", (_type("10/20/2017", "date"),), "As what, at the end."),
    Example("fill in Name with Bob Ross", _fill("Bob Ross", "Name"), "In place of what stands in the field."),
    Example("set Guests to 5", _fill("5", "Guests"), "The same."),
    Example('type "hello" in upper case letters', (_type("HELLO"),), "Upper or lower case."),
    Example('type "Bob" into Name and press enter', (_type("Bob", "Name", enter=True),), "And enter at the end."),
    Example("enter the value of Colour into Code", (_type(ValueOf("Colour"), "Code"),), "What stands right of Colour."),
    # The rest.
    Example("open Text Editor", (Open("", "Text Editor"),), "An application, by name, kind or program."),
    Example("press ctrl+s", (Press("", "ctrl+s"),), "Keys; what is no key is clicked."),
    Example("press Save", (_click("Save"),), "So this is a click."),
    Example("scroll down 5 times", (Scroll("", "down", 5),), "Notches of the wheel."),
    Example(
        'scroll down until "Zebra" is visible', (Scroll("", "down", until="Zebra"),), "Until it is seen, or the end."
    ),
    Example('wait until "Saved" appears', (Wait("", "Saved"),), "Or disappears, and at most so long."),
    Example("wait 3 seconds", (Pause("", 3.0),), "Only that long."),
    Example('check that "Saved" is shown', (Check("", "Saved"),), "Or that it is not."),
    Example("tell me the price of Milk", (Tell("", "price", "Milk"),), "In the row of Milk, under price or alone."),
    Example("what is the total?", (Tell("", "total"),), "What stands right of it, or behind it in its line."),
    Example("close the window", (Close(""),), "The one in front, or one by its title."),
    Example("open Notes, then press f2", (Open("", "Notes"), Press("", "f2")), "Commas, full stops, then, and, lists."),
)
