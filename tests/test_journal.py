"""A run's folder: what was written is read back, also when the run was killed in the middle of it."""

import contextlib
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from world_model import Action, Frame, Journal, JournalError, Observation, Point, Step, Thought, read_run

ABOUT = {"goal": "say hello", "brain": "scripted"}
CHECKOUT = Path(__file__).parent.parent


def frame(seed: int = 0, origin: Point = Point(0, 0)) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 256, (24, 32, 3), dtype=np.uint8), origin)


def step(index: int, before: Frame | None = None, after: Frame | None = None, said: str = "Done.") -> Step:
    return Step(
        index, Thought("I press."), Action("press", {"keys": "f5"}), Observation(ok=True, text=said), before, after
    )


def dictionaries(steps: tuple[Step, ...] | list[Step]) -> list[dict[str, object]]:
    return [one.to_dict() for one in steps]


def written(folder: Path, *steps: Step) -> Path:
    """A whole run: each action decided, each step added, and the outcome."""
    journal = Journal(folder, ABOUT)
    for one in steps:
        journal.decided(one.index, one.action)
        journal.add(one)
    journal.close({"outcome": "done"})
    return folder


def test_what_is_written_is_read_back_with_its_frames(tmp_path: Path) -> None:
    steps = [step(1, frame(1), frame(2), "Größe: 5 €\n漢字\u2028"), step(2, frame(2), frame(3))]

    run = read_run(written(tmp_path / "run", *steps))

    assert dictionaries(run.steps) == dictionaries(steps)
    for read, original in zip(run.steps, steps, strict=True):
        assert read.before is not None
        assert original.before is not None
        assert read.before.same_as(original.before)
        assert read.after is not None
        assert original.after is not None
        assert read.after.same_as(original.after)


def test_a_frame_comes_back_to_its_place_on_the_desktop(tmp_path: Path) -> None:
    left_of_the_first_monitor = frame(origin=Point(-1920, 0))

    (read,) = read_run(written(tmp_path / "run", step(1, left_of_the_first_monitor))).steps

    assert read.before is not None
    assert read.before.region == left_of_the_first_monitor.region


def test_a_step_without_a_desktop_has_no_frames(tmp_path: Path) -> None:
    assert read_run(written(tmp_path / "run", step(1))).steps == (step(1),)
    assert list((tmp_path / "run" / "frames").iterdir()) == []


def test_the_same_screen_is_stored_once(tmp_path: Path) -> None:
    steps = [step(1, frame(1), frame(1)), step(2, frame(1), frame(1)), step(3, frame(1), frame(2))]

    folder = written(tmp_path / "run", *steps)

    assert {file.name for file in (folder / "frames").iterdir()} == {f"{frame(1).digest}.png", f"{frame(2).digest}.png"}


@pytest.mark.parametrize("text", ["\udcff.txt", "\ud83d"], ids=["the name of a file", "half of a pair"])
def test_text_that_is_not_unicode_is_kept_too(tmp_path: Path, text: str) -> None:
    steps = [step(1, said=text)]

    assert read_run(written(tmp_path / "run", *steps)).steps == tuple(steps)


def test_the_run_tells_what_it_was_and_how_it_ended(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run", ABOUT)
    assert read_run(tmp_path / "run").about == ABOUT

    journal.close({"outcome": "failed", "summary": "No."})

    assert read_run(tmp_path / "run").about == ABOUT | {"outcome": {"outcome": "failed", "summary": "No."}}


def test_what_was_sent_and_what_came_back_is_kept_word_for_word(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run", ABOUT)
    journal.prompt(1, {"system": "Rules", "text": "Goal"}, b"the image as it was sent")
    journal.reply(1, {"text": "{}"})
    journal.prompt(2, {"system": "Rules", "text": "More"}, None)
    journal.close({})

    prompts = [json.loads(line) for line in (tmp_path / "run" / "prompts.jsonl").read_text().splitlines()]
    replies = [json.loads(line) for line in (tmp_path / "run" / "replies.jsonl").read_text().splitlines()]
    assert [(prompt["index"], prompt["system"], prompt["text"]) for prompt in prompts] == [
        (1, "Rules", "Goal"),
        (2, "Rules", "More"),
    ]
    assert (tmp_path / "run" / prompts[0]["image"]).read_bytes() == b"the image as it was sent"
    assert prompts[1]["image"] is None
    assert replies == [{"index": 1, "text": "{}"}]


def test_wherever_the_last_line_is_torn_the_steps_before_it_are_read(tmp_path: Path) -> None:
    steps = [step(1), step(2, said="€" * 9)]
    lines = written(tmp_path / "run", *steps) / "steps.jsonl"
    whole = lines.read_bytes()

    for length in [*range(0, len(whole), 7), len(whole) - 1]:
        lines.write_bytes(whole[:length])
        assert read_run(tmp_path / "run").steps == tuple(steps[: whole[:length].count(b"\n")])


def test_an_action_that_was_decided_and_has_no_result_is_in_flight(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run", ABOUT)
    seen = []

    for index in (1, 2):
        journal.decided(index, Action("click", {"target": f"{index}"}))
        seen.append(read_run(tmp_path / "run").in_flight)
        journal.add(step(index))
        seen.append(read_run(tmp_path / "run").in_flight)
    journal.close({})

    assert seen == [Action("click", {"target": "1"}), None, Action("click", {"target": "2"}), None]


def test_an_action_whose_result_was_torn_is_in_flight_and_a_torn_decision_is_not(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", step(1), step(2))

    with (folder / "steps.jsonl").open("r+b") as file:
        file.truncate(file.seek(0, 2) - 1)
    assert read_run(folder).in_flight == step(2).action

    with (folder / "decisions.jsonl").open("r+b") as file:
        file.truncate(file.seek(0, 2) - 1)
    assert read_run(folder).in_flight is None


def test_a_frame_that_was_not_stored_in_time_is_left_out(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", step(1, frame(1), frame(2)))
    (folder / "frames" / f"{frame(2).digest}.png").unlink()

    (read,) = read_run(folder).steps

    assert read.before is not None
    assert read.after is None


def test_a_folder_that_cannot_be_written_is_a_journal_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "frames").mkdir()

    for folder in (tmp_path / "file" / "run", tmp_path / "old"):
        with pytest.raises(JournalError, match="cannot be written"):
            Journal(folder, ABOUT)


def test_an_image_that_cannot_be_stored_is_told_at_the_end_at_the_latest(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run", ABOUT)
    shutil.rmtree(tmp_path / "run" / "frames")

    with contextlib.suppress(JournalError):  # the image may have failed already
        journal.add(step(1, frame(1)))
    with pytest.raises(JournalError, match="cannot be written"):
        journal.close({"outcome": "done"})


@pytest.mark.parametrize("content", [None, "", "no JSON"])
def test_a_folder_without_a_run_is_a_journal_error(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "run.json").write_text(content)

    with pytest.raises(JournalError, match="no readable run"):
        read_run(tmp_path)


WRITER = """
import sys
from pathlib import Path
import numpy as np
from world_model import Action, Frame, Journal, Observation, Step, Thought

journal = Journal(Path(sys.argv[1]), {"goal": "go on"})
random = np.random.default_rng(0)
for index in range(1, 100_000):
    action = Action("press", {"keys": str(index)})
    journal.decided(index, action)
    frame = Frame(random.integers(0, 256, (60, 80, 3), dtype=np.uint8))
    journal.add(Step(index, Thought("on"), action, Observation(ok=True, text="x" * index), frame, frame))
    print(index, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 2, 17, 90])
def test_a_run_killed_at_any_instant_reads_back_every_step_that_was_acknowledged(
    tmp_path: Path, acknowledged: int
) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path / "run")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT) as writer:
        assert writer.stdout is not None
        for _ in range(acknowledged):
            writer.stdout.readline()
        writer.kill()
        said = [acknowledged, *(int(line) for line in writer.stdout if line.endswith("\n"))]
    assert writer.returncode == -signal.SIGKILL

    run = read_run(tmp_path / "run")

    assert [one.index for one in run.steps] == list(range(1, len(run.steps) + 1))
    assert said[-1] <= len(run.steps) <= said[-1] + 1
    assert all(one.observation.text == "x" * one.index for one in run.steps)
    assert run.in_flight in (None, Action("press", {"keys": str(len(run.steps) + 1)}))
    assert "outcome" not in run.about
