"""Follow-ups: what a run needs to know of the runs that it continues."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mark_i.brain import PastRun, Word
from mark_i.guard.secrets import MASK
from mark_i.runs.store import find_run, is_running
from world_model import Action, JournalError, Run, Step, UsageError, cut, read_run

CHARS: Final = 1000  # of all earlier goals and answers in a prompt, so that a long conversation costs little more
RUNS_MAX: Final = 10  # of a conversation, the newest
GOALS_RUNS_MAX: Final = 50  # whose goals say what a text is; the first of them typed it
LOOKS: Final = frozenset(
    {"ask_user", "fail", "finish", "list_windows", "marks", "read_screen", "read_value", "scroll", "wait", "wait_for"}
    | {"wait_until_still"}
)
NOTHING_DONE: Final = frozenset({"DENIED", "INVALID_ARGS", "TARGET_AMBIGUOUS", "TARGET_NOT_FOUND", "UNKNOWN_TOOL"})
GOAL_MAX_CHARS: Final = 200
ANSWER_MAX_CHARS: Final = 400
STEPS: Final = 6  # that are told of a run, the last
STEP_MAX_CHARS: Final = 50

_SECRET: Final = re.compile(r"\{\{|" + re.escape(MASK))

Exchange = tuple[str, str]


def continued(runs: Path, name: str) -> Run:
    """Return the run that is to be continued.

    Raises:
        UsageError: there is none of that name, or it is still running.
        JournalError: it cannot be read.
    """
    folder = find_run(runs, name)
    if is_running(folder):
        raise UsageError(f'The run {folder.name} is still running. To speak to it: mark-i say "..."')
    return read_run(folder, images=False)


def exchanges(run: Run) -> tuple[Exchange, ...]:
    """Return what was asked and answered in a run and in those that it continued, oldest first, within few words."""
    found, left = list[Exchange](), CHARS
    for one in _chain(run):
        asked, answered = exchange = _exchange(one)
        left -= len(asked) + len(answered)
        if found and left < 0:
            break
        found.append(exchange)
    return tuple(reversed(found))


def exchanges_before(run: Run) -> tuple[Exchange, ...]:
    """Return what a run was told of those that it continued, as `exchanges` does."""
    *before, _ = reversed([*_chain(run)])
    return exchanges(before[-1]) if before else ()


def goals_done(run: Run) -> tuple[str | PastRun, ...]:
    """Return the goals on which a run and those that it continued have worked, oldest first, word for word.

    If the person said anything meanwhile, the goal alone does not tell what was done. What a run typed is unknown if it
    typed a secret; nothing before that is told. A run that changed nothing has no
    steps.
    """
    found, since = list[str | PastRun](), tuple[Step, ...]()
    for one in _chain(run, GOALS_RUNS_MAX):
        outcome = one.about.get("outcome")
        ended: Mapping[str, Any] = outcome if isinstance(outcome, Mapping) else {}
        first = str(one.about.get("goal", ""))
        goal = str(ended.get("goal") or first)
        is_done = ended.get("outcome") in {"done", "done_unverified"}
        lost = None if is_done else _lost(one)
        if not is_done and not lost and not any(map(_may_have_changed, one.steps)):
            found.append(PastRun("", ()))
            continue
        if _SECRET.search("\n".join([first, goal, *(str(word["text"]) for word in one.words)])):
            break
        late = ended.get("unheard") or ()  # it is the goal of the run after this one
        said = tuple(Word(int(word["index"]), str(word["text"])) for word in one.words if word["text"] not in late)
        is_told = is_done and not said and all(step.action.tool != "ask_user" for step in one.steps)
        found.append(goal if is_told else PastRun(first, one.steps, said, lost, since, is_done))
        since = one.steps
    return tuple(reversed(found))


def _lost(run: Run) -> Action | None:
    """Return the action of which nobody knows what came: a run ended in it, or it failed on its way."""
    if run.in_flight:
        return None if run.in_flight.tool in LOOKS else run.in_flight
    deeds = [step for step in run.steps if step.action.tool not in LOOKS][-1:]
    return next((step.action for step in deeds if not step.observation.ok and _may_have_changed(step)), None)


def _may_have_changed(step: Step) -> bool:
    """Whether a step of a run that failed may have changed something: it did more than look, or than find nothing."""
    error = step.observation.error
    return step.action.tool not in LOOKS and not (error and error.code in NOTHING_DONE)


def goals_done_before(run: Run) -> tuple[str | PastRun, ...]:
    """Return the goals on which the runs that a run continued have worked, as `goals_done` does."""
    *before, _ = reversed([*_chain(run)])
    return goals_done(before[-1]) if before else ()


def _chain(run: Run, most: int = RUNS_MAX) -> Iterator[Run]:
    """Yield a run and those before it, newest first; one that was deleted or cannot be read ends them."""
    seen = set[str]()
    for _ in range(most):
        yield run
        seen.add(run.folder.name)
        settings = run.about.get("settings")
        before = settings.get("continues") if isinstance(settings, Mapping) else None
        if not isinstance(before, str) or before in seen or Path(before).name != before:
            return
        try:
            run = read_run(run.folder.parent / before, images=False)
        except JournalError:
            return


def _exchange(run: Run) -> Exchange:
    outcome = run.about.get("outcome")
    ended: Mapping[str, Any] = outcome if isinstance(outcome, Mapping) else {}
    late = ended.get("unheard") or ()  # it is the goal of the run after this one
    said = (str(word["text"]) for word in run.words if word["text"] not in late)
    asked = "; ".join([str(run.about.get("goal", "")), *said])
    steps = [step for step in run.steps if step.observation.ok][-STEPS:]
    done = "; ".join(map(_told, steps))
    answer = f"{ended.get('outcome', 'interrupted')}: {cut(str(ended.get('summary', '')), ANSWER_MAX_CHARS)}"
    return cut(asked, GOAL_MAX_CHARS), f"{answer}\nLast steps: {done}" if done else answer


def _told(step: Step) -> str:
    """`click Save`: the tool, and what it was used on or with."""
    value = next(iter(step.action.args.values()), "")
    told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{step.action.tool} {cut(' '.join(told.split()), STEP_MAX_CHARS)}".strip()
