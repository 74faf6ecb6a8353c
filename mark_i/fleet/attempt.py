"""One attempt at a goal: in a folder of its own, on a desktop of its own, from the set-up to the check."""

import json
from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mark_i.agent import AgentCore
from mark_i.assembly.compose import agent_for
from mark_i.assembly.run_config import RunConfig
from mark_i.events import Event
from mark_i.human.takeover_watch import UNWATCHED, Watcher
from toolbelt.control import Control
from toolbelt.desktops import Desktop

COMMAND_MAX_S: Final = 60.0  # for a set-up or a check
NOT_BEGUN: Final = "not begun"


@dataclass(frozen=True, slots=True)
class Attempt:
    """How an attempt ended.

    Attributes:
        solved: whether the goal was reached: the check passed, or without one the run ended as done.
        outcome: how the run ended; `not begun` if the set-up failed.
        said: the agent's final words, and why the check failed if the agent was done.
        usd: the cost; None if the price is unknown.
        actions: as calls in JSON.
        run: the name of its journal.
    """

    goal: str
    solved: bool
    outcome: str
    said: str
    run: str
    seconds: float = 0.0
    steps: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    actions: Sequence[str] = ()


def attempt(  # noqa: PLR0913, PLR0917 - what an attempt is made of
    goal: str,
    setup: str,
    check: str,
    config: RunConfig,
    control: Control,
    files: Path,
    begun: Callable[[str], object] = lambda _run: None,
    seen: Callable[[Event], object] = lambda _event: None,
    watcher: Watcher = UNWATCHED,
) -> Attempt:
    """Make one attempt, which works in the folder `files`.

    Args:
        goal: what is wanted.
        setup: a shell command before it, on its desktop; may be empty.
        check: one after it; may be empty.
        config: of the run, with a virtual desktop.
        control: stops it.
        files: where the run, the set-up and the check are.
        begun: is told the name of the run before anything is done.
        seen: receives each event of the run.
        watcher: is told what the person must know besides.

    Raises:
        Halt: it was stopped.
        DesktopError: the desktop does not start, or is gone.
        JournalError: the journal cannot be written.
    """
    with chdir(files), agent_for(goal, config, control, watcher=watcher) as (agent, journal):
        assert agent.desktop is not None  # noqa: S101 - the run has one
        begun(journal.name)
        if setup and (failure := _failure(agent.desktop, setup, control)):
            return Attempt(goal, False, NOT_BEGUN, f"The set-up failed: {failure}.", journal.name)  # noqa: FBT003
        agent.desktop.grab()  # the windows of the set-up were there before the first look, and may be clicked
        told = acted(agent, goal, seen)
        control.check()
        failed = _failure(agent.desktop, check, control) if check else None
        if failed and told["outcome"] in {"done", "done_unverified"}:
            told["said"] += f" But its check failed: {failed}."
        return Attempt(solved=failed is None if check else told["outcome"] == "done", **told)


def acted(agent: AgentCore, goal: str, seen: Callable[[Event], object] = lambda _event: None) -> dict[str, Any]:
    """Run the agent, and return the fields of its Attempt but `solved`: how it ended, and what it took."""
    last = None
    for last in agent.run(goal):
        seen(last)
    assert last is not None  # noqa: S101 - a run has events
    assert last.outcome is not None  # noqa: S101 - the last one is its end
    usage = last.data["usage"]
    return {
        "goal": goal,
        "outcome": last.outcome.name,
        "said": last.outcome.summary,
        "seconds": round(last.t, 2),
        "steps": last.data["steps"],
        "tokens": usage["input_tokens"] + usage["output_tokens"],
        "usd": usage["cost_usd"],
        "actions": [json.dumps(step.action.to_dict(), ensure_ascii=False) for step in agent.world_model],
        "run": last.data["run"],
    }


def _failure(desktop: Desktop, command: str, control: Control) -> str | None:
    """Run a command, and return why it failed; None if it did not."""
    program = desktop.launch(["sh", "-c", command])
    if not control.until(lambda: not program.running(), COMMAND_MAX_S):
        return f"it did not end within {COMMAND_MAX_S:g} seconds; put an & after what keeps running"
    return program.failure()
