"""A run's folder: what was written is read back, also when the run was killed in the middle of it."""

import contextlib
import gc
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, get_args

import cv2
import numpy as np
import pytest

from tests.support import Run as Program, action, script
from world_model import (
    Action,
    Format,
    Frame,
    Journal,
    JournalError,
    Observation,
    Point,
    Problem,
    Region,
    Run,
    ScreenChange,
    Step,
    Thought,
    Usage,
    WorldModel,
    read_about,
    read_replies,
    read_run,
)
from world_model.journal import LINE_FILES, write_whole

ABOUT = {"goal": "say hello", "brain": "scripted"}
CHECKOUT = Path(__file__).parents[2]


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
    begun = read_run(tmp_path / "run").about
    journal.close({"outcome": "failed", "summary": "No."})
    ended = read_run(tmp_path / "run").about

    assert begun == {**ABOUT, "started": begun["started"]}
    assert abs(datetime.now(UTC) - datetime.fromisoformat(begun["started"])) < timedelta(minutes=10)
    assert ended == {**begun, "outcome": {"outcome": "failed", "summary": "No."}, "seconds": ended["seconds"]}
    assert 0 <= ended["seconds"] < 600


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
    assert replies == [{"version": 2, "index": 1, "text": "{}"}]


def test_a_torn_last_line_leaves_the_steps_before_it_readable(tmp_path: Path) -> None:
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


def test_a_torn_result_leaves_the_action_in_flight(tmp_path: Path) -> None:
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


def test_an_image_that_cannot_be_stored_is_reported(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run", ABOUT)
    shutil.rmtree(tmp_path / "run" / "frames")
    large = Frame(
        np.random.default_rng(0).integers(0, 256, (1500, 1500, 3), dtype=np.uint8)
    )  # not done when it returns

    with pytest.raises(JournalError, match="cannot be written"), contextlib.closing(Ending(journal)):
        journal.add(step(1, large))

    assert read_run(tmp_path / "run").steps == (step(1),)
    assert read_run(tmp_path / "run").about["outcome"] == {"outcome": "done"}


def test_an_encoding_bug_is_raised_and_leaves_nothing_open(tmp_path: Path) -> None:
    before = handles()
    journal = Journal(tmp_path / "run", ABOUT)
    seven_colours = Frame(np.zeros((2, 2, 7), np.uint8))

    with pytest.raises(cv2.error, match="channels"), contextlib.closing(Ending(journal)):
        journal.add(step(1, seven_colours))

    assert handles() == before
    assert "journal-images" not in " ".join(thread.name for thread in threading.enumerate())


def test_an_unwritable_outcome_is_an_error_and_leaves_nothing_open(tmp_path: Path) -> None:
    before = handles()
    journal = Journal(tmp_path / "run", ABOUT)
    journal.add(step(1, frame(1)))
    (tmp_path / "run" / "run.json").unlink()
    (tmp_path / "run" / "run.json").mkdir()

    with pytest.raises(JournalError, match=r"run cannot be written"):
        journal.close({"outcome": "done"})

    assert handles() == before
    assert not list((tmp_path / "run").rglob("*.part"))
    assert (tmp_path / "run" / "frames" / f"{frame(1).digest}.png").exists()


@dataclass
class Ending:
    """Closes the journal on the way out, as the agent does."""

    journal: Journal

    def close(self) -> None:
        self.journal.close({"outcome": "done"})


def handles() -> set[str]:
    """The files that this process has open."""
    return {str(entry.readlink()) for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink()}


FULL = """
import resource, sys
from pathlib import Path
import numpy as np
from world_model import Action, Frame, Journal, JournalError, Observation, Step, Thought

journal = Journal(Path(sys.argv[1]), {"goal": "fill the disk"})
resource.setrlimit(resource.RLIMIT_FSIZE, (4000, -1))
random = np.random.default_rng(0)
size = int(sys.argv[2])
written = 0
try:
    for index in range(1, 100):
        journal.decided(index, Action("press", {"keys": "x"}))
        frame = Frame(random.integers(0, 256, (size, size, 3), dtype=np.uint8))
        journal.add(Step(index, Thought("on"), Action("press", {"keys": "x"}), Observation(ok=True, text="x"), frame))
        written = index
except JournalError as error:
    print(written, error)
try:
    journal.close({"outcome": "failed"})
except JournalError as error:
    print(0, error)
"""


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("size", [2, 100], ids=["a line does not fit", "an image does not fit"])
def test_a_disk_that_is_full_is_told_and_leaves_a_whole_journal(tmp_path: Path, size: int) -> None:
    folder = tmp_path / "run"

    command = [sys.executable, "-c", FULL, str(folder), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=CHECKOUT, timeout=60)

    assert done.stderr == ""
    number, _, said = done.stdout.splitlines()[0].partition(" ")
    assert said == f"The run's folder {folder} cannot be written: File too large."
    run = read_run(folder)
    assert int(number) <= len(run.steps) <= int(number) + 1
    assert all((folder / f"{name}.jsonl").read_bytes()[-1:] in (b"", b"\n") for name in LINE_FILES)
    assert list(folder.rglob("*.part")) == []


@pytest.mark.parametrize("name", LINE_FILES)
def test_a_run_that_goes_on_loses_the_torn_line_and_nothing_else(tmp_path: Path, name: str) -> None:
    folder = written(tmp_path / "run", step(1, frame(1)))
    lines = folder / f"{name}.jsonl"
    with lines.open("ab") as file:
        file.write(b'{"index": 2, "to')
    before = {path: path.read_bytes() for path in folder.rglob("*.*") if path.name != "run.json"}

    Journal.reopen(folder).close({"outcome": "done"})

    after = {path: path.read_bytes() for path in before}
    assert after == before | {lines: before[lines].removesuffix(b'{"index": 2, "to')}


def test_a_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", step(1, frame(1), frame(2)))
    (folder / "frames" / "half.png.part").write_bytes(b"\x89PNG")
    (folder / "run.json.0a1b2c3d.part").write_bytes(b"{")
    (folder / "download.part").write_bytes(b"somebody else's")
    ended = read_run(folder).about

    journal = Journal.reopen(folder)
    going_on = read_run(folder).about
    journal.decided(2, step(2).action)
    journal.add(step(2, frame(2), frame(3)))
    journal.close({"outcome": "failed"})

    assert going_on == ABOUT | {"started": ended["started"]}
    run = read_run(folder)
    assert dictionaries(run.steps) == dictionaries([step(1, frame(1), frame(2)), step(2, frame(2), frame(3))])
    assert run.about["outcome"] == {"outcome": "failed"}
    assert run.about["seconds"] >= ended["seconds"]
    assert [path.name for path in folder.rglob("*.part")] == ["download.part"]


def test_a_run_that_was_killed_does_not_know_how_long_it_took(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", step(1))
    (folder / "run.json").write_text(json.dumps(ABOUT))

    Journal.reopen(folder).close({"outcome": "done"})

    assert "seconds" not in read_run(folder).about


def test_an_image_that_was_sent_is_never_written_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run", ABOUT)
    journal.prompt(1, {}, b"first")
    journal.close({})
    for sent in (b"second", b"first", b"third"):
        journal = Journal.reopen(tmp_path / "run")
        journal.prompt(1, {}, sent)
        journal.close({})

    lines = (tmp_path / "run" / "prompts.jsonl").read_text().splitlines()
    images = [json.loads(line)["image"] for line in lines]
    assert [(tmp_path / "run" / image).read_bytes() for image in images] == [b"first", b"second", b"first", b"third"]


def test_what_is_no_run_cannot_go_on(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no readable run"):
        Journal.reopen(tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_long_run_needs_no_more_memory_or_handles(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run", ABOUT)
    used = []
    for index in range(1, 1001):
        journal.prompt(index, {}, b"%d" % index)
        journal.decided(index, Action("press"))
        journal.add(step(index, frame(index), frame(index)))
        if index in (200, 1000):
            gc.collect()
            used.append((sys.getallocatedblocks(), len(handles())))
    journal.close({})

    (blocks_then, handles_then), (blocks_now, handles_now) = used
    assert blocks_now - blocks_then < 800  # of the size of a number or a short text: less than one a step
    assert handles_now <= handles_then + 1  # an image may be just being written


@pytest.mark.parametrize("content", [None, "", "no JSON", "[]", "[" * 100_000])
def test_a_folder_without_a_run_is_a_journal_error(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "run.json").write_text(content)

    with pytest.raises(JournalError, match="no readable run"):
        read_run(tmp_path)


def test_replies_are_read_in_order_and_a_bad_line_is_named(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run", ABOUT)
    replies = [{"index": 1, "text": "what?"}, {"index": 1, "text": "{}", "usage": {"input_tokens": 3}}]
    for reply in replies:
        journal.reply(1, {name: value for name, value in reply.items() if name != "index"})
    journal.close({})
    assert read_replies(tmp_path / "run") == replies

    with (tmp_path / "run" / "replies.jsonl").open("a") as file:
        file.write('{"index": 2}\n')
    with pytest.raises(JournalError, match=r"replies.jsonl, line 3, .*text is missing"):
        read_replies(tmp_path / "run")


def test_what_a_run_is_about_can_be_read_alone(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", step(1), step(2))
    with (folder / "steps.jsonl").open("ab") as file:
        file.write(b"torn")

    about, steps = read_about(folder)

    assert (about["goal"], about["outcome"], steps) == ("say hello", {"outcome": "done"}, 2)


def test_frames_may_be_left_unread_and_keep_their_names(tmp_path: Path) -> None:
    steps = [step(1, frame(1), frame(2))]
    folder = written(tmp_path / "run", *steps)
    shutil.rmtree(folder / "frames")

    run = read_run(folder, images=False)

    assert dictionaries(run.steps) == dictionaries(steps)


DAMAGE = [
    ("steps.jsonl", b"no JSON\n", "line 3"),
    ("steps.jsonl", b"\n", "line 3"),
    ("steps.jsonl", b"\xff\xfe\n", "line 3"),
    ("steps.jsonl", b"[1]\n", "line 3"),
    ("steps.jsonl", b'{"index": 3}\n', "thought is missing"),
    ("steps.jsonl", (json.dumps(step(1).to_dict()) + "\n").encode(), "line 3, is step 1"),
    ("steps.jsonl", (json.dumps(step(4).to_dict()) + "\n").encode(), "line 3, is step 4"),
    ("decisions.jsonl", b'{"index": 3, "tool": "press", "args": null}\n', "line 3, .*args is"),
    ("decisions.jsonl", b"[" * 100_000 + b"\n", "line 3, is not JSON"),
]


@pytest.mark.parametrize(("name", "added", "named"), DAMAGE, ids=lambda value: str(value)[:20])
def test_a_line_that_was_changed_by_hand_is_named_with_its_file(
    tmp_path: Path, name: str, added: bytes, named: str
) -> None:
    folder = written(tmp_path / "run", step(1), step(2))
    with (folder / name).open("ab") as file:
        file.write(added)

    with pytest.raises(JournalError, match=rf"{folder / name}, .*{named}"):
        read_run(folder)


def test_a_run_with_an_edited_value_is_readable_or_refused(tmp_path: Path) -> None:
    problem = Problem("TIMEOUT", "Too slow.", ("Wait.",))
    change = ScreenChange(changed=True, settled_ms=3.0, appeared=("a",), vanished=("b",), regions=(Region(1, 2, 3, 4),))
    seen = Observation(ok=False, text="No.", data={"n": 1}, error=problem, screen=change)
    folder = written(tmp_path / "run", Step(1, Thought("I try."), Action("press", {"keys": "f5"}), seen, frame(1)))
    whole = json.loads((folder / "steps.jsonl").read_bytes())
    refused = told = 0

    for changed in changes(whole):
        (folder / "steps.jsonl").write_text(json.dumps(changed) + "\n")
        try:
            run = read_run(folder)
        except JournalError as error:
            refused += "steps.jsonl, line 1" in str(error)
        else:
            world_model = WorldModel()
            world_model.remember(run.steps[0])
            assert all(world_model.format(form) for form in get_args(Format))
            assert run.steps[0].usage + Usage()
            told += 1
    assert refused + told == len(list(changes(whole)))
    assert refused > 200
    assert told > 50


def changes(value: Any) -> Iterator[Any]:
    """The value with each part of it replaced by each of these, or left out."""
    yield from (None, 7, -1.5, True, "text", "", [], ["x"], [7], {}, {"x": 1})
    if isinstance(value, dict):
        for name in value:
            yield {other: value[other] for other in value if other != name}
            yield from ({**value, name: changed} for changed in changes(value[name]))
    if isinstance(value, list):
        for index in range(len(value)):
            yield from ([*value[:index], changed, *value[index + 1 :]] for changed in changes(value[index]))


@pytest.mark.parametrize("missing", [*(f"{name}.jsonl" for name in LINE_FILES), "frames"])
def test_a_run_reads_back_also_without_one_of_its_files(tmp_path: Path, missing: str) -> None:
    folder = written(tmp_path / "run", step(1, frame(1)))
    path = folder / missing
    shutil.rmtree(path) if path.is_dir() else path.unlink()

    assert [one.thought.text for one in read_run(folder).steps] == ["I press."] * (missing != "steps.jsonl")


def test_an_image_that_was_cut_off_or_changed_is_left_out(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", step(1, frame(1)))
    image = folder / "frames" / f"{frame(1).digest}.png"
    whole = image.read_bytes()
    random = Random(0)
    flipped = [whole[:at] + bytes([whole[at] ^ 1 << random.randrange(8)]) + whole[at + 1 :] for at in range(100)]

    for content in (*(whole[:length] for length in range(0, len(whole), 11)), *flipped, b"\0" * len(whole)):
        image.write_bytes(content)
        (read,) = read_run(folder).steps
        assert read.before is None or read.before.same_as(frame(1))
    image.write_bytes(written_image(tmp_path / "other", frame(2)))
    assert read_run(folder).steps[0].before is None


def written_image(folder: Path, shown: Frame) -> bytes:
    return (written(folder, step(1, shown)) / "frames" / f"{shown.digest}.png").read_bytes()


WRITER = """
import sys
from pathlib import Path
import numpy as np
from world_model import Action, Frame, Journal, Observation, Step, Thought, read_run

folder = Path(sys.argv[1])
done = len(read_run(folder).steps) if folder.exists() else 0
journal = Journal.reopen(folder) if folder.exists() else Journal(folder, {"goal": "go on"})
random = np.random.default_rng(0)
for index in range(done + 1, 100_000):
    action = Action("press", {"keys": str(index)})
    journal.prompt(index, {"text": "x" * index}, b"%d" % index)
    journal.decided(index, action)
    frame = Frame(random.integers(0, 256, (60, 80, 3), dtype=np.uint8))
    journal.add(Step(index, Thought("on"), action, Observation(ok=True, text="x" * index), frame, frame))
    print(index, flush=True)
"""


def killed_after(folder: Path, acknowledged: int) -> int:
    """Write steps until so many are acknowledged, and kill the writer; the last one that it acknowledged."""
    command = [sys.executable, "-c", WRITER, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT) as writer:
        assert writer.stdout is not None
        first = [int(writer.stdout.readline()) for _ in range(acknowledged)]
        writer.kill()
        said = [*first, *(int(line) for line in writer.stdout if line.endswith("\n"))]
    assert writer.returncode == -signal.SIGKILL
    return said[-1]


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("acknowledged", [1, 2, 17, 90])
def test_a_run_killed_at_any_instant_keeps_acknowledged_steps(tmp_path: Path, acknowledged: int) -> None:
    last = killed_after(tmp_path / "run", acknowledged)

    run = read_run(tmp_path / "run")

    assert last <= len(run.steps) <= last + 1
    assert_whole(run)


@pytest.mark.usefixtures("processes")
def test_a_run_that_is_killed_again_and_again_goes_on_each_time(tmp_path: Path) -> None:
    random = Random(0)
    steps = 0
    for _ in range(12):
        last = killed_after(tmp_path / "run", random.randint(1, 9))
        assert last > steps
        run = read_run(tmp_path / "run")
        steps = len(run.steps)
        assert last <= steps <= last + 1
        assert_whole(run)

    prompts = [json.loads(line) for line in (tmp_path / "run" / "prompts.jsonl").read_bytes().splitlines()[:-1]]
    assert {prompt["index"] for prompt in prompts} >= set(range(1, steps))
    images = [(prompt["index"], tmp_path / "run" / prompt["image"]) for prompt in prompts]
    assert all(path.read_bytes() == b"%d" % index for index, path in images if path.exists())


def assert_whole(run: Run) -> None:
    assert [one.index for one in run.steps] == list(range(1, len(run.steps) + 1))
    assert all(one.observation.text == "x" * one.index for one in run.steps)
    assert run.in_flight in (None, Action("press", {"keys": str(len(run.steps) + 1)}))
    assert "outcome" not in run.about


def test_a_run_is_its_persons_alone(mark_i: Program, tmp_path: Path, home: Path) -> None:
    usual = os.umask(0o022)
    try:
        brain = script(tmp_path / "b.jsonl", action("press", keys="shift"), action("fail", reason="That was all."))
        mark_i("run", "goal", "--virtual", "320x240", "--brain", brain)
    finally:
        os.umask(usual)
    [folder] = (home / "profiles" / "default" / "runs").iterdir()
    assert (home / "profiles" / "default").stat().st_mode & 0o777 == 0o700
    assert folder.stat().st_mode & 0o777 == 0o700
    files = [file for file in folder.rglob("*") if file.is_file() and not file.name.endswith(".lock")]
    assert {file.suffix for file in files} >= {".json", ".jsonl", ".png"}
    assert [file for file in files if file.stat().st_mode & 0o077] == []


@pytest.mark.parametrize(
    "command",
    [
        ("tools", "call", "remember", '{"fact": "It rains."}'),
        ("tools", "new", "open_ticket"),
        ("config", "set", "max_steps", "9"),
    ],
)
def test_a_profile_is_its_persons_alone_before_the_first_run(
    mark_i: Program, home: Path, command: tuple[str, ...]
) -> None:
    assert mark_i(*command, umask=0o022).returncode == 0
    assert (home / "profiles" / "default").stat().st_mode & 0o777 == 0o700


def test_a_link_stays_one_and_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(file)
    os.mkfifo(pipe)

    write_whole(link, b"once")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"read")

    assert (link.is_symlink(), file.read_bytes()) == (True, b"once")
    assert (os.read(reader, 9), pipe.is_fifo()) == (b"read", True)
    os.close(reader)


def test_a_file_that_cannot_be_written_is_told_by_its_own_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as told:
        write_whole(tmp_path / "nowhere" / "file", b"")
    assert told.value.filename == str(tmp_path / "nowhere" / "file")


def test_two_who_write_a_file_at_once_do_not_hinder_each_other(tmp_path: Path) -> None:
    file = tmp_path / "file"

    def write(content: bytes) -> None:
        for _ in range(50):
            write_whole(file, content)

    contents = [letter.encode() * 9999 for letter in "abc"]
    with ThreadPoolExecutor() as pool:
        list(pool.map(write, contents))  # an error of theirs is raised here
    assert file.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [file]
