"""Puts a report together: values from the journal, and the page that the template makes of them."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, Literal

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from mark_i.events import OUTCOME_LABELS, usage_summary
from mark_i.guard.secrets import Secrets
from mark_i.printable import CONTROLS
from mark_i.report.charts import times, tokens
from mark_i.report.images import EmbeddedImage, embed_images
from mark_i.report.pace import MOVE_MS, RING_MS, after_ms, path_of, reading_ms
from mark_i.runs.playback import play_back, why_no_outcome
from mark_i.runs.step_images import Annotations, Shot, marks_on, shots_of
from mark_i.runs.store import by_version, is_running, local, spent, summary
from mark_i.startup_check import our_version
from mark_i.wording import CHECKED, weighed
from world_model import (
    JournalError,
    Point,
    Run,
    Step,
    Usage,
    call,
    effects,
    file_fault,
    problem,
    read_prompts,
    read_replies,
    read_run,
    verbatim,
)
from world_model.journal import write_whole

SENT: Final = ("image", "closeup")  # the images of a prompt
ENDINGS: Final[Mapping[str, str]] = {"running": "Running", "killed": "Killed"} | dict(OUTCOME_LABELS)
# Even a text that found a way into the page could load nothing and run nothing.
POLICY: Final = (
    "default-src 'none'; img-src data:; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'"
)


@dataclass(frozen=True, slots=True)
class MarkedImage:
    """An image with its marks, in its own pixels."""

    picture: EmbeddedImage
    marks: Annotations


@dataclass(frozen=True, slots=True)
class ReportStep:
    """One step.

    Attributes:
        began: seconds since the start of the run.
        share: of the longest step's time, 0 to 1.
        path: where the pointer goes, in pixels of the image before.
        read_ms: how long its caption is shown when the run is played, and `rest_ms` what came of it.
        before: and `after`; None where there is no image.
        asked: why approval was needed.
        sent: what the models were sent for it, and `replies` their replies.
    """

    step: Step
    state: Literal["failed", "changed", "same"]
    began: float
    share: float
    path: Sequence[Point]
    read_ms: int
    rest_ms: int
    before: MarkedImage | None
    after: MarkedImage | None
    asked: Sequence[str]
    sent: Sequence[Mapping[str, Any]]
    replies: Sequence[Mapping[str, Any]]


def report(folder: Path, secrets: Secrets) -> bytes:
    """Make the report of the run in a folder, as a page in UTF-8.

    Args:
        folder: the run's.
        secrets: what must not be shown; the journal omits those that existed when it was written.

    Raises:
        JournalError: it cannot be read, or another version wrote it differently.
    """
    with by_version(folder):
        run, sent, replies = read_run(folder, images=False), read_prompts(folder), read_replies(folder)
        usage = spent(folder)
    shown = [name for step in run.steps for name in (_digest(step.before), _digest(step.after)) if name]
    pictures = embed_images(folder, [*shown, *(one[kind] for one in sent for kind in SENT if one.get(kind))])
    events, about = list(play_back(run)), summary(folder)
    ended = events[-1].data if events[-1].event == "ended" else None
    evidence = [secrets.redacted(piece) for piece in ended["evidence"]] if ended else []  # before any is cut
    images = any(name in pictures for name in shown)
    return _rendered(
        secrets,
        about=about,
        begun=events[0].data,
        ended=ended,
        weighed=weighed(evidence, why=about.outcome != "done"),
        broken_off=why_no_outcome(run, running=is_running(folder)),
        in_flight=run.in_flight,
        usage=usage,
        steps=list(_steps(run, sent, replies, pictures)),
        later=(_later(sent, run), _later(replies, run)),
        systems=list(dict.fromkeys(one["system"] for one in sent)),
        charts=[times(run.steps), *([tokens(run.steps)] if any(step.usage.tokens for step in run.steps) else [])],
        pictures=pictures,
        film={"move_ms": MOVE_MS, "ring_ms": RING_MS, "ending_ms": reading_ms(about.said)} if images else None,
    )


def write_report(folder: Path, secrets: Secrets, file: Path | None = None) -> Path:
    """Write the report of the run in a folder, by default into that folder.

    Returns:
        Where it is.

    Raises:
        JournalError: the run cannot be read, or the file cannot be written.
    """
    file = file or folder / "report.html"
    page = report(folder, secrets)
    try:
        write_whole(file, page)
    except OSError as error:
        raise JournalError(
            f"The report {file} cannot be written: {file_fault(error)}. "
            "`mark-i runs report RUN --out FILE` writes it to another place."
        ) from error
    return file


def _steps(
    run: Run,
    sent: Sequence[Mapping[str, Any]],
    replies: Sequence[Mapping[str, Any]],
    pictures: Mapping[str, EmbeddedImage],
) -> Iterator[ReportStep]:
    seconds = [step.timing.seconds for step in run.steps]
    longest = max(seconds, default=0.0) or 1.0
    for step, began, took in zip(run.steps, accumulate(seconds, initial=0.0), seconds, strict=False):
        before, after = (_marked(shot, pictures) for shot in shots_of(step, run.folder))
        asked, prompts, said = (
            [one for one in lines if one["index"] == step.index] for lines in (run.approvals, sent, replies)
        )
        whys = [one["why"] for one in asked]
        path = _path(step, before)
        pace = reading_ms(step.thought.text + call(step.action)), after_ms(step)
        yield ReportStep(step, _state(step), began, took / longest, path, *pace, before, after, whys, prompts, said)


def _path(step: Step, before: MarkedImage | None) -> list[Point]:
    """Return where the pointer goes in the image before a step; what the image does not show is left out."""
    marks = [marks_on(before.picture.seen, point, ()) for point in path_of(step)] if before else []
    return [one.point for one in marks if one.point]


def _marked(shot: Shot | None, pictures: Mapping[str, EmbeddedImage]) -> MarkedImage | None:
    picture = pictures.get(shot.digest) if shot else None
    return MarkedImage(picture, marks_on(picture.seen, shot.point, shot.regions)) if shot and picture else None


def _state(step: Step) -> Literal["failed", "changed", "same"]:
    if not step.observation.ok:
        return "failed"
    screen = step.observation.screen
    return "changed" if screen is None or screen.changed else "same"


def _later(lines: Sequence[Mapping[str, Any]], run: Run) -> list[Mapping[str, Any]]:
    """The calls that belong to no step: for the final answer, or before the run was killed."""
    return [one for one in lines if not 1 <= one["index"] <= len(run.steps)]


def _digest(frame: Any) -> str | None:  # noqa: ANN401
    return frame.digest if frame else None


def _rendered(secrets: Secrets, **values: Any) -> bytes:  # noqa: ANN401 - what the template uses
    style, script = _file("report.css"), _file("report.js") + _file("play.js")

    def printed(value: object) -> str:
        """Convert any value for the page; only our own markup is left as it is."""
        return value if isinstance(value, Markup) else secrets.redacted(str(value)).translate(CONTROLS)

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=printed, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"call": call, "effects": effects, "problem": problem, "verbatim": verbatim}
    environment.filters |= {"local": local, "priced": _priced}
    environment.filters["indented"] = partial(json.dumps, ensure_ascii=False, indent=2)
    environment.globals["checked"] = CHECKED
    page = environment.from_string(_file("report.html")).render(
        **values,
        endings=ENDINGS,
        version=our_version(),
        policy=POLICY.format(style=_hash(style), script=_hash(script)),
        style=Markup(style),  # noqa: S704 - our own files
        script=Markup(script),  # noqa: S704
    )
    return page.encode("utf-8", "replace")  # half a character, which a program may have shown


def _priced(usage: Usage | Mapping[str, Any]) -> str:
    """Format usage, of a step or as the journal has it of a reply."""
    return usage_summary((usage if isinstance(usage, Usage) else Usage(**usage)).to_dict())


def _file(name: str) -> str:
    return (resources.files("mark_i.report") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The hash by which a browser accepts the page's own style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
