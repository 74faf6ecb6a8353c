"""The runs of one server, which use its desktop in turn: the calls of its client, and the goals that it hands over."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from mark_i.assembly.conversation import following
from mark_i.assembly.desktops import SharedDesktop
from mark_i.assembly.run_config import RunConfig
from mark_i.assembly.schema_choice import with_schema
from mark_i.assembly.skill_runs import for_skill
from mark_i.config.paths import runs_folder
from mark_i.events import Outcome
from mark_i.mcp.goal_run import GoalRun
from mark_i.mcp.results import ENDED
from mark_i.mcp.served import Call, McpRun
from mark_i.mcp.skill_tools import SkillCall
from mark_i.runs.follow_up import continued
from toolbelt.control import Control
from toolbelt.result_schema import ResultSchema
from world_model import Action, UsageError

NEW: Final = "none"  # in place of the run to follow up on
AT_WORK: Final = "The agent is using the desktop for a goal. Wait for its end with status, or end it with stop."
ONE_GOAL: Final = (
    "The agent is still at work on the goal before. Wait for its end with status, change the goal with say, or end it "
    "with stop."
)
IN_CALL: Final = "Another call is still at work. Wait for its result, then call run_goal again."


class Turns:
    """Who uses the desktop of a server now: a client that calls tools, or the agent with a goal.

    All but `close` is called from one thread.

    Args:
        calls: what a run for single calls is made of; its desktop is used for the goals, too.
        goals: makes what a run for a goal is made of, or raises a `MarkIError`.
        say: receives what happens besides the runs.
    """

    def __init__(self, calls: RunConfig, goals: Callable[[], RunConfig], say: Callable[[str], None]) -> None:
        self._shared = SharedDesktop(calls.virtual) if calls.virtual else None
        self._calls, self._goals = replace(calls, shared=self._shared), goals
        self._say = say
        self._client: McpRun | None = None
        self._goal: GoalRun | None = None
        self._newest: str | None = None  # run for a goal
        self._in_progress = 0  # calls of tools

    @property
    def goal(self) -> GoalRun | None:
        """The newest run for a goal."""
        return self._goal

    def begin(self, action: Action) -> Call:
        """Queue a call of the client.

        Raises:
            UsageError: the agent uses the desktop, or the person has stopped everything.
        """
        self._check_over()
        if self._is_at_work():
            raise UsageError(AT_WORK)
        before = self._goal.join if self._goal else _at_once
        self._client = self._client or McpRun(self._calls, Control(), self._say, before)
        return self._client.begin(action)

    @contextlib.contextmanager
    def calling(self) -> Iterator[None]:
        """Note that a call of the client is in progress."""
        self._in_progress += 1
        try:
            yield
        finally:
            self._in_progress -= 1

    def cancel(self, call: Call) -> None:
        """Interrupt a call, or drop it if it is still waiting."""
        if self._client:
            self._client.cancel(call)

    def start(self, goal: str, before: str | None, schema: ResultSchema | None = None) -> GoalRun:
        """Start a run for a goal; it follows up on the run `before`, or by default on the goal before.

        With a schema its result fits that.

        Raises:
            UsageError: a call or another goal is in progress, or the person has stopped everything.
        """
        return self._start(goal, lambda: self._config(None if before == NEW else before or self._newest, schema))

    def do(self, call: SkillCall) -> GoalRun:
        """Start a run that does a skill, on the same desktop; raises as `start` does."""
        config, goal = for_skill(self._calls, call.skill, call.values, call.folder)
        return self._start(goal, lambda: config)

    def _start(self, goal: str, config: Callable[[], RunConfig]) -> GoalRun:
        self._check_over()
        if self._is_at_work():
            raise UsageError(ONE_GOAL)
        if self._in_progress:
            raise UsageError(IN_CALL)
        client, last, self._client = self._client, self._goal, None
        if last:
            self._newest = last.state.run or self._newest

        def alone() -> None:
            if client:
                client.close()
            if last:
                last.join()

        self._goal = GoalRun(goal, config, self._say, alone)
        return self._goal

    def close(self) -> None:
        """End every run and the desktop, and wait until everything is released."""
        client, goal = self._client, self._goal
        if goal:
            goal.cancel()
        if client:
            client.close()
        if goal:
            goal.join()
        if self._shared:
            self._shared.close()

    def _config(self, before: str | None, schema: ResultSchema | None) -> RunConfig:
        config = replace(self._goals(), virtual=self._calls.virtual, shared=self._shared)
        config = with_schema(config, schema) if schema else config
        if before is None:
            return config
        return following(config, continued(runs_folder(config.profile), before))

    def _is_at_work(self) -> bool:
        return self._goal is not None and not (self._goal.state.ended or self._goal.is_cancelled)

    def _check_over(self) -> None:
        """Refuse to go on once the person has stopped a run, or the client's own has failed."""
        over = self._client.over if self._client else None
        if self._goal and not self._goal.is_cancelled and _is_stopped(self._goal.state.outcome):
            over = over or self._goal.state.outcome
        if over:
            raise UsageError(ENDED.format(over.summary))


def _is_stopped(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.name == "stopped"


def _at_once() -> None:
    pass
