"""The report of a fleet, or of two beside each other: one HTML file with its table, and a page for each failed run."""

import base64
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup
from PIL import Image

from mark_i.config.api_keys import Keys
from mark_i.config.paths import runs_folder
from mark_i.events import OUTCOME_LABELS
from mark_i.fleet.attempt import NOT_BEGUN
from mark_i.fleet.figures import Row, differences, row, rows
from mark_i.fleet.folder import UNKNOWN, FleetFolder, Result
from mark_i.printable import CONTROLS
from mark_i.report import write_report
from mark_i.startup_check import our_version
from world_model import Frame, JournalError, file_fault, read_frame, read_run
from world_model.journal import write_whole

BESIDE: Final = "beside-{}.html"  # the report of two fleets
PAGES: Final = "reports"  # the folder of the pages of runs
PAGES_MAX: Final = 50  # of failed runs; each takes about a second
PICTURE_SIZE_PX: Final = (480, 480)
QUALITY: Final = 70  # of the pictures, as WebP


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that did not reach its goal.

    Attributes:
        picture: its last screen, as a data URI; None if there is none.
        page: its own report, beside this one; None if there is none.
    """

    title: str
    result: Result
    picture: Markup | None
    page: str | None

    @property
    def ended(self) -> str:
        """How it ended, as a person reads it."""
        return ended_as(self.result)


def ended_as(result: Result) -> str:
    """Return how a run ended, as a person reads it."""
    labels = {
        UNKNOWN: "Not known",
        NOT_BEGUN: "Not begun",
        **{str(name): label for name, label in OUTCOME_LABELS.items()},
    }
    return labels.get(result.outcome, result.outcome)


def table_style() -> Markup:
    """Return the style of pages with tables."""
    return Markup(resources.files("mark_i.fleet").joinpath("table.css").read_text("utf-8"))  # noqa: S704 - our own file


def all_rows(folder: FleetFolder) -> list[Row]:
    """Return the rows of a fleet's table: its tasks, in the order of its file, and all of them."""
    results = sorted(folder.results.values(), key=lambda one: one.id)
    return [*rows(results, lambda one: one.task), row("All", results)]


def last_screen(run: Path) -> Frame | None:
    """Return the last screen of a run that its journal has.

    Raises:
        JournalError: the run cannot be read.
    """
    for step in reversed(read_run(run, images=False).steps):
        shot = step.after or step.before
        if shot and (frame := read_frame(run, shot.digest)):
            return frame
    return None


def write_fleet_report(folder: FleetFolder, profile: str, other: FleetFolder | None = None) -> Path:
    """Write the report into the folder of the fleet; with another fleet, one of how that does beside it.

    Raises:
        JournalError: it cannot be written.
    """
    results = sorted(folder.results.values(), key=lambda one: one.id)
    failed = [one for one in results if not one.solved]
    secrets = Keys(profile).secrets()

    def printed(value: object) -> str:
        """Convert any value for the page; only our own markup is left as it is."""
        return value if isinstance(value, Markup) else secrets.redacted(str(value)).translate(CONTROLS)

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=printed, trim_blocks=True, lstrip_blocks=True
    )
    file = folder.path / (BESIDE.format(other.path.name) if other else "report.html")
    try:
        page = environment.from_string(
            resources.files("mark_i.fleet").joinpath("fleet.html").read_text("utf-8")
        ).render(
            style=table_style(),
            file=Path(folder.file).name,
            version=our_version(),
            whole=row("All", results),
            left=len(folder.titles) - len(results),
            tables=_tables(folder, results),
            found=[(folder.titles.get(one.id, one.id), _json(one)) for one in results if one.result is not None],
            failures=[_failure(folder, one, profile, number) for number, one in enumerate(failed)],
            other=other and other.path.name,
            differences=differences(all_rows(folder), all_rows(other)) if other else [],
        )
        write_whole(file, page.encode())
    except OSError as error:
        raise JournalError(f"The report {file} cannot be written: {file_fault(error)}.") from error
    return file


def _tables(folder: FleetFolder, results: Sequence[Result]) -> list[tuple[str, list[Row]]]:
    """Return the tables with their headings; that of the models only if there is more than one."""
    by_model = rows(results, lambda one: one.brain)
    return [("Task", all_rows(folder)), *([("Model", by_model)] if len(by_model) > 1 else [])]


def _json(result: Result) -> str:
    return json.dumps(result.result, ensure_ascii=False, indent=2)


def _failure(folder: FleetFolder, result: Result, profile: str, number: int) -> Failure:
    title = folder.titles.get(result.id, result.id)
    run = runs_folder(profile) / result.run if result.run else None
    if run is None or not (run / "run.json").exists():
        return Failure(title, result, None, None)
    page = f"{PAGES}/{run.name}.html"
    if number < PAGES_MAX and not (folder.path / page).exists():
        try:
            (folder.path / PAGES).mkdir(exist_ok=True)
            write_report(run, Keys(profile).secrets(), folder.path / page)
        except JournalError:  # the run was edited, or another version wrote it
            return Failure(title, result, None, None)
    return Failure(title, result, _picture(run), page if (folder.path / page).exists() else None)


def _picture(run: Path) -> Markup | None:
    """Return the last screen of a run as a data URI."""
    if (frame := last_screen(run)) is None:
        return None
    image = Image.fromarray(frame.pixels)
    image.thumbnail(PICTURE_SIZE_PX, Image.Resampling.LANCZOS, reducing_gap=2.0)
    content = io.BytesIO()
    image.save(content, "WEBP", quality=QUALITY)
    return Markup(f"data:image/webp;base64,{base64.b64encode(content.getvalue()).decode()}")  # noqa: S704 - base64
