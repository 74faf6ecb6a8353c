"""The tools by which a client hands a whole goal to the agent, and talks to it while it works."""

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any, Final, TypeAlias

import anyio
from anyio.to_thread import run_sync
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolRequestParams, InputRequiredResult
from pydantic import Field

from mark_i.guard.risk import Answer
from mark_i.human.person import WORDS
from mark_i.mcp.asking import Context, Result, can_ask, decision, given
from mark_i.mcp.goal_run import GoalRun, GoalState, Permission, Question
from mark_i.mcp.results import idle, reached, state_of
from mark_i.mcp.skill_tools import SkillCall
from mark_i.mcp.turns import Turns
from toolbelt.result_schema import ResultSchema
from toolbelt.tool import Tool, declared, tool, tools_of
from world_model import UsageError

WAIT_S: Final = 50  # widely used clients give a call up after a minute
WAIT_MAX_S: Final = 3600
POLL_S: Final = 1.0  # after which the thread of a call that was cancelled ends
NONE_RUNS: Final = "No run is going on. Start one with run_goal; it knows what was said before."

Work: TypeAlias = Callable[[Context, CallToolRequestParams], Awaitable[Result]]
Wait: TypeAlias = Annotated[float, Field(ge=0, le=WAIT_MAX_S, description="Wait so long for its end or a question.")]


class GoalCalls:
    """Answers a client's calls of these tools. Each returns the work that a call is, once its arguments are valid."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._tools = {tool.name: tool for tool in tools_of(self)}
        self._undecided: dict[str, tuple[GoalRun, Permission]] = {}  # by the state that comes back with the decision

    async def use(self, context: Context, params: CallToolRequestParams) -> Result:
        """Answer a call.

        Raises:
            MarkIError: it is refused; the message says why.
        """
        used = self._tools[params.name]
        work: Work = used.run(**used.validated(params.arguments or {}))
        return await work(context, params)

    @tool(risk="danger")
    def run_goal(
        self,
        goal: Annotated[str, Field(description="In plain words.")],
        wait_seconds: Wait = WAIT_S,
        continue_run: Annotated[
            str | None, Field(description="The run to follow up on; by default the one before, `none` starts afresh.")
        ] = None,
        schema: Annotated[dict[str, Any] | None, Field(description="A JSON Schema for its answer.")] = None,
    ) -> Work:
        """Let the agent reach a goal on the desktop by itself."""
        wanted = None if schema is None else ResultSchema(schema)
        return partial(self._reached, partial(self._turns.start, _said(goal), continue_run, wanted), wait_seconds)

    @tool(risk="danger")
    def say(
        self,
        text: Annotated[str, Field(description="To an approval: yes, run (for the whole run), no or what else to do.")],
        run: Annotated[str | None, Field(description="The run that must be at work.")] = None,
    ) -> Work:
        """Speak to the agent at work, or answer its question."""
        return partial(self._say, text, run)

    @tool(risk="look")
    def status(self, wait_seconds: Wait = 0) -> Work:
        """Tell what the agent does, thinks and asks."""
        return partial(self._status, wait_seconds)

    @tool(risk="act", idempotent=True)
    def stop(self) -> Work:
        """Stop the agent."""
        return self._stop

    async def do(self, call: SkillCall, context: Context, params: CallToolRequestParams) -> Result:
        """Do a skill, and answer like `run_goal`."""
        return await self._reached(lambda: self._turns.do(call), WAIT_S, context, params)

    async def _reached(
        self, start: Callable[[], GoalRun], seconds: float, context: Context, params: CallToolRequestParams
    ) -> Result:
        run = self._decided(params)
        told = run.told if run else 0
        run = run or start()
        try:
            await run_sync(run.await_begin, abandon_on_cancel=True)
            state = await self._watch(context, run, told, seconds)
        except anyio.get_cancelled_exc_class():
            run.cancel()
            raise
        return reached(state) if isinstance(state, GoalState) else state

    async def _say(self, text: str, name: str | None, context: Context, params: CallToolRequestParams) -> Result:
        run = self._decided(params)
        if run:  # its user has decided
            return state_of(run.state)
        run, text = self._running(name), _said(text)
        asked = run.state.asked
        if isinstance(asked, Permission):
            choice = WORDS.get(text.strip().casefold())
            if can_ask(context) and choice in {"once", "run"}:  # that is for its user to say
                return _told(await self._watch(context, run, run.told, WAIT_S))
            instead = "" if choice else text
            heard = run.decide(asked, Answer(choice or "no", instead))
        elif isinstance(asked, Question):
            heard = run.answer(asked, text)
        else:
            if not await run_sync(run.say, text):
                raise UsageError("The run has just ended, and does not hear that. Call status.")
            heard = True
        if not heard:
            raise UsageError("Somebody else has just answered the question. Call status.")
        return state_of(run.state)

    async def _status(self, seconds: float, context: Context, params: CallToolRequestParams) -> Result:
        run = self._decided(params) or self._turns.goal
        return _told(await self._watch(context, run, run.told, seconds)) if run else idle()

    async def _stop(self, _context: Context, _params: CallToolRequestParams) -> Result:
        run = self._turns.goal
        if run is None:
            return idle()
        run.cancel()
        await run_sync(run.join)
        return state_of(run.state)

    async def _watch(
        self, context: Context, run: GoalRun, told: int, seconds: float
    ) -> GoalState | InputRequiredResult:
        """Tell the client what is being done, and have its user asked, until the run ends, waits, or time is up."""
        end_s = time.monotonic() + seconds
        while True:
            left_s = max(0.0, end_s - time.monotonic())
            lines, state = await run_sync(run.news, told, min(left_s, POLL_S), abandon_on_cancel=True)
            for one in lines:
                told += 1
                await context.session.report_progress(told, message=one)
            if isinstance(state.asked, Permission) and left_s and can_ask(context):
                if asked := await self._ask(context, run, state.asked, left_s):
                    return asked
            elif state.asked or state.ended or not left_s:
                return state

    async def _ask(
        self, context: Context, run: GoalRun, asked: Permission, left_s: float
    ) -> InputRequiredResult | None:
        """Have the user of the client decide; return what the client must be told for that."""
        answer: Answer | InputRequiredResult | None = None
        with anyio.move_on_after(left_s):
            async with anyio.create_task_group() as asking:
                asking.start_soon(_end_when_settled, run, asked, asking.cancel_scope)
                try:
                    answer = await decision(context, asked.action, asked.why)
                except MCPError:  # the client could not ask
                    answer = Answer("no")
                asking.cancel_scope.cancel()
        if isinstance(answer, InputRequiredResult):
            self._undecided[str(answer.request_state)] = run, asked
            return answer
        if answer:
            run.decide(asked, answer)
        return None

    def _decided(self, params: CallToolRequestParams) -> GoalRun | None:
        """Pass on a decision that comes with a repeated call, and return its run."""
        if not params.request_state:
            return None
        run, asked = self._undecided.pop(params.request_state, (None, None))
        if run is None or asked is None:
            raise UsageError("The decision came too late, so nothing was done.")
        run.decide(asked, given(params.input_responses))
        return run

    def _running(self, name: str | None) -> GoalRun:
        """Return the run that is going on.

        Raises:
            UsageError: none is, or another than the client means.
        """
        run = self._turns.goal
        if run is None or run.state.ended:
            raise UsageError(NONE_RUNS)
        if name is not None and run.state.run != name:
            raise UsageError(f"The run {name} is not going on here, but {run.state.run}. Call status.")
        return run


async def _end_when_settled(run: GoalRun, asked: Permission, scope: anyio.CancelScope) -> None:
    """Stop asking once the run no longer waits for that."""
    await run_sync(run.await_settled, asked, abandon_on_cancel=True)
    scope.cancel()


def _told(state: GoalState | InputRequiredResult) -> Result:
    return state_of(state) if isinstance(state, GoalState) else state


def _said(text: str) -> str:
    if not (text := text.strip()):
        raise UsageError("It is empty. Say what is meant.")
    return text


GOAL_TOOLS: Final[dict[str, Tool]] = {one.name: one for one in declared(GoalCalls)}
