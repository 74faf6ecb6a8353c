"""The process of one run of a fleet, which the supervisor starts, hears and stops over a pipe.

It ends by itself when the pipe does: with the supervisor, however that ended.
"""

import contextlib
import ctypes
import gc
import json
import os
import shutil
import signal
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from mark_i.assembly.options import run_config_of
from mark_i.assembly.run_config import RunConfig
from mark_i.assembly.schema_choice import with_schema
from mark_i.assembly.skill_runs import for_skill
from mark_i.events import Event
from mark_i.fleet.attempt import NOT_BEGUN, Attempt, attempt
from mark_i.fleet.file import Job
from mark_i.fleet.folder import Result, TaskFolder
from mark_i.guard.secrets import NO_SECRETS
from mark_i.human.takeover_watch import Watcher
from mark_i.skills import skill_named, values_for
from toolbelt.control import Control
from toolbelt.ocr import Address, read_elsewhere, serve_reading
from toolbelt.result_schema import ResultSchema
from world_model import DesktopError, Halt, JournalError, MarkIError, ModelError, Size

STOP: Final = "stop"  # what the supervisor sends
LIMITS: Final = ("brain", "base_url", "max_steps", "max_seconds", "max_tokens", "max_cost")
JOB: Final = "MARK_I_JOB"  # a variable of this process and of all that it starts: the folder of the job
BEGUN: Final = "begun"  # kinds of what is heard; this one comes from whoever starts the process
ENDED: Final = "ended"
READY: Final = "ready"
STEP: Final = "step"
NOTICE: Final = "notice"
BROKEN: Final = "broken"
M_ARENA_MAX: Final = -8  # from malloc.h


def work(job: Job, folder: TaskFolder, options: Mapping[str, Any], reader: Address | None, pipe: Connection) -> None:
    """Do one job, and end this process.

    Args:
        job: what to do.
        folder: of the job.
        options: of `mark-i run`: the profile, the policy, and whether everything is approved.
        reader: reads for this process; None if it reads by itself.
        pipe: to the supervisor; what is sent are pairs of a kind and a value.
    """
    # What ends a group of processes is for the supervisor, which then stops this. A program that is started here would
    # ignore what is ignored, so that its desktop could not ask it to end.
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: None)
    gc.freeze()  # or the collector would write to what all processes share, and so copy it
    _use_one_arena()
    os.environ[JOB] = str(folder.path)
    if reader:
        read_elsewhere(reader)
    control = Control()
    threading.Thread(target=_heed, args=(pipe, control), name="supervisor", daemon=True).start()
    try:
        with folder.leased():
            _do(job, folder, options, control, pipe)
    except Halt:
        pass  # without a result, which the supervisor judges by the journal
    except MarkIError as error:  # that of a run is its result: the folder cannot be written, or is still used
        _send(pipe, BROKEN, str(error))
    os._exit(0)  # a thread may still be inside a model call


def config_of(job: Job, options: Mapping[str, Any]) -> tuple[RunConfig, str]:
    """Return what the run of a job is made of, and its goal.

    Raises:
        UsageError: a limit, a brain or a skill cannot be used.
        ModelError: a brain has no key.
    """
    given = {**options, **{name: getattr(job, name) for name in LIMITS}}
    if job.skill:
        given["brain"] = job.brain or "offline"
    config = replace(run_config_of(given), virtual=Size.parse(job.size))
    if job.skill:
        skill, folder = skill_named(options["profile"], job.skill)
        return for_skill(config, skill, values_for(skill, job.values), folder)
    assert job.goal is not None  # noqa: S101 - it has a goal or a skill
    if job.schema:
        config = with_schema(config, ResultSchema(json.loads(job.schema)))
    return config, job.goal


def _do(job: Job, folder: TaskFolder, options: Mapping[str, Any], control: Control, pipe: Connection) -> None:
    if result := folder.result():  # of a process that lived on when its supervisor had gone
        _send(pipe, ENDED, result)
        return
    goal, name, secrets = job.goal or job.skill or "", job.brain or "offline", NO_SECRETS
    events: deque[Event] = deque(maxlen=1)

    def seen(event: Event) -> None:
        events.append(event)
        _tell(event, pipe)

    try:
        config, goal = config_of(job, options)
        name, secrets = config.brain.name, config.secrets
        files = folder.emptied()
        watcher = Watcher(warn=lambda told: _send(pipe, NOTICE, told))
        made = attempt(goal, job.setup, job.check, config, control, files, folder.begin, seen, watcher)
    except (Halt, JournalError):
        raise
    except MarkIError as error:
        [run] = folder.begun()[-1:] or [""]
        made = Attempt(goal, False, _outcome(error), str(error), run)  # noqa: FBT003
    result = Result(
        job.id, job.task, job.row, job.number, secrets.redacted(made.goal), name, made.solved, made.outcome,
        secrets.redacted(made.said), made.seconds, made.steps, made.tokens, made.usd, made.run or None,
        next((one.data.get("result") for one in events), None),
    )  # fmt: skip
    folder.end(result)
    _send(pipe, ENDED, result)


def _outcome(error: MarkIError) -> str:
    kinds = ((ModelError, "model_error"), (DesktopError, "desktop_error"))
    return next((name for kind, name in kinds if isinstance(error, kind)), NOT_BEGUN)


def _tell(event: Event, pipe: Connection) -> None:
    if event.event == "thinking":
        _give_back()
    if event.step:
        usage = event.data["usage"]
        _send(pipe, STEP, (usage["input_tokens"] + usage["output_tokens"], usage["cost_usd"]))


def _use_one_arena() -> None:
    """Let all threads take memory from one arena of the C library: with one for each, a run takes 35 MB more."""
    with contextlib.suppress(AttributeError):  # only glibc has several, and this
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def _give_back() -> None:
    """Give free memory back to the system, which the C library keeps; a run waits for its model most of the time."""
    with contextlib.suppress(AttributeError):  # only glibc keeps it, and has this
        ctypes.CDLL(None).malloc_trim(0)


def _send(pipe: Connection, kind: str, value: object) -> None:
    with contextlib.suppress(OSError):  # the supervisor is gone, and this will stop
        pipe.send((kind, value))


def _heed(pipe: Connection, control: Control) -> None:
    """Stop when the supervisor says so, or is gone."""
    with contextlib.suppress(EOFError, OSError):
        pipe.recv()
    control.stop()


def read_for_all(address: Address, pipe: Connection) -> None:
    """Read for the processes of runs, until the supervisor ends.

    Args:
        address: where they ask.
        pipe: to the supervisor, which is told once they can.
    """
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _use_one_arena()
    threading.Thread(target=_end_with, args=(pipe, address), name="supervisor", daemon=True).start()
    serve_reading(address, lambda: _send(pipe, READY, None))


def _end_with(pipe: Connection, address: Address) -> None:
    """End with the supervisor, which may have been killed: then nobody else removes the folder of the address."""
    with contextlib.suppress(EOFError, OSError):
        pipe.recv()
    shutil.rmtree(Path(address.path).parent, ignore_errors=True)
    os._exit(0)
