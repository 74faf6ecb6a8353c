import re
import time
from dataclasses import fields, replace

import pytest
from hypothesis import given, strategies as st

from mark_i.brains.offline.instructions import (
    Check,
    Click,
    Close,
    Instruction,
    NotUnderstood,
    Open,
    Path,
    Pause,
    Press,
    Scroll,
    Talk,
    Thing,
    Type,
    Wait,
    parse_instructions,
)
from mark_i.brains.offline.instructions.examples import EXAMPLES, Example
from world_model import Point

ANY = ""  # the table leaves `text` out; tests of their own look at it


def without_text(goal: str) -> list[Instruction | NotUnderstood]:
    return [replace(each, text=ANY) for each in parse_instructions(goal)]


def opens(name: str, *args: str) -> Open:
    return Open(ANY, name, args)


def click(target: str) -> Click:
    return Click(ANY, target)


def button(name: str | None) -> Click:
    return Click(ANY, Thing(name, "button"))


def at(x: int, y: int) -> Click:
    return Click(ANY, Point(x, y))


def types(content: str, into: str | None = None, *, enter: bool = False) -> Type:
    return Type(ANY, content, into, enter)


def fills(content: str, into: str) -> list[Instruction]:
    return [Click(ANY, Thing(into, "textbox")), press("end"), press("shift+home"), types(content)]


def press(keys: str) -> Press:
    return Press(ANY, keys)


def wait(expected: str, timeout: float | None = None, *, gone: bool = False) -> Wait:
    return Wait(ANY, expected, gone, timeout)


def check(expected: str) -> Check:
    return Check(ANY, expected)


def absent(expected: str) -> Check:
    return Check(ANY, expected, absent=True)


CLOSE = Close(ANY)

UNDERSTOOD: list[tuple[str, list[Instruction]]] = [
    (
        'add a line "butter" and save',
        [Press("", "ctrl+end"), Press("", "enter"), Type("", "butter"), Press("", "ctrl+s")],
    ),
    ('add "butter" at the end on a new line', [Press("", "ctrl+end"), Press("", "enter"), Type("", "butter")]),
    ('write "Love, Ann" at the end of the letter', [Press("", "ctrl+end"), Type("", "Love, Ann")]),
    # open
    ("open Text Editor", [opens("Text Editor")]),
    ("Open the text editor.", [opens("text editor")]),
    ("launch gedit", [opens("gedit")]),
    ("START the calculator app", [opens("calculator")]),
    ("run the Paint program please", [opens("Paint")]),
    ("open the application called Files", [opens("Files")]),
    ("open report.txt", [opens("report.txt")]),
    ('open "C:\\new\\table.txt"', [opens("C:\\new\\table.txt")]),
    ("open /usr/bin/xterm", [opens("/usr/bin/xterm")]),
    ('run xterm with "-e" "top -d 1"', [opens("xterm", "-e", "top -d 1")]),
    ("run xterm with arguments -e top", [opens("xterm", "-e", "top")]),
    ("open gedit with notes.txt", [opens("gedit", "notes.txt")]),
    ("open notes.txt with Text Editor", [opens("Text Editor", "notes.txt")]),
    ("open https://example.org/a,b in Web Browser", [opens("Web Browser", "https://example.org/a,b")]),
    ("open the file ~/a.txt", [opens("~/a.txt")]),
    ("open File Manager", [opens("File Manager")]),
    ("open the File menu", [click("File")]),
    # click
    ("click Save", [click("Save")]),
    ("Click on the Save button", [button("Save")]),
    ("click the 'Save' button", [button("Save")]),
    ('click on "Save"', [click("Save")]),
    ("click “Save As…”", [click("Save As…")]),
    ("click „Speichern unter“", [click("Speichern unter")]),
    ("click «Enregistrer»", [click("Enregistrer")]),
    ("click `Run all`", [click("Run all")]),
    ("click \u2018Don\u2019t save\u2019", [click("Don\u2019t save")]),
    ("click 'Don't save'", [click("Don't save")]),
    ("click Don't Save", [click("Don't Save")]),
    ("click Don\u2019t Save", [click("Don\u2019t Save")]),
    ("click O'Brien", [click("O'Brien")]),
    ("click the user's guide link", [Click(ANY, Thing("user's guide", "link"))]),
    ("click  Save\tAs", [click("Save As")]),
    ("click Save As...", [click("Save As...")]),
    ("click v1.2.3", [click("v1.2.3")]),
    ("click New Tab", [click("New Tab")]),
    ("click the New tab", [click("New")]),
    ("click menu File", [click("File")]),
    ("click the button labelled OK", [button("OK")]),
    ('click the button with the text "OK"', [button("OK")]),
    ('click the menu item "Close, and quit"', [click("Close, and quit")]),
    ('click "File" menu item', [click("File")]),
    ("click item 5", [click("item 5")]),
    ("click A", [click("A")]),
    ("click All", [click("All")]),
    ("click the button", [button(None)]),
    ('click 15" screen', [click('15" screen')]),
    ("click Next", [click("Next")]),
    ("click in the Search field", [Click(ANY, Thing("Search", "textbox"))]),
    ("click Walk into a room with a view", [click("Walk into a room with a view")]),
    ("tap on Settings", [click("Settings")]),
    ("select Large", [click("Large")]),
    ("choose File > Save As", [Path(ANY, ("File", "Save As"))]),
    ('click "File" > "New, from template" > Letter', [click("File"), click("New, from template"), click("Letter")]),
    ("choose the File menu → Export", [Path(ANY, ("File", "Export"))]),
    ('choose "Large" from the Size menu', [click("Size"), click("Large")]),
    ('choose "Large" from "Size"', [click("Size"), click("Large")]),
    ('click the "Large" item in the Size menu', [click("Size"), click("Large")]),
    ("choose Large from the menu", [click("Large")]),
    ('open "a.txt" in "Text Editor"', [opens("Text Editor", "a.txt")]),
    ('run "my tool" with "menu" in the "with" -x', [opens("my tool", "menu", "in", "the", "with", "-x")]),
    ("choose Import from file", [click("Import from file")]),
    ("click Next 3 times", [click("Next")] * 3),
    ('click "Next" twice', [click("Next")] * 2),
    ("click at 512, 300", [at(512, 300)]),
    ("click 512,300", [at(512, 300)]),
    ("click on (512, 300)", [at(512, 300)]),
    ("click at -200, -30", [at(-200, -30)]),
    ("click at x=512, y=300", [at(512, 300)]),
    ("click at the point 512 300", [at(512, 300)]),
    ("double-click on report.txt", [Click(ANY, "report.txt", double=True)]),
    ("Double click the Trash icon", [Click(ANY, "Trash", double=True)]),
    ('double-click on the file "a b.txt"', [Click(ANY, "a b.txt", double=True)]),
    ("double click at 10, 20", [Click(ANY, Point(10, 20), double=True)]),
    ("right-click the Desktop icon", [Click(ANY, "Desktop", "right")]),
    ("right click at 10, 20", [Click(ANY, Point(10, 20), "right")]),
    ("left-click OK", [click("OK")]),
    # type
    ('type "hello"', [types("hello")]),
    ("type hello world", [types("hello world")]),
    ("type: hello", [types("hello")]),
    ('type"hello, world"', [types("hello, world")]),
    ('type ""', [types("")]),
    ('type "  two  spaces "', [types("  two  spaces ")]),
    ('type "C:\\new\\"', [types("C:\\new\\")]),
    ("type 'say \"hi\", then press enter'", [types('say "hi", then press enter')]),
    ("type “line 1\nline 2; €”", [types("line 1\nline 2; €")]),
    ("type 3.14", [types("3.14")]),
    ("type 1,000", [types("1,000")]),
    ("type a > b", [types("a > b")]),
    ("type yes please", [types("yes please")]),
    ("type don't panic", [types("don't panic")]),
    ("type salt and pepper", [types("salt and pepper")]),
    ("type hello world into Name", [types("hello world", "Name")]),
    ('type "Bob" in the "Full name" field', [types("Bob", "Full name")]),
    ("type Bob in the Name field", [types("Bob", "Name")]),
    ('type "Bob" in Name', [types("Bob", "Name")]),
    ('type "Bob" in "Name"', [types("Bob", "Name")]),
    ('type "x" into the "Name" field and press enter', [types("x", "Name", enter=True)]),
    ('type in "Bob"', [types("Bob")]),
    ('type into the Name field "Bob"', [types("Bob", "Name")]),
    ('write "Bob" into the field "Name"', [types("Bob", "Name")]),
    ('type "Bob" and press enter', [types("Bob", enter=True)]),
    ("type Bob into Name and hit Return", [types("Bob", "Name", enter=True)]),
    ('type "Bob", then press enter', [types("Bob"), press("enter")]),
    ("enter hello", [types("hello")]),
    ('enter "Bob" as Name', [types("Bob", "Name")]),
    ("enter Bob Ross as the Name", [types("Bob Ross", "Name")]),
    ("fill in Name with Bob Ross", fills("Bob Ross", "Name")),
    ('fill the "E-mail" field with "bob@example.org"', fills("bob@example.org", "E-mail")),
    ("fill in the Name field with Bob", fills("Bob", "Name")),
    ("set Name to Bob Ross", fills("Bob Ross", "Name")),
    ('set the "Reply to" field to "a@b.c"', fills("a@b.c", "Reply to")),
    ("set the 2nd text box to 5", [Click(ANY, Thing(role="textbox", nth=2)), *fills("5", "")[1:]]),
    ('set Name to ""', [*fills("", "Name")[:3], press("delete")]),
    ("set Name to Bob and press enter", [*fills("Bob", "Name")[:3], types("Bob", enter=True)]),
    ('put "x, y" in Notes', [types("x, y", "Notes")]),
    ("put 42 into the Age box", [types("42", "Age")]),
    # press
    ("press ctrl+s", [press("ctrl+s")]),
    ("press Ctrl and S", [press("ctrl+s")]),
    ("press Ctrl and Enter", [press("ctrl+enter")]),
    ("press Control + Shift + Escape", [press("ctrl+shift+esc")]),
    ("press Ctrl-Alt-Del", [press("ctrl+alt+delete")]),
    ("hit Enter", [press("enter")]),
    ("enter", [press("enter")]),
    ("press the Return key", [press("enter")]),
    ("press key F5", [press("f5")]),
    ("press page down", [press("pagedown")]),
    ("press the down arrow 3 times", [press("down")] * 3),
    ("press arrow up twice", [press("up")] * 2),
    ("press tab twice", [press("tab")] * 2),
    ("press Tab four times", [press("tab")] * 4),
    ("press the windows key", [press("win")]),
    ("press cmd+q", [press("cmd+q")]),
    ("press super+d", [press("win+d")]),
    ("press ctrl++", [press("ctrl+plus")]),
    ("press ctrl+minus", [press("ctrl+-")]),
    ("press ctrl+c and ctrl+v", [press("ctrl+c"), press("ctrl+v")]),
    ("press tab and enter", [press("tab"), press("enter")]),
    ('press "F4"', [press("f4")]),
    ("press the letter A", [press("a")]),
    ("press y", [press("y")]),
    ("press Save", [click("Save")]),
    ("press the OK button", [button("OK")]),
    ("press the Delete button", [button("Delete")]),
    ('hit "Start over"', [click("Start over")]),
    # scroll
    ("scroll down", [Scroll(ANY, "down", 3)]),
    ("scroll up a little", [Scroll(ANY, "up", 1)]),
    ("scroll down 5 times", [Scroll(ANY, "down", 5)]),
    ("scroll the page down by ten", [Scroll(ANY, "down", 10)]),
    ("scroll down twice", [Scroll(ANY, "down", 2)]),
    ("scroll right a lot", [Scroll(ANY, "right", 10)]),
    ("Scroll left two notches", [Scroll(ANY, "left", 2)]),
    # wait
    ('wait until "Saved" appears', [wait("Saved")]),
    ("wait until Saved is shown", [wait("Saved")]),
    ("wait till the Save button is visible", [wait("Save")]),
    ('wait until the text "All done." is on the screen', [wait("All done.")]),
    ("wait for Ready", [wait("Ready")]),
    ('wait for "Ready" to appear', [wait("Ready")]),
    ("wait until the screen shows Ready", [wait("Ready")]),
    ("wait until Loading disappears", [wait("Loading", gone=True)]),
    ("wait until Loading is gone", [wait("Loading", gone=True)]),
    ("wait until Loading is no longer visible", [wait("Loading", gone=True)]),
    ('wait for "Loading" to go away', [wait("Loading", gone=True)]),
    ('wait up to 30 seconds until "Done" appears', [wait("Done", 30)]),
    ('wait at most 2 minutes for "Done"', [wait("Done", 120)]),
    ('wait until "Done" appears within 1.5 s', [wait("Done", 1.5)]),
    ('wait for up to a minute for "Done"', [wait("Done", 60)]),
    ("wait until Save and Close appears", [wait("Save and Close")]),
    ("wait 3 seconds", [Pause(ANY, 3)]),
    ("wait for 1.5 s", [Pause(ANY, 1.5)]),
    ("wait a minute, then press f2", [Pause(ANY, 60), press("f2")]),
    # check
    ('check that "Saved" is on the screen', [check("Saved")]),
    ("check that Saved is shown", [check("Saved")]),
    ("verify that the screen shows 42", [check("42")]),
    ("make sure Saved appears", [check("Saved")]),
    ('confirm that you can see "Saved"', [check("Saved")]),
    ('check for "Saved"', [check("Saved")]),
    ('check that there is "Saved" on the screen', [check("Saved")]),
    ('check that the screen does not show "Error"', [absent("Error")]),
    ("check that Error is not visible", [absent("Error")]),
    ("make sure that Error isn\u2019t on the screen", [absent("Error")]),
    ("verify that there is no Error", [absent("Error")]),
    ("check if Loading is gone", [absent("Loading")]),
    # close
    ("close", [CLOSE]),
    ("close it", [CLOSE]),
    ("close the window", [CLOSE]),
    ("quit the application", [CLOSE]),
    ("close Text Editor", [Close(ANY, "Text Editor")]),
    ('close the "Notes - Editor" window', [Close(ANY, "Notes - Editor")]),
    ("exit Calculator.", [Close(ANY, "Calculator")]),
    # several
    ("", []),
    (" \n\t ", []),
    ("click OK and then close the window", [click("OK"), CLOSE]),
    ("click OK then close it", [click("OK"), CLOSE]),
    ("click Save and close the window", [click("Save"), CLOSE]),
    ("click Save and Close the window", [click("Save"), CLOSE]),
    ("click Save and Close", [click("Save and Close")]),  # both capitalised, and nothing follows: a name
    ("click the Save and Close button, then wait for OK", [button("Save and Close"), wait("OK")]),
    ("click save and close", [click("save"), CLOSE]),
    ('click "Save" and Close', [click("Save"), CLOSE]),
    ('click "Save and close", press enter', [click("Save and close"), press("enter")]),
    ("click OK,click Cancel;close", [click("OK"), click("Cancel"), CLOSE]),
    ("open report.txt. Click v1.2.3. Type 3.14.", [opens("report.txt"), click("v1.2.3"), types("3.14")]),
    ("First, open Notes. After that, click OK; finally close it.", [opens("Notes"), click("OK"), CLOSE]),
    ("please open Notes, and now you should click New", [opens("Notes"), click("New")]),
    ("Could you open Notes and go ahead and press F2, please?", [opens("Notes"), press("f2")]),
    ("1. open X 2. click Y 3. close", [opens("X"), click("Y"), CLOSE]),
    ("1) open X, 2) click Y", [opens("X"), click("Y")]),
    ("click item 2. Click OK", [click("item 2"), click("OK")]),
    ("Steps:\n- open X\n* click Y and\n\n  Step 3: close", [opens("X"), click("Y"), CLOSE]),
    ("hello! open X", [opens("X")]),
    ("can you open X?", [opens("X")]),
    ("could you please type hello?", [types("hello")]),
    ("type hello?", [types("hello?")]),
    ("open up X", [opens("X")]),
    ("click the button that says OK", [button("OK")]),
    ("what time is it? open X", [Talk(ANY, "time"), opens("X")]),
    ("is Save shown? click OK", [Check(ANY, "Save", asked=True), click("OK")]),
    ("OPEN NOTES, THEN PRESS CTRL+S", [opens("NOTES"), press("ctrl+s")]),
    ("click OK\r\nclose\rclick A", [click("OK"), CLOSE, click("A")]),
]

LETTER = "Dear Zoë,\n\n1. the naïve  plan; then “ours”\n- don't click OK, 東京 🎉\n\tYours, O'Brien "
LONG = f"""
Please do the following:

1. Open the text editor.
2. Type "{LETTER}", and then press Ctrl+S.
3) Enter `résumé "final".txt` as Name and press enter.
   - wait up to 10 seconds until «Enregistré» appears, and check that "Error; try again." is not shown
4. Click File > Close, then click "Don't save".
Finally, close the window.
"""
UNDERSTOOD.append(
    (
        LONG,
        [
            opens("text editor"),
            types(LETTER),
            press("ctrl+s"),
            types('résumé "final".txt', "Name", enter=True),
            wait("Enregistré", 10),
            absent("Error; try again."),
            click("File"),
            click("Close"),
            click("Don't save"),
            CLOSE,
        ],
    )
)
POEM = "Über allen Gipfeln\nist Ruh,\r\n\n  click OK  \n"
UNDERSTOOD.append(
    (
        f"- [ ] launch Notes\n- [x] put '{POEM}' in the Body field\n• Scroll down, scroll up a bit\n+ select “A > B”",
        [opens("Notes"), types(POEM, "Body"), Scroll(ANY, "down", 3), Scroll(ANY, "up", 1), click("A > B")],
    )
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.say)
def test_examples(example: Example) -> None:
    assert without_text(example.say) == list(example.does)
    assert example.means.endswith(".")


@pytest.mark.parametrize(("goal", "expected"), UNDERSTOOD)
def test_understood(goal: str, expected: list[Instruction]) -> None:
    assert without_text(goal) == expected


@pytest.mark.parametrize(
    ("goal", "text", "reason"),
    [
        ("clik Save", "clik Save", 'did you mean "click"?'),
        ("klick on Save", "klick on Save", 'did you mean "click"?'),
        ("do not click Save", "do not click Save", 'cannot start with "do"'),
        ("if Saved appears", "if Saved appears", 'cannot start with "if"'),
        ('"Save"', '"Save"', 'cannot start with ""Save""'),
        ("Next", "Next", 'cannot start with "Next"'),
        ("please", "please", "cannot start with"),
        ("...", "...", "cannot start with"),
        ("click", "click", 'nothing follows "click"'),
        ("please type.", "type", 'nothing follows "type"'),
        ("open", "open", "nothing follows"),
        ("click it", "click it", "which one"),
        ("select the second option", "select the second option", "what it is called"),
        ("click the first of the buttons", "click the first of the buttons", "what it is called"),
        ("click all of it", "click all of it", "does not say all of which"),
        ("tick the Milk link", "tick the Milk link", "does not name a checkbox"),
        ("check Milk", "check Milk", "check that"),
        ("check the Milk button", "check the Milk button", "does not name a checkbox"),
        ("scroll left until Zebra appears", "scroll left until Zebra appears", "up or down"),
        ("select", "select", "nothing follows"),
        ("tell me", "tell me", "nothing follows"),
        ("close it!", "close it!", "which one"),
        ("close all windows", "close all windows", "which one"),
        ('click ""', 'click ""', "nothing between the quotes"),
        ('click "Save', 'click "Save', "never closed"),
        ("type 'a, click OK\nclose", "type 'a, click OK\nclose", "the quote that opens with ' is never closed"),
        ('type "a" b', 'type "a" b', "cannot read"),
        ('type "a"b', 'type "a"b', "cannot read"),
        ('click "A" "B"', 'click "A" "B"', "cannot read"),
        ('click "A" in the toolbar', 'click "A" in the toolbar', "cannot read"),
        ("click Next until Done appears", "click Next until Done appears", "cannot read"),
        ("type the text below into Name", "type the text below into Name", "put the words to type in quotes"),
        ("put your age into the Age box", "put your age into the Age box", "with quotes it is clear"),
        ("type I live in Paris", "type I live in Paris", "or a field?"),
        ("open Made in Abyss", "open Made in Abyss", "a part of the name?"),
        ("open X with a new file", "open X with a new file", "with a"),
        ("open text editor type hello", "open text editor type hello", 'open the text editor, type "hello"'),
        ("close X without saving", "close X without saving", 'close "X"'),
        ("enter today's date", "enter today's date", "put the words to type in quotes"),
        ("write a poem", "write a poem", "I cannot compose texts"),
        ("write happy birthday to my sister", "write happy birthday to my sister", "I cannot compose texts"),
        ("drag X to the left", "drag X to the left", "how far"),
        ("fill in A with 1 and B with 2", "fill in A with 1 and B with 2", "several fields"),
        ("tell me a joke", "tell me a joke", "only tell what is on the screen"),
        ("what is 12 times 7?", "what is 12 times 7?", 'type "12*7" and press enter'),
        ("how many files are there?", "how many files are there?", 'how many "files" are there'),
        ("can you write?", "write?", 'type "Hello"'),
        ("press ctrl+foo", "press ctrl+foo", "is not a key"),
        ("press the any key", "press the any key", "is not a key"),
        ("press and hold shift", "press and hold shift", "which one"),
        ("press Enter to confirm", "press Enter to confirm", "is not a key"),
        ("click OK in the dialog", "click OK in the dialog", "which one"),
        ('check that "A" and "B" are shown', 'check that "A" and "B" are shown', "check that"),
        ("press tab 0 times", "press tab 0 times", "from 1 to 100"),
        (f"press tab {'9' * 5000} times", f"press tab {'9' * 5000} times", "from 1 to 100"),
        ("scroll", "scroll", "scroll down"),
        ("scroll down 5000 times", "scroll down 5000 times", "from 1 to 100"),
        ("wait", "wait", "wait until"),
        ("wait up to 5 seconds", "wait up to 5 seconds", "not what for"),
        ("wait until the file is saved", "wait until the file is saved", "wait until"),
        ('check "Remember me"', 'check "Remember me"', "check that"),
        ("fill in the form", "fill in the form", "fill in"),
        ("set all fields to 5", "set all fields to 5", "which field"),
        ("set the table", "set the table", 'set "Name" to'),
    ],
)
def test_not_understood(goal: str, text: str, reason: str) -> None:
    (only,) = parse_instructions(goal)
    assert isinstance(only, NotUnderstood)
    assert only.text == text
    assert reason in f"{only.reason}; {only.example}"


@pytest.mark.parametrize(
    ("goal", "kinds"),
    [
        ("open X, clik Save, close", [Open, NotUnderstood, Close]),
        ("click Save and clik Close", [Click, NotUnderstood]),
        ("click Save and don't close the window", [Click, NotUnderstood]),
        ("click OK, Next", [Click, NotUnderstood]),
        ("select Milk, clik Save", [Click, NotUnderstood]),
        ("select Milk, Bread, close", [Click, Click, Click]),
        ("select Milk, close the window", [Click, Close]),
        ("click OK, please.", [Click]),
        ("type hello, world", [Type, NotUnderstood]),
        ("if Saved appears, click OK", [NotUnderstood, Click]),
        ("press ctrl and then s", [Press, NotUnderstood]),
        ('click OK, type "a, click B', [Click, NotUnderstood]),
    ],
)
def test_what_is_not_understood_stays_in_its_place(goal: str, kinds: list[type]) -> None:
    assert [type(each) for each in parse_instructions(goal)] == kinds


def test_text_is_the_users_own_words() -> None:
    goal = ' 1. Please open  "A, B",\n2. now type x  and press Enter; choose File > Quit.'
    texts = [each.text for each in parse_instructions(goal)]
    assert texts == ['open  "A, B"', "type x  and press Enter", "choose File > Quit"]


VERBS = [
    "open",
    "click",
    "type",
    "press",
    "scroll",
    "wait",
    "check",
    "close",
    "enter",
    "fill in",
    "put",
    "set",
    "make sure",
]
WORDS = [*VERBS, "Save", "and", "then", "in", "into", "with", "as", "the", "ctrl+s", "3 times", "is shown", "up", "for"]
MARKS = [
    " ",
    ", ",
    ". ",
    "\n",
    "; ",
    '"',
    "'",
    "“",
    "”",
    "«",
    "`",
    ">",
    "512, 300",
    "1. ",
    "- ",
    "\x02",
    "\x03",
    "\x04",
]


@given(st.text() | st.lists(st.sampled_from(WORDS) | st.sampled_from(MARKS) | st.text(max_size=3)).map(" ".join))
def test_only_a_blank_goal_gives_no_instruction(goal: str) -> None:
    assert bool(parse_instructions(goal)) == bool(goal.translate(dict.fromkeys(b"\x02\x03\x04", " ")).strip())


@given(st.sampled_from(['""', "“”", "„“", "«»", "``"]), st.text())
def test_quoted_text_comes_back_exactly(quotes: str, content: str) -> None:
    content = content.replace(quotes[1], "")
    goal = f"click A, type {quotes[0]}{content}{quotes[1]}, close"
    assert without_text(goal) == [click("A"), types(content), CLOSE]


KNOWN = [
    "open Text Editor",
    "click Save As",
    'click the "Save, then close" button',
    "double-click report.txt",
    "click at 512, 300",
    'type "a; b\nand close"',
    "type hello into Name",
    "press ctrl+shift+s",
    "scroll down 5 times",
    'wait until "Saved." appears',
    "check that Error is not shown",
    "close the window",
]
SEPARATORS = [
    ", ",
    ",",
    "; ",
    ". ",
    "\n",
    "\r\n- ",
    "\n2) ",
    " then ",
    ", and ",
    " and ",
    " and then ",
    ". After that, ",
]


@given(st.lists(st.sampled_from(KNOWN), min_size=1), st.data())
def test_joined_instructions_come_back_in_order(known: list[str], data: st.DataObject) -> None:
    goal = known[0]
    for text in known[1:]:
        # A full stop or comma without a space after it is a part of the word that it stands in.
        goal += data.draw(st.sampled_from(SEPARATORS)) + text
    assert [each.text for each in parse_instructions(goal)] == known
    assert without_text(goal) == [each for text in known for each in without_text(text)]


@given(st.lists(st.sampled_from(WORDS) | st.sampled_from(MARKS) | st.text(max_size=5), max_size=12).map(" ".join))
def test_nothing_is_invented(goal: str) -> None:
    normalised = " ".join(goal.split())
    for each in parse_instructions(goal):
        assert each.text in goal
        for field in fields(each):
            value = getattr(each, field.name)
            if field.name in {"name", "target", "content", "into", "expected", "window"} and isinstance(value, str):
                assert value in goal or value in normalised


def test_forty_instructions_are_read_in_linear_time() -> None:
    parse_instructions("click OK")  # the grammar is loaded once
    goal = "\n".join(f'{number}. wait up to 9 s until "Item {number}" is on the screen' for number in range(1, 41))
    began = time.process_time()
    assert len(parse_instructions(goal)) == 40
    assert time.process_time() - began < 10, "a fraction of a second, where not all ways to read them are tried"


def test_verbs_named_in_reasons_are_verbs() -> None:
    (unknown,) = parse_instructions("juggle")
    assert isinstance(unknown, NotUnderstood)
    for verb in re.findall(r"[a-z-]+(?: in)?", unknown.reason.partition("I understand ")[2].replace(" and ", ", ")):
        (bare,) = parse_instructions(verb)
        assert not (isinstance(bare, NotUnderstood) and "cannot start" in bare.reason)


def test_an_application_is_opened_again() -> None:
    [once], [again] = parse_instructions("open the text editor"), parse_instructions("open the text editor again")

    assert isinstance(once, Open)
    assert isinstance(again, Open)
    assert once.name == again.name


@pytest.mark.parametrize("where", ["in my home folder", "into the home directory", "in my home"])
def test_a_file_is_saved_in_the_home_folder(where: str) -> None:
    texts = [one.content for one in parse_instructions(f"save it as a.txt {where}") if isinstance(one, Type)]

    assert texts == ["~/a.txt"]


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("save it as a.txt in my Documents folder", "~/Documents/a.txt"),
        ("save it as a.txt in Downloads", "~/Downloads/a.txt"),
        ("save it as a.txt on the desktop", "~/Desktop/a.txt"),
        ("save it in my documents as a.txt", "~/Documents/a.txt"),
        ("save it in the reports folder as a.txt", "reports/a.txt"),
        ("save it as a.txt in the folder reports", "reports/a.txt"),
        ("save it as plan in march.txt", "plan in march.txt"),
    ],
)
def test_a_file_is_saved_in_a_folder_that_is_named(said: str, path: str) -> None:
    assert [one.content for one in parse_instructions(said) if isinstance(one, Type)] == [path]
