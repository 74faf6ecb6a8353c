"""What was typed is compared with what is read where the screen changed."""

import pytest

from toolbelt.ocr import shown_instead
from toolbelt.ocr.lines import Line, Word
from world_model import Region


def lines(*texts: str) -> list[Line]:
    box = Region(0, 0, 10, 10)
    return [Line(text, box, tuple(Word(word, box) for word in text.split())) for text in texts]


@pytest.mark.parametrize(
    ("typed", "shown", "instead"),
    [
        ("teh end of it", ["The end of it"], "The end of it"),
        ("it was teh end", ["1", "it was the end", "Ln 1, Col 15"], "it was the end"),
        ("1122334", ["123 4"], "123 4"),
        ("1122", ["12"], "12"),
        ("1122", ["12", "1", "8", "9", "1"], "12"),  # a display above keys that light up
        ("see you on wednes\n", ["see you on wednesday"], "wednesday"),
        ("a half is 1/2 of it", ["a half is ½ of it"], "a half is ½ of it"),
        ("first line\nsecnod line", ["first line", "second line"], "second line"),
        ("first line\nsecnod line\nthird line", ["first line", "second line", "third line"], "second line"),
        ("Anna\tBert Brecht", ["Anna", "Bret Brecht"], "Bret Brecht"),
        ("It was teh end of a long story", ["It was the end of a", "long story"], "It was the end of a long story"),
        ("a letter that is longer than teh line is", ["a letter that is longer", "than the line is"],
         "a letter that is longer than the line is"),
    ],
)  # fmt: skip
def test_what_a_program_made_of_a_text_is_found(typed: str, shown: list[str], instead: str) -> None:
    assert shown_instead(typed, lines(*shown)) == instead


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("the end of it", ["the end of it"]),
        ("the end of it", ["It is theendofit."]),
        ("Illegal O0 rnodem", ["lllegal Oo modem"]),
        ('He said: "no, (never)"', ["He said: 'no, never)\""]),
        ("ls -la /tmp", ["user@host:~$ ls -la /tmp"]),
        ("a letter that is longer than one line", ["1 a letter that is lon", "Words: 8", "ger than one line", "Ln 1"]),
        ("a letter that is longer than its field is", ["nger than its field is"]),
        ("a letter that is longer than its field is", ["rger than its field is"]),
        ("correct horse battery", ["●●●●●●●●●●●●●●●●●●●●●"]),
        ("correct horse battery", ["*********************"]),
        ("correct horse battery", ["Send", "Ready", "12 messages"]),
        ("correct horse battery", []),
        ("Save", ["Save", "Saved games", "Save As"]),
        ("wednes", ["wednesl"]),  # a caret
        ("ab", ["cd"]),
        ("Привет, мир", ["TpnBeT, Mnp"]),
        ("  \n\t", ["anything"]),
        ("one\ntwo\nthree\nfour four\n", ["four four"]),
        ("\n".join(f"Item number {at}" for at in range(1, 31)), [f"Item number {at}" for at in range(26, 31)]),
        ("12 Harbour Street, Rotterdam\t", ["12 Harbour Street, Rot"]),
        ("a letter that is longer than its field is", ["Subject: ter that is longer than its field is"]),
        ("terminal\n", ["Terminal"]),
        ("text editor\n", ["Text Editor"]),
        ("example.com\n", ["Example Domain"]),
        ("the quick brown fox jumps over the lazy dog", ["the quick brown fox jumps ouer the lazy dog"]),
        ("name is Bob", ["Your name is Bob"]),
        ("nuts and bolts", ["Our nuts and bolts"]),
        ("const", ["constl", "constructor"]),
        ("some Amount at find EUR your than Berlin", ["nber had way", "ne Amount at find EUR your than Berlir"]),
        ("make\n", ["user@host:~$make", "makefile:3: no rule"]),
    ],
)
def test_what_is_there_or_cannot_be_read_is_no_difference(typed: str, shown: list[str]) -> None:
    assert shown_instead(typed, lines(*shown)) == ""


def test_letters_that_stood_after_the_caret_complete_nothing() -> None:
    assert shown_instead("wednes", lines("on wednesday"), lines("on day")) == ""
    assert shown_instead("wednes", lines("on wednesday"), lines("on")) == "wednesday"


@pytest.mark.parametrize("caret", ["\N{BULLET}", "|", "1", "l", "I"])
def test_a_caret_that_is_read_as_a_sign_is_not_shown(caret: str) -> None:
    assert shown_instead("Room 22445", lines(f"Room 245 {caret}")) == "Room 245"


def test_a_last_sign_that_was_typed_is_no_caret() -> None:
    assert shown_instead("Room 22445 1", lines("Room 245 1")) == "Room 245 1"
