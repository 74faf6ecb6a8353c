"""A past run told again, and put through today's code: what changed is told, and nothing is done."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from PIL import Image, ImageDraw, ImageFont

from mark_i import AgentCore, Eyes, FakeDesktop, ScriptedBrain, standard_toolbelt
from mark_i.cli.commands.runs import runs
from mark_i.config.paths import runs_folder
from mark_i.guard.secrets import NO_SECRETS
from mark_i.report.page import report
from mark_i.runs.playback import KILLED, RUNNING
from mark_i.runs.store import running
from tests.support import Run, action, events, script
from toolbelt.desktops.fake import Input
from toolbelt.tools.files import Files
from world_model import Frame, Journal, JournalError, UsageError, read_run

NAME: Final = "20260101-101500-a1b2c3"
SAVE, SAVED = (60, 40), (300, 200)  # where the word begins
FOUND: Final = [action("click", target="Save"), action("finish", summary="It is saved.")]
REPLAY: Final = {"sees": {"sight": 0, "space": "pixels"}, "desktop": "fake"}


def screen(inputs: Sequence[Input] = ()) -> Image.Image:
    """Two words, and something new once anything was done."""
    image = Image.new("RGB", (480, 320), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(size=24)
    draw.text(SAVE, "Save", "black", font)
    draw.text((60, 200), "Cancel", "black", font)
    if any(name == "click" for name, *_ in inputs):
        draw.text(SAVED, "It is saved", "black", font)
    return image


def recorded(*replies: object, folder: Path | None = None, **about: Any) -> Path:
    """The journal of a real run on a desktop that is drawn."""
    folder = folder or runs_folder() / NAME
    desktop = FakeDesktop(screen)
    eyes = Eyes(desktop, desktop.control)
    brain = ScriptedBrain(list(replies))
    journal = Journal(folder, {"goal": "Save", "brain": brain.name, **REPLAY, **about})
    belt = standard_toolbelt(eyes, Files([Path.cwd()]))
    AgentCore(brain, belt, desktop, eyes=eyes, journal=journal).execute_command("Save")
    return folder


def changed(folder: Path, file: str, old: str, new: str) -> None:
    """Something else stands in a file of a journal, as if it had been so then."""
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")


def said(*arguments: str) -> Result:
    return CliRunner().invoke(runs, ["replay", "last", *arguments], standalone_mode=False)


def checked() -> tuple[int, dict[str, Any]]:
    """The exit code of a check, and what it tells."""
    done = said("--check", "--json")
    assert done.exception is None, done.exception
    return done.return_value, json.loads(done.output)


# Told again --------------------------------------------------------------------------------------------------------


def test_a_run_is_told_again_as_it_was_told(mark_i: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    replies = [
        action("press", keys="shift"),
        action("click", target="what is not there"),
        action("move", target={"x": 9, "y": 9}),
    ]
    brain = script(tmp_path / "brain.jsonl", *replies, action("finish", summary="Moved.", evidence=[{"text": "x"}]))
    live = mark_i("run", "Move", "--virtual", "640x480", "--brain", brain)

    again = mark_i("runs", "replay", "last")

    lines = [line for line in live.stdout.splitlines() if not line.startswith(("Journal", "  Notice"))]
    assert len(lines) > 20
    assert again.stdout.splitlines() == [line.replace(" Ctrl-C stops the agent.", "") for line in lines]
    assert again.returncode == 0


def test_a_program_gets_the_same_events_again(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", action("press", keys="shift"), action("fail", reason="Enough."))
    live = events(mark_i("run", "Press", "--virtual", "640x480", "--brain", brain, "--json").stdout)

    again = events(mark_i("runs", "replay", "last", "--json").stdout)

    live = [event for event in live if event["event"] != "notice"]
    assert [event["event"] for event in again] == [event["event"] for event in live]
    untimed = [[{**event, "t": 0} for event in told if event["event"] in ("step", "ended")] for told in (live, again)]
    assert untimed[0] == untimed[1]


@pytest.mark.parametrize("goes_on", [True, False])
def test_where_a_run_has_no_end_that_is_said(goes_on: bool) -> None:  # noqa: FBT001
    folder = recorded(*FOUND)
    about = json.loads((folder / "run.json").read_text())
    del about["outcome"]
    (folder / "run.json").write_text(json.dumps(about))
    with (folder / "steps.jsonl").open("a") as file:
        file.write('{"index": 3, "tho')

    if goes_on:
        with running(folder):
            output = said().output
    else:
        output = said().output

    assert (RUNNING if goes_on else KILLED) in " ".join(output.split())
    assert "Step 2" in output


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": {"outcome": "done", "sources": 5, "unsupported": [5], "evidence": [{"text": "Saved"}]}},
        {"outcome": {"outcome": "done", "sources": [{"step": 1}]}, "settings": {"style": []}},
    ],
)
def test_an_outcome_edited_by_hand_is_shown_as_far_as_possible(change: dict[str, Any]) -> None:
    folder = recorded(*FOUND)
    about = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**about, **change}))

    assert "Done." in said().output
    assert report(folder, NO_SECRETS)


def test_what_a_terminal_would_obey_is_shown_and_not_sent() -> None:
    recorded({"thought": "\x1b]0;title\x07", "action": {"tool": "finish", "args": {"summary": "\x1b[31m"}}})

    output = said().output

    assert "␛]0;title␇" in output
    assert not {"\x1b", "\x07"} & set(output)


def test_a_journal_of_a_newer_version_is_one_clear_line() -> None:
    folder = recorded(*FOUND, versions={"mark-i": "9.0"})
    (folder / "steps.jsonl").write_text('{"index": 1, "shape": "new"}\n')

    for done in (said(), said("--check")):
        assert isinstance(done.exception, JournalError)
        assert "It was written by MARK-I 9.0; this is " in str(done.exception)


# Checked -----------------------------------------------------------------------------------------------------------


def test_a_run_on_a_real_screen_is_checked_and_a_moved_click_found(mark_i: Run, tmp_path: Path) -> None:
    brain = script(
        tmp_path / "brain.jsonl",
        action("open_app", name="xterm", args=["-fa", "Monospace", "-fs", "18", "-e", "echo Apples; echo Pears; cat"]),
        action("wait_for", text="Pears", timeout=60),
        action("click", target="Apples"),
        action("type_text", text="hello", enter=True),
        action("right_click", target={"text": "Pears"}),
        action("finish", summary="Done."),
    )
    done = mark_i("run", "Click", "--virtual", "800x600", "--brain", brain, "--yes")
    assert "Clicked" in done.stdout, done.stdout

    same = mark_i("runs", "replay", "last", "--check")
    (folder,) = runs_folder().iterdir()
    step = read_run(folder, images=False).steps[2]
    [place] = step.observation.places
    changed(folder, "steps.jsonl", f'[{{"x": {place.x}, "y": {place.y}, ', '[{"x": 3, "y": 4, ')
    moved = mark_i("runs", "replay", "last", "--check")

    assert (same.returncode, same.stdout) == (0, "Steps checked: 6. Changes: none.\n")
    assert moved.returncode == 1
    line, total = moved.stdout.splitlines()
    assert line == f"Step 3: the place moved: it was 3, 4; today it is {place.x}, {place.y}"
    assert total == "Steps checked: 6. Changes: 1."


def test_nothing_changed_where_the_code_is_the_same() -> None:
    recorded(*FOUND)

    assert checked() == (0, {"steps": 2, "unseen": [], "changes": []})


def test_a_changed_decision_does_not_stop_the_check() -> None:
    folder = recorded(action("click", target="Save"), action("click", target="Cancel"), action("fail", reason="No."))
    changed(folder, "replies.jsonl", '\\"target\\": \\"Save\\"', '\\"target\\": \\"Send\\"')

    code, told = checked()

    assert code == 1
    assert (told["steps"], told["unseen"]) == (3, [])
    assert told["changes"] == [
        {"step": 1, "what": "decision", "then": 'click({"target": "Save"})', "today": 'click({"target": "Send"})'}
    ]


def test_a_place_in_another_space_is_a_changed_decision() -> None:
    folder = recorded(action("click", target={"x": 100, "y": 50}), action("fail", reason="No."))
    changed(folder, "run.json", '"space": "pixels"', '"space": "thousandths"')

    code, told = checked()

    assert code == 1
    assert [(one["step"], one["what"]) for one in told["changes"]] == [(1, "decision")]
    assert told["changes"][0]["today"] == 'click({"target": {"x": 48, "y": 16}})'


def test_an_unreadable_reply_is_a_change_of_its_step_alone() -> None:
    folder = recorded(*FOUND)
    lines = (folder / "replies.jsonl").read_text().splitlines()
    first = {**json.loads(lines[0]), "text": "Hm."}
    (folder / "replies.jsonl").write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n")

    code, told = checked()

    assert code == 1
    [change] = told["changes"]
    assert (change["step"], change["what"]) == (1, "decision")
    assert change["today"].startswith("none: ")


def test_a_reply_that_was_asked_for_again_is_asked_for_again() -> None:
    recorded("Hm.", *FOUND)

    assert checked() == (0, {"steps": 2, "unseen": [], "changes": []})


def test_a_text_found_only_today_is_reported() -> None:
    folder = recorded(action("click", target="Nowhere"), action("fail", reason="No."))
    for file in ("replies.jsonl", "decisions.jsonl", "steps.jsonl"):
        changed(folder, file, "Nowhere", "Cancel")

    code, told = checked()

    assert code == 1
    [change] = told["changes"]
    assert (change["what"], change["then"]) == ("place", "TARGET_NOT_FOUND")
    x, y = map(int, change["today"].split(", "))
    assert 60 < x < 160
    assert 195 < y < 235


def test_what_was_not_found_and_is_not_found_today_is_no_change() -> None:
    recorded(action("click", target="Nowhere"), action("fail", reason="No."))

    assert checked()[0] == 0


def test_a_place_by_its_mark_is_found_by_the_same_mark() -> None:
    recorded(action("marks"), action("click", target={"mark": 2}), action("fail", reason="No."))

    assert checked() == (0, {"steps": 3, "unseen": [], "changes": []})


def test_a_step_without_its_image_is_named_and_skipped() -> None:
    folder = recorded(*FOUND)
    before = read_run(folder).steps[0].before
    assert isinstance(before, Frame)
    (folder / "frames" / f"{before.digest}.png").unlink()

    done = said("--check")

    assert done.return_value == 0
    assert done.output == (
        "Not checked, because their images are missing from the run's folder: 1.\nSteps checked: 1. Changes: none.\n"
    )


def test_a_run_of_which_nothing_could_be_checked_does_not_pass() -> None:
    folder = recorded(*FOUND)
    for picture in (folder / "frames").iterdir():
        picture.unlink()

    done = said("--check")

    assert done.return_value == checked()[0] == 1
    assert done.output.splitlines()[-1] == "Nothing could be checked."


def test_nothing_is_done_in_a_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recorded(action("write_file", path="notes.txt", text="hello"), action("finish", summary="Written."))
    assert (tmp_path / "notes.txt").read_text() == "hello"
    (tmp_path / "notes.txt").unlink()
    folder = runs_folder() / NAME
    kept = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}

    assert checked()[0] == 0

    assert list(tmp_path.glob("notes*")) == []
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == kept


def test_a_run_without_a_screen_is_checked_by_its_decisions(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", action("list_files", path="."), {"thought": "I know.", "answer": "None."})
    mark_i("ask", "What is here?", "--brain", brain)
    (folder,) = runs_folder().iterdir()

    same = checked()
    changed(folder, "replies.jsonl", "list_files", "read_file")

    assert same == (0, {"steps": 2, "unseen": [], "changes": []})
    assert [(one["step"], one["what"]) for one in checked()[1]["changes"]] == [(1, "decision")]


def test_a_run_through_a_workflow_is_checked_too(mark_i: Run, tmp_path: Path) -> None:
    press, reflection = action("press", keys="shift"), "All is well."
    brain = script(tmp_path / "brain.jsonl", press, reflection, press, reflection, action("fail", reason="Enough."))
    mark_i("run", "Press", "--workflow", "critic", "--virtual", "640x480", "--brain", brain)
    (folder,) = runs_folder().iterdir()
    assert reflection in (folder / "replies.jsonl").read_text()

    assert checked() == (0, {"steps": 3, "unseen": [], "changes": []})


def test_a_run_in_which_no_model_said_anything_is_refused() -> None:
    folder = recorded(*FOUND)
    (folder / "replies.jsonl").write_text("")

    done = said("--check")

    assert isinstance(done.exception, UsageError)
    assert "has no replies of a model" in str(done.exception)
