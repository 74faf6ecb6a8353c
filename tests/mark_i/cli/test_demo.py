"""The demo in a real editor: what a person reads of a run that is right."""

from pathlib import Path

from mark_i.wording import evidence_lines
from tests.support import Run, events


def test_a_demo_that_is_right_leaves_nothing_unverified(mark_i: Run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"

    done = mark_i("demo", "--virtual", "1280x800", "--json")
    asked = mark_i("runs", "report", "last", "--out", str(page))

    ended = events(done.stdout)[-1]
    assert (done.returncode, ended["outcome"]) == (0, "done"), done.stderr
    [told] = evidence_lines(ended["evidence"], why=False)
    assert told.startswith("Checked: ")
    assert "letter.txt has what steps 2, 3 and 4 typed" in told
    assert asked.returncode == 0, asked.stderr
    assert "Not verified" not in page.read_text(encoding="utf-8")
