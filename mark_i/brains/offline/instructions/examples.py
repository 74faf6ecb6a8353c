"""Examples of the grammar: the words of a user, the instructions that they give, and what they mean.

The examples document the grammar and test it: each is parsed and compared, without `text`.
"""

from dataclasses import dataclass, replace
from datetime import date, time
from typing import Final

from mark_i.brains.offline.instructions.kinds import (
    Check,
    Click,
    Close,
    Count,
    DialogClosed,
    Drag,
    Instruction,
    Open,
    Pause,
    Press,
    Read,
    Scroll,
    Select,
    Settle,
    Solution,
    Sought,
    Talk,
    Tell,
    Thing,
    Tick,
    Type,
    ValueOf,
    Wait,
    WordAt,
)
from mark_i.brains.offline.instructions.longer_kinds import (
    ClickResult,
    ClickValue,
    Complete,
    DragBy,
    EnterTime,
    FillAll,
    Highlight,
    InOrder,
    Path,
    PickDate,
    Rearrange,
    Repeat,
    Resize,
    Slide,
    SortByDragging,
    Spin,
    TurnTo,
)
from world_model import Point


@dataclass(frozen=True, slots=True)
class Example:
    """A phrase and its instructions; `means` explains it to the reader of the table."""

    say: str
    does: tuple[Instruction, ...]
    means: str


def _click(target: str | Thing) -> Click:
    return Click("", target)


def _type(content: str | Sought, into: str | Thing | None = None, *, enter: bool = False) -> Type:
    return Type("", content, into, enter)


def _fill(content: str, into: str) -> tuple[Instruction, ...]:
    return _click(Thing(into, "textbox")), Press("", "end"), Press("", "shift+home"), _type(content)


EXAMPLES: Final = (
    # Clicks: by text, by role, by position among several, by neighbour.
    Example("click Save", (_click("Save"),), "The text Save, anywhere; the user is told if there are two."),
    Example('click "Save, and close"', (_click("Save, and close"),), "A quoted name is taken literally."),
    Example("click the Save button", (_click(Thing("Save", "button")),), "Of several texts, the one in a button."),
    Example('click on the link "terms"', (_click(Thing("terms", "link")),), "Of several texts, the coloured one."),
    Example('click the field labelled "Email"', (_click(Thing("Email", "textbox")),), "The field, not its label."),
    Example("focus on the text box", (_click(Thing(role="textbox")),), "The only field there is."),
    Example("click the button", (_click(Thing(role="button")),), "The only button there is."),
    Example("click the second Delete", (_click(Thing("Delete", nth=2)),), "The second, counted row by row."),
    Example("click the 3rd Delete button", (_click(Thing("Delete", "button", 3)),), "Numbers work as well as words."),
    Example("click the last link", (_click(Thing(role="link", nth=-1)),), "The last visible one."),
    Example(
        'click Delete beside "Milk"',
        (_click(Thing("Delete", beside="Milk")),),
        "The one in the row of Milk, else the nearest.",
    ),
    Example("click the button next to Milk", (_click(Thing(role="button", beside="Milk")),), "The button in its row."),
    Example(
        "click Edit to the right of Milk", (_click(Thing("Edit", beside="Milk", side="right")),), "Only on that side."
    ),
    Example(
        "click the field under Email",
        (_click(Thing(role="textbox", beside="Email", side="below")),),
        "Left, right, above or below.",
    ),
    Example(
        "click all Delete buttons", (_click(Thing("Delete", "button", every=True)),), "Each one that is visible now."
    ),
    Example(
        'click the button in the dialog box labeled "OK"',
        (_click(Thing("OK", "button")),),
        "The container may be named.",
    ),
    Example('close the dialog by clicking the "x"', (_click("x"),), "The click that closes it."),
    Example("expand Details", (_click("Details"),), "To expand or collapse is to click."),
    Example("click the Settings tab", (_click("Settings"),), "Tabs, items, icons and menus are found by text."),
    Example("click File > Save As", (_click("File"), _click("Save As")), "One after the other."),
    Example("find and click Save", (_click("Save"),), "Scrolls to a hidden target in any case."),
    Example("click 7, + and 8", (_click("7"), _click("+"), _click("8")), "Keys of one sign, one after the other."),
    Example("click the icon beside Milk", (_click(Thing(role="image", beside="Milk")),), "An icon or a picture."),
    Example("drag A onto B", (Drag("", "A", "B"),), "With the left button; also to a point."),
    Example(
        "drag notes.txt to the folder Work",
        (Drag("", "notes.txt", "Work"),),
        "The word for what it is may be left out.",
    ),
    Example("click at 512, 300", (Click("", Point(512, 300)),), "A point, in pixels."),
    Example("double-click notes.txt", (Click("", "notes.txt", double=True),), "Also right-click."),
    # Checkboxes, radio buttons and lists.
    Example(
        "tick Milk and Bread",
        (Tick("", Thing("Milk", "checkbox")), Tick("", Thing("Bread", "checkbox"))),
        "By their labels.",
    ),
    Example("turn the Wifi off", (Tick("", Thing("Wifi", "checkbox"), off=True),), "Unticked."),
    Example("turn on Wifi", (Tick("", Thing("Wifi", "checkbox")),), "A switch is ticked like a checkbox."),
    Example("untick Milk", (Tick("", Thing("Milk", "checkbox"), off=True),), "Does nothing if it is already so."),
    Example(
        "check the box beside Milk", (Tick("", Thing(role="checkbox", beside="Milk")),), "A checkbox, so it is ticked."
    ),
    Example(
        "check the 1st radio button",
        (Tick("", Thing(role="radio", nth=1)),),
        "A radio button is ticked like a checkbox.",
    ),
    Example("tick all boxes", (Tick("", Thing(role="checkbox", every=True)),), "Each visible checkbox."),
    Example(
        "select A, B and C", (_click("A"), _click("B"), _click("C")), "Each by its text, separated by commas and `and`."
    ),
    Example('select "Salt and pepper"', (_click("Salt and pepper"),), "Quotes keep a name with `and` together."),
    Example("select nothing and click OK", (_click("OK"),), "No selection is made."),
    Example(
        "select Large from the list", (Select("", ("Large",)),), "In the only dropdown or list, scrolled if needed."
    ),
    Example("choose Large from the Size dropdown", (Select("", ("Large",), "Size"),), "In the one with that label."),
    Example("select A and B from the list", (Select("", ("A", "B")),), "Several, in a list that allows it."),
    Example('choose "Large" from the Size menu', (_click("Size"), _click("Large")), "A click opens the menu."),
    # Typing.
    Example('type "Hello"', (_type("Hello"),), "At the caret."),
    Example('type "Bob" into Name', (_type("Bob", "Name"),), "The field with that label."),
    Example('type "Bob" into the text field', (_type("Bob", Thing(role="textbox")),), "The only field there is."),
    Example('enter "5" into the 2nd text box', (_type("5", Thing(role="textbox", nth=2)),), "One of several."),
    Example(
        'type "Bob" in the field under Name',
        (_type("Bob", Thing(role="textbox", beside="Name", side="below")),),
        "The field beside a text.",
    ),
    Example(
        'enter the username "bob" and the password "x1" into the text fields',
        (_type("bob", "username"), _type("x1", "password")),
        "Each into the field with its label.",
    ),
    Example(
        'enter "x1" into both text fields',
        (_type("x1", Thing(role="textbox", nth=1)), _type("x1", Thing(role="textbox", nth=2))),
        "Into the first and the second.",
    ),
    Example("enter 10/20/2017 as the date", (_type("10/20/2017", "date"),), "The label of the field comes last."),
    Example("fill in Name with Bob Ross", _fill("Bob Ross", "Name"), "Replaces the text in the field."),
    Example("set Guests to 5", _fill("5", "Guests"), "The same."),
    Example('type "hello" in upper case letters', (_type("HELLO"),), "Upper or lower case."),
    Example(
        'type "Bob" into Name and press enter', (_type("Bob", "Name", enter=True),), "And presses enter at the end."
    ),
    Example(
        "enter the value of Colour into Code", (_type(ValueOf("Colour"), "Code"),), "The text to the right of Colour."
    ),
    # What takes several steps, each by what is on the screen then.
    Example(
        'switch between the tabs to find and click "Terms"',
        (replace(_click("Terms"), behind="tab"),),
        "Opens one tab after the other; also expand the sections.",
    ),
    Example(
        "select File > Export > PDF", (Path("", ("File", "Export", "PDF")),), "Entries that open under the pointer."
    ),
    Example(
        "find Ada in the address book and click on her phone number",
        (TurnTo("", "Ada"), ClickValue("", "phone")),
        "Turns the pages; then what stands beside the label.",
    ),
    Example("click the 7th search result", (ClickResult("", 7),), "Turns the pages."),
    Example(
        "select 05/24/2026 as the date", (PickDate("", date(2026, 5, 24)),), "In the calendar that the field opens."
    ),
    Example("enter 9:05 PM as the time", (EnterTime("", time(21, 5)),), "In a field for a time."),
    Example("select 7 with the slider", (Slide("", 7),), "With the arrow keys; also set the sliders to 1, 3, 9."),
    Example("select -3 with the spinner", (Spin("", -3),), "In a field with arrows beside it."),
    Example(
        'choose an entry that starts with "Mal" and ends with "dives"',
        (Complete("", "Mal", "dives"),),
        "Among the suggestions for what was typed.",
    ),
    Example(
        "enter the value that corresponds to each label into the form",
        (FillAll(""),),
        "From the table beside the form.",
    ),
    Example(
        "find the 3rd word in the paragraph and type it into the text field",
        (_type(WordAt(3), Thing(role="textbox")),),
        "Also the last word in the text area.",
    ),
    Example(
        "solve the equation and type the answer into the text field",
        (_type(Solution(), Thing(role="textbox")),),
        "A sum, or an equation with x, that is on the screen.",
    ),
    Example(
        "copy the text from the 2nd text area",
        (_click(Thing(role="textbox", nth=2, tall=True)), Press("", "ctrl+a"), Press("", "ctrl+c")),
        "A field of several lines.",
    ),
    Example(
        "scroll the text area to the bottom",
        (Scroll("", "down", to_end=True, within=Thing(role="textbox", tall=True)),),
        "With the pointer over it.",
    ),
    Example("highlight the text in the 2nd paragraph", (Highlight("", 2),), "With three clicks."),
    Example("make the text area higher", (Resize("", "height"),), "By its corner."),
    Example("drag the circle left", (DragBy("", "circle", "left"),), "By its name, or the only picture."),
    Example("drag Milk to the 2nd position", (Rearrange("", "Milk", "2"),), "In a list or a grid; also up by one."),
    Example("sort the numbers in descending order", (SortByDragging("", descending=True),), "By dragging the entries."),
    Example("click the numbers in ascending order", (InOrder(""),), "One after the other."),
    Example("generate a number less than 5", (Repeat("", "Generate", "< 5"),), "Clicks the button until it is so."),
    Example('use the textbox to enter "Ada"', (_type("Ada", Thing(role="textbox")),), "The only field there is."),
    Example('click on a "textarea" widget', (_click(Thing(role="textbox", nth=1, tall=True)),), "Any of that kind."),
    Example("submit the form", (_click(Thing("Submit", "button")),), "With the button of that name."),
    Example(
        "buy it when the price is below 60",
        (Wait("", "price", number="< 60"), _click(Thing("Buy", "button"))),
        "The button that is called like the deed.",
    ),
    # The rest.
    Example("open Text Editor", (Open("", "Text Editor"),), "An application, by its name, kind or program."),
    Example("open report.txt", (Open("", "report.txt"),), "A file that is there, in what opens such files."),
    Example("open my Documents folder", (Click("", "Documents", double=True),), "A folder on the screen."),
    Example(
        "open the browser and go to example.org",
        (Open("", "browser"), Press("", "ctrl+l"), _type("example.org", enter=True)),
        "By the field for addresses.",
    ),
    Example("visit example.org", (Open("", "browser", ("example.org",)),), "In the browser, which is opened."),
    Example(
        "open a terminal and run ls -la",
        (Open("", "terminal"), _type("ls -la", enter=True)),
        "A command in a terminal.",
    ),
    Example(
        "open the calculator and compute 12*7",
        (Open("", "calculator"), _type("12*7", enter=True)),
        "Typed, then enter.",
    ),
    Example("run ls in a terminal", (Open("", "terminal"), _type("ls", enter=True)), "In a terminal, which is opened."),
    Example("use the calculator to compute 12*7", (Open("", "calculator"), _type("12*7", enter=True)), "The same."),
    Example("press ctrl+s", (Press("", "ctrl+s"),), "A key combination."),
    Example("select all and copy it", (Press("", "ctrl+a"), Press("", "ctrl+c")), "Also cut, paste, undo, save."),
    Example(
        "copy the text from Notes",
        (_click(Thing("Notes", "textbox")), Press("", "ctrl+a"), Press("", "ctrl+c")),
        "All that the field holds.",
    ),
    Example(
        "paste it into Name", (_click(Thing("Name", "textbox")), Press("", "ctrl+v")), "In the field with that label."
    ),
    Example(
        "save it as a.txt",
        (
            Press("", "ctrl+shift+s", opens=True),
            Press("", "ctrl+a"),
            _type("a.txt", enter=True),
            DialogClosed("", "a.txt"),
        ),
        "In the dialog that must come up, and close. You are asked before a file is replaced.",
    ),
    Example(
        "save it as a.txt and replace the old one",
        (
            Press("", "ctrl+shift+s", opens=True),
            Press("", "ctrl+a"),
            _type("a.txt", enter=True),
            DialogClosed("", "a.txt", replaces=True),
        ),
        "A file of that name is replaced without a question.",
    ),
    Example("go back", (Press("", "alt+left"),), "Also go forward, refresh, zoom in, open a new tab."),
    Example("press Save", (_click("Save"),), "Save is not a key, so this is a click."),
    Example("scroll down 5 times", (Scroll("", "down", 5),), "Notches of the wheel."),
    Example(
        'scroll down until "Zebra" is visible',
        (Scroll("", "down", until="Zebra"),),
        "Until it is visible, or at the end.",
    ),
    Example("scroll to the bottom", (Scroll("", "down", to_end=True),), "Or to the top."),
    Example("scroll down two pages", (Press("", "pagedown"),) * 2, "By the keys for it."),
    Example('find "Zebra"', (Scroll("", "down", until="Zebra"),), "Scrolls to it."),
    Example(
        "when the price is below 60, click Buy",
        (Wait("", "price", number="< 60"), _click("Buy")),
        "Waits for the number beside a label; also above, at least, at most, equal to.",
    ),
    Example("when Done appears, click OK", (Wait("", "Done"), _click("OK")), "Waits for a text."),
    Example('wait until "Saved" appears', (Wait("", "Saved"),), "Also disappears, and with a timeout."),
    Example("wait for the page to load", (Settle(""),), "Until nothing changes any more."),
    Example("page down", (Press("", "pagedown"),), "Also page up."),
    Example("how much is the total?", (Tell("", "total"),), "The same as: tell me the total."),
    Example("wait 3 seconds", (Pause("", 3.0),), "A pause."),
    Example('check that "Saved" is shown', (Check("", "Saved"),), "Also that it is not shown."),
    Example("is the Save button visible?", (Check("", "Save", asked=True),), "Answered with yes or no."),
    Example("check that the total is above 5", (Check("", "total", number="> 5"),), "The number beside a label."),
    Example(
        "how many Delete buttons are there?", (Count("", Thing("Delete", "button")),), "Also links, boxes, windows."
    ),
    Example('how many "Delete" are there?', (Count("", Thing("Delete")),), "How often a text is on the screen."),
    Example("what is on my screen?", (Read(""),), "All text."),
    Example("what does it say?", (Read("", document=True),), "What is in the text field alone."),
    Example("what time is it?", (Talk("", "time"),), "Answered at once, as are help and hello."),
    Example("tell me the price of Milk", (Tell("", "price", "Milk"),), "In the row of Milk, under price or alone."),
    Example("what is the total?", (Tell("", "total"),), "The text to its right, or after it in its line."),
    Example("close the window", (Close(""),), "The active window, or one by its title."),
    Example("close it without saving", (Close("", discards=True),), "Its question is answered with don't save."),
    Example(
        "open Notes, then press f2",
        (Open("", "Notes"), Press("", "f2")),
        "Separators: commas, full stops, then, and, lists.",
    ),
)
