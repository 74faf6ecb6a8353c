"""What of a run's evidence can be opened."""

from typing import Any

import pytest

from gui.log.card_buttons import buttons_of, shown_by, title_of_button
from gui.run.proofs import LAST_SCREEN, MAX_PROOFS, Proof, folder_lines, proofs_of
from gui.run.state import EndCard, StepCard
from mark_i.runs import Shot

FILE = Proof("Open notes.txt", file="/home/a/notes.txt")

HOME = Proof("Open folder", file="/home/a")


@pytest.mark.parametrize(
    ("piece", "proofs"),
    [
        ({"file": "notes.txt", "path": "/home/a/notes.txt"}, (FILE, HOME)),
        (
            {"file": "notes.txt", "path": "/home/a/notes.txt", "observation": 2},
            (FILE, HOME, Proof("Show step 2", step=2)),
        ),
        ({"observation": 2, "saved": "/home/a/notes.txt"}, (FILE, HOME, Proof("Show step 2", step=2))),
        (
            {"observation": 2, "shown": {"how": "kept", "texts": ["/home/a/notes.txt"]}},
            (FILE, HOME, Proof("Show step 2", step=2)),
        ),
        ({"text": "notes.txt", "saved": "/home/a/notes.txt"}, (FILE, HOME)),
        ({"observation": 3, "text": "Paid"}, (Proof("Show step 3", step=3),)),
        ({"text": "Paid", "shown": {"how": "screen"}}, (Proof(LAST_SCREEN),)),
        ({"text": "a.txt", "shown": {"how": "title"}}, (Proof(LAST_SCREEN),)),
        ({"text": "42", "shown": {"how": "result"}}, ()),
        ({"file": "gone.txt", "exists": False}, ()),
    ],
)
def test_what_was_confirmed_is_opened(piece: dict[str, Any], proofs: tuple[Proof, ...]) -> None:
    assert proofs_of([{**piece, "confirmed": True}] * 2) == proofs
    assert proofs_of([{**piece, "confirmed": False}]) == (
        (FILE, HOME) if FILE in proofs and "file" not in piece else ()
    )


def test_a_card_offers_a_few_and_cuts_long_names() -> None:
    many = [{"file": "x", "path": f"/{number}{'x' * 60}", "confirmed": True} for number in range(9)]
    proofs = proofs_of(many)
    assert len(proofs) == MAX_PROOFS
    assert all(len(one.title) < 40 for one in proofs)
    buttons = buttons_of(EndCard("done", "Done", "", mends=("again",), proofs=proofs))
    assert [title_of_button(one) for one in buttons] == ["Try again", *(one.title for one in proofs)]


def test_a_picture_is_one_of_its_own_run() -> None:
    picture = Shot.__new__(Shot)  # that there is one is all that counts
    first, second = StepCard(1, after=picture), StepCard(1, before=picture)
    unseen, end = StepCard(2), EndCard("done", "Done", "")
    cards = (first, end, second, unseen)

    assert shown_by(Proof("", step=1), cards) is second
    assert shown_by(Proof("", step=2), cards) is None
    assert shown_by(Proof(""), cards) is second
    assert shown_by(Proof("", step=1), cards[:1]) is first
    assert shown_by(Proof(""), (first, end)) is None


def test_the_folder_of_a_file_is_told_once() -> None:
    proofs = proofs_of(
        [{"file": "a.txt", "confirmed": True, "path": "/home/ada/a.txt"}, {"text": "x", "confirmed": True}]
    )

    assert folder_lines(proofs, "Saved a.txt.") == ("Folder: /home/ada",)
    assert folder_lines(proofs, "Saved /home/ada/a.txt.") == ()
    assert folder_lines((), "It is 5.") == ()
