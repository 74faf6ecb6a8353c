"""The film of a run, opened again: its frames are the screens of the journal, in order, and no word too many."""

import errno
import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from mark_i import AgentCore, Eyes, FakeDesktop, ScriptedBrain, standard_toolbelt
from mark_i.config.paths import runs_folder
from mark_i.report.film_frames import FAILED, MAX_SIDE_PX, font_for, wrapped
from mark_i.report.pace import AFTER_MS, MAX_READING_MS, MIN_READING_MS, RING_MS
from mark_i.runs import RING
from tests.mark_i.report.made_runs import NAME, asked, screen, step, told
from tests.support import action
from toolbelt.desktops.fake import Input
from toolbelt.tools.files import Files
from world_model import Frame, Journal, JournalError, Pixels, Point, UsageError, read_run

LONG: Final = "I save the letter, since the goal says so and nothing else is open on this screen. " * 9
Shown = tuple[Pixels, int]  # a frame and its milliseconds


def drawn(inputs: Sequence[Input] = ()) -> Image.Image:
    """A button without a word, which no test has to read, and what comes of it."""
    image = Image.new("RGB", (480, 320), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((60, 40, 120, 64), "gray")
    if any(name == "click" for name, *_ in inputs):
        draw.rectangle((300, 100, 460, 220), "navy")
    return image


def recorded() -> Path:
    """The journal of a real run on a desktop that is drawn: a click, and the end."""
    desktop = FakeDesktop(drawn)
    eyes = Eyes(desktop, desktop.control)
    brain = ScriptedBrain([action("click", target={"x": 80, "y": 50}), action("finish", summary="It is saved.")])
    journal = Journal(runs_folder() / NAME, {"goal": "Save", "brain": brain.name, "desktop": "fake"})
    belt = standard_toolbelt(eyes, Files([Path.cwd()]))
    AgentCore(brain, belt, desktop, eyes=eyes, journal=journal).execute_command("Save")
    return journal.folder


def film(file: Path) -> list[Shown]:
    """The frames of a film that the command wrote."""
    done = asked("--film", str(file))
    assert done.output == f"Film: {file}\n", done
    with Image.open(file) as opened:
        frames = []
        for number in range(opened.n_frames):  # type: ignore[attr-defined]
            opened.seek(number)
            frames.append((np.asarray(opened.convert("RGB")), int(opened.info["duration"])))
    return frames


def shows(frame: Pixels, screen: Pixels) -> bool:
    """Whether a screen is in a frame, but for the pointer."""
    height, width = screen.shape[:2]
    differs = np.abs(frame[:height, :width].astype(int) - screen).max(2) > 60
    return bool(differs.mean() < 0.01)


def colored(frame: Pixels, color: tuple[int, int, int]) -> int:
    return int((np.abs(frame.astype(int) - color).max(2) < 40).sum())


@pytest.mark.parametrize("kind", [".gif", ".webp"])
def test_a_film_shows_each_step_of_a_real_run(tmp_path: Path, kind: str) -> None:
    run = read_run(recorded())
    click = run.steps[0]
    assert click.before
    assert click.after

    frames = film(tmp_path / f"run{kind}")

    before = [number for number, (frame, _) in enumerate(frames) if shows(frame, click.before.pixels)]
    after = [number for number, (frame, _) in enumerate(frames) if shows(frame, click.after.pixels)]
    ringed = [number for number, (frame, _) in enumerate(frames) if colored(frame, RING) > 100]
    assert before == list(range(1, after[0]))  # after the goal
    assert after == list(range(after[0], len(frames) - 1))  # then the end
    assert ringed == [before[-1]]
    place = click.observation.places[0].point
    around = frames[ringed[0]][0][place.y - 40 : place.y + 40, place.x - 40 : place.x + 40]
    assert colored(around, RING) == colored(frames[ringed[0]][0], RING)
    assert len(before) > 6  # the pointer is on its way
    assert frames[before[0]][1] >= MIN_READING_MS
    assert frames[ringed[0]][1] == RING_MS
    assert sum(shown for _, shown in frames[after[0] : -1]) >= 2 * AFTER_MS
    assert all(shown <= 2 * MAX_READING_MS for _, shown in frames)
    height = click.before.region.height
    words = [frame[height:] for frame, _ in (frames[0], frames[before[0]], frames[after[-1]])]
    assert all(not np.array_equal(one, other) for one, other in itertools.combinations(words, 2))


def test_the_pointer_drags_from_place_to_place(tmp_path: Path) -> None:
    dragged = step(1, screen(40, (480, 320)), screen(40, (480, 320)), places=(Point(200, 50), Point(400, 250)))
    told([dragged])

    frames = [frame for frame, _ in film(tmp_path / "run.gif")]

    centers = []
    for frame in frames:
        ys, xs = np.nonzero(np.abs(frame.astype(int) - RING).max(2) < 40)
        if len(xs):
            centers.append(((xs.min() + xs.max()) / 2, (ys.min() + ys.max()) / 2))
    assert centers[0] == pytest.approx((100, 50), abs=2)  # the monitor begins at 100
    assert centers[-1] == pytest.approx((300, 250), abs=2)
    assert all(one[0] <= other[0] and one[1] <= other[1] for one, other in itertools.pairwise(centers))
    assert len(centers) > 6


def test_a_failed_action_is_told_in_red_and_rings_nothing(tmp_path: Path) -> None:
    told([step(1, screen(40, (480, 320)), screen(40, (480, 320)))])
    well = film(tmp_path / "well.gif")
    (runs_folder() / NAME).rename(runs_folder() / "20250101-000000-000000")
    failed = step(1, screen(40, (480, 320)), screen(40, (480, 320)), "There is no such thing", failed=True)
    told([failed])

    frames = film(tmp_path / "failed.gif")

    red = tuple(int(FAILED[at : at + 2], 16) for at in (1, 3, 5))
    assert [colored(frame, red) > 30 for frame, _ in frames] == [False, False, True, False]  # type: ignore[arg-type]
    assert not any(colored(frame, RING) for frame, _ in frames)
    assert any(colored(frame, RING) for frame, _ in well)


def test_a_large_screen_is_scaled_down_and_another_fits_in(tmp_path: Path) -> None:
    told([step(1, screen(200, (1600, 900)), screen(90, (625, 900)))])

    frames = film(tmp_path / "run.gif")

    (height, width), after = frames[0][0].shape[:2], frames[-2][0]
    assert (width, MAX_SIDE_PX) == (1280, 1280)
    assert 720 < height < 900
    assert [int(after[300, x, 0]) for x in (100, 490)] == [90, 90]
    assert after[300, 900, 0] < 60  # nothing of the screen before


def test_what_a_film_says_keeps_secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    films = []
    for number, words in enumerate(("correct horse battery", "{{secret:bank}}", "correct horse battery")):
        folder = told([step(1, screen(1), screen(2), words)], words)
        if number:
            monkeypatch.setenv("MARK_I_SECRET_BANK", "correct horse battery")
        film(tmp_path / f"{number}.gif")
        films.append((tmp_path / f"{number}.gif").read_bytes())
        folder.rename(folder.with_name(f"2025010{number + 1}-000000-000000"))

    assert films[2] == films[1]
    assert films[2] != films[0]


def test_a_film_and_a_page_are_written_together(tmp_path: Path) -> None:
    told([step(1, screen(1), screen(2))])
    files = [tmp_path / name for name in ("run.gif", "run.html")]

    done = asked("--film", str(files[0]), "--out", str(files[1]))

    assert done.output == f"Film: {files[0]}\nReport: {files[1]}\n"
    assert [file.read_bytes()[:5] for file in files] == [b"GIF89", b"<!doc"]


def test_a_missing_image_leaves_the_one_before(tmp_path: Path) -> None:
    shades = [screen(shade, (480, 320)) for shade in (40, 120, 200)]
    folder = told([step(1, shades[0], shades[1]), step(2, shades[1], shades[2])])
    (folder / "frames" / f"{shades[1].digest}.png").write_bytes(b"torn")

    frames = film(tmp_path / "run.gif")

    seen = [int(frame[5, 5, 0]) for frame, _ in frames[1:-1]]
    assert [shade for shade, _ in itertools.groupby(seen)] == [40, 200]


# Words -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [LONG, "x" * 500, "Save.", ""])
def test_a_thought_is_cut_to_two_lines_that_fit(words: str) -> None:
    font = font_for(words, 20)

    lines = wrapped(words, font, 600, 2)

    assert all(font.getlength(line) <= 600 for line in lines)
    assert len(lines) == (2 if len(words) > 60 else len(words[:1]))
    shown = " ".join(lines) if " " in words else "".join(lines)
    assert words.startswith(shown.removesuffix("…").strip())
    assert shown.endswith("…") == (len(words) > 60)


def test_other_scripts_get_a_font_that_has_them() -> None:
    own = ImageFont.load_default(20)

    font = font_for("Привет", 20)

    assert bytes(font.getmask("Ж")) != bytes(font.getmask("\U0010ffff"))
    assert bytes(own.getmask("Ж")) == bytes(own.getmask("\U0010ffff"))


# What cannot be ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("run.avi", "run.avi must end in .mp4, .webp or .gif."),
        ("run", "run must end in .mp4, .webp or .gif."),
        ("there.gif", "there.gif is not written: the file exists already."),
        ("nowhere/run.gif", "nowhere/run.gif is not written: there is no folder"),
    ],
)
def test_a_file_that_cannot_become_a_film_is_refused(tmp_path: Path, name: str, said: str) -> None:
    told([step(1, screen(1), screen(2))])
    (tmp_path / "there.gif").write_text("mine")

    done = asked("--film", str(tmp_path / name))

    assert isinstance(done.exception, UsageError)
    assert said in str(done.exception)
    assert "\n" not in str(done.exception)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("there.gif", "mine")]


def test_a_run_without_steps_has_no_film(tmp_path: Path) -> None:
    told([])

    done = asked("--film", str(tmp_path / "run.gif"))

    assert isinstance(done.exception, UsageError)
    assert str(done.exception) == f"The run {NAME} has no step, so there is nothing to film."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("shown", "said"), [(screen(1), "its images are missing from its folder."), (None, "it had no screen.")]
)
def test_a_run_without_images_has_no_film(tmp_path: Path, shown: Frame | None, said: str) -> None:
    folder = told([step(1, shown, shown)])
    for file in (folder / "frames").glob("*.png"):
        file.unlink()

    done = asked("--film", str(tmp_path / "run.gif"))

    assert isinstance(done.exception, JournalError)
    assert str(done.exception) == f"There is no film of the run {NAME}: {said}"
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_nothing_half_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told([step(1, screen(1), screen(2))])

    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    done = asked("--film", str(tmp_path / "run.gif"))

    assert isinstance(done.exception, JournalError)
    assert str(done.exception).endswith(
        "run.gif cannot be written: No space left on device; delete what is not needed."
    )
    assert list(tmp_path.iterdir()) == []
