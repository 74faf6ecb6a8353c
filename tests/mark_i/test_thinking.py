"""The mind around a reply: asked again, warned of repeats, kept within the budget, and never done without a deed."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from mark_i import (
    AgentCore,
    Limits,
    Models,
    Oversight,
    Prompt,
    Reply,
    ScriptedBrain,
    ToolFailure,
    standard_toolbelt,
    tool,
)
from mark_i.budget import Budget, Ledger
from mark_i.guard.policy import DEFAULT
from mark_i.guard.risk import Guard
from tests.support import action
from toolbelt.tool import Ending, GoalKind
from world_model import Timing, Usage, WorldModel

NONSENSE = "I would rather talk about the weather."
FINISH = action("finish", summary="It is done.")


@tool(risk="look", instead=["list_pages"])
def read_page(name: str) -> str:
    """Read a page."""
    if name == "missing":
        raise ToolFailure("FILE_NOT_FOUND", "There is no page missing.")
    return f"Page {name} says hello."


@tool(risk="look")
def list_pages() -> list[str]:
    """List the pages."""
    return ["first", "second"]


@tool(risk="write")
def write_page(name: str) -> str:
    """Write a page."""
    return f"Wrote {name}."


class Asked:
    """An agent without a screen, and all that it told."""

    def __init__(
        self,
        goal: str,
        *replies: object,
        tools: tuple[object, ...] = (),
        reply: ScriptedBrain | None = None,
        **parts: Any,
    ) -> None:
        self.brain = ScriptedBrain(replies)
        toolbelt = standard_toolbelt(None, read_page, list_pages, write_page, *tools)
        self.agent = AgentCore(Models(self.brain, reply=reply), toolbelt, **parts)
        self.events = list(self.agent.run(goal))
        self.ended = self.events[-1].data
        self.steps = list(self.agent.world_model)
        self.notices = [event.data["text"] for event in self.events if event.event == "notice"]

    @property
    def codes(self) -> list[str | None]:
        return [step.observation.error.code if step.observation.error else None for step in self.steps]


@pytest.mark.parametrize("times", [1, 2, 3])
def test_after_nonsense_the_model_is_asked_again_with_the_reason(times: int) -> None:
    run = Asked("say hello", *[NONSENSE] * times, action("read_page", name="a"), FINISH)

    assert run.ended["outcome"] == "done_unverified"
    assert len(run.steps) == 2
    assert len(run.notices) == times
    for prompt in run.brain.prompts[1 : times + 1]:
        assert "Your last reply could not be used" in prompt.text
        assert NONSENSE in prompt.text
        assert 'Reply with one action, as {"thought": "...", "action": {"tool": "...", "args": {...}}}' in prompt.text
    assert "could not be used" not in run.brain.prompts[times + 1].text


def test_nothing_but_nonsense_is_a_model_error() -> None:
    run = Asked("say hello", *[NONSENSE] * 9)

    assert (run.ended["outcome"], run.ended["exit_code"]) == ("model_error", 4)
    assert len(run.brain.prompts) == 4
    assert NONSENSE in run.ended["summary"]
    assert run.steps == []


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"thought": "Let me think."}, "action"),
        ({"scratchpad": "Let me think."}, "action"),
        ("", "reply"),
        ("[1]", "reply"),
        ("42", "reply"),
    ],
)
def test_a_thought_alone_is_asked_for_its_action(wrong: object, told: str) -> None:
    run = Asked("say hello", wrong, action("read_page", name="a"), FINISH)

    assert run.ended["outcome"] == "done_unverified"
    assert told in run.brain.prompts[1].text.rpartition("could not be used")[2].lower()


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (action("red_page", name="a"), "UNKNOWN_TOOL"),
        (action("read_page"), "INVALID_ARGS"),
        (action("read_page", name="a", colour="red"), "INVALID_ARGS"),
    ],
)
def test_a_wrong_call_is_fed_back_and_never_ends_a_run(wrong: object, code: str) -> None:
    run = Asked("say hello", wrong, action("read_page", name="a"), FINISH)

    assert run.codes == [code, None, None]
    assert f"Error 1: {code}" in run.brain.prompts[1].scratchpad


def test_a_third_identical_failure_is_not_carried_out() -> None:
    calls = []

    @tool(risk="look", instead=["list_pages"])
    def ask_oracle(question: str) -> str:
        """Ask."""
        calls.append(question)
        raise ToolFailure("TIMEOUT", "The oracle sleeps.")

    ask = action("ask_oracle", question="why")
    run = Asked("find out why", ask, ask, ask, ask, FINISH, tools=(ask_oracle,))

    assert calls == ["why", "why"]
    assert "failed twice" in run.brain.prompts[2].text
    assert "Consider list_pages" in run.brain.prompts[2].text
    blocked = run.steps[2].observation.error
    assert blocked is not None
    assert blocked.message.startswith("Not carried out.")
    assert "Consider list_pages" in blocked.hints[0]
    assert run.codes == ["TIMEOUT", "TIMEOUT", "TIMEOUT", "TIMEOUT", None]


def test_the_tool_that_a_failure_suggests_is_considered() -> None:
    @tool(risk="look")
    def ask_oracle(question: str) -> str:
        """Ask."""
        hint = "read_page shows nothing, and another list does."
        raise ToolFailure("TIMEOUT", f"The oracle sleeps on {question}.", [hint], instead=["ask_oracle", "list_pages"])

    ask = action("ask_oracle", question="why")
    run = Asked("find out why", ask, ask, ask, FINISH, tools=(ask_oracle,))

    blocked = run.steps[2].observation.error
    assert blocked is not None
    assert blocked.hints == ("Consider list_pages.", "read_page shows nothing, and another list does.")
    assert blocked.refused_by == "loop_detection"


@pytest.mark.parametrize(
    "vary",
    [
        lambda _: action("read_page", name="missing"),
        lambda number: action("read_page", name="missing") if number % 2 else action("no_such_tool"),
        lambda number: action("write_page", title=f"page {number}"),
        lambda number: action("read_page", name="missing") if number % 2 else action("list_pages"),
    ],
    ids=["the same", "two in turn", "other arguments", "with looks between"],
)
def test_a_run_whose_steps_only_fail_ends(vary: Callable[[int], object]) -> None:
    run = Asked("write the page", *map(vary, range(40)))

    assert run.ended["outcome"] == "model_error"
    assert run.ended["summary"].startswith("The model is stuck")
    assert len(run.steps) < 20


def test_progress_between_failures_is_no_standstill() -> None:
    steps = [
        one
        for number in range(15)
        for one in (action("read_page", name="missing"), action("write_page", name=f"{number}"))
    ]
    run = Asked("write the pages", *steps, FINISH)

    assert len(run.steps) == len(steps) + 1


def test_the_order_of_arguments_does_not_make_another_action() -> None:
    @tool(risk="look")
    def look_up(a: int, b: int) -> str:
        """Look it up."""
        raise ToolFailure("TOOL_ERROR", f"{a} {b}")

    one, other = action("look_up", a=1, b=2), action("look_up", b=2, a=1)
    run = Asked("look it up", one, other, one, FINISH, tools=(look_up,))

    error = run.steps[2].observation.error
    assert error
    assert error.message.startswith("Not carried out.")


def test_a_failed_action_may_be_retried_after_progress() -> None:
    read = action("read_page", name="missing")
    run = Asked("x", read, read, action("write_page", name="missing"), read, FINISH)

    last = run.steps[3].observation.error
    assert last is not None
    assert last.message == "There is no page missing."


def test_looking_at_the_same_again_and_again_is_stopped() -> None:
    look = action("list_pages")
    run = Asked("x", look, look, look, action("read_page", name="first"), FINISH)

    assert run.codes == [None, None, "NO_CHANGE", None, None]
    assert "done twice" in run.brain.prompts[2].text


@pytest.mark.parametrize("names", [("a", "b"), ("a", "b", "c")])
def test_going_round_in_circles_is_stopped(names: tuple[str, ...]) -> None:
    steps = [action("read_page", name=name) for name in names]
    run = Asked("x", *steps, *steps, steps[0], FINISH)

    assert run.codes == [*[None] * 2 * len(names), "NO_CHANGE", None]
    told = [f"The same {len(names)} steps were done twice" in prompt.text for prompt in run.brain.prompts]
    assert told[:-1] == [*[False] * 2 * len(names), True]


def test_ten_steps_that_differ_are_never_cut_short() -> None:
    steps = [action("read_page", name=str(number)) for number in range(10)]

    assert Asked("x", *steps, FINISH).codes == [None] * 11


def test_the_same_deed_ten_times_is_the_goals_own_business() -> None:
    count = [0]

    @tool(risk="write")
    def stamp() -> str:
        """Stamp one letter."""
        count[0] += 1
        return "Stamped."

    assert Asked("stamp ten letters", *[action("stamp")] * 10, FINISH, tools=(stamp,)).ended["steps"] == 11
    assert count == [10]


class Costly:
    """A brain whose every call costs the same."""

    name, sight, space = "costly", 0, "pixels"

    def __init__(self, usage: Usage) -> None:
        self.calls = 0
        self._usage = usage

    def think(self, _prompt: Prompt) -> Reply:
        self.calls += 1
        return Reply(f'{{"action": {{"tool": "read_page", "args": {{"name": "{self.calls}"}}}}}}', self._usage)


@pytest.mark.parametrize(
    ("budget", "calls", "outcome"),
    [
        (Budget(usd=0.035), 3, "limit_cost"),
        (Budget(usd=0.03), 3, "limit_cost"),
        (Budget(tokens=2500), 2, "limit_cost"),
        (Budget(tokens=10), 0, "limit_cost"),
        (Budget(seconds=0.0), 0, "limit_time"),
        (Budget(steps=4), 5, "limit_steps"),
        (Budget(steps=0), 1, "limit_steps"),
    ],
)
def test_a_limit_stops_the_run_before_the_call_that_exceeds_it(budget: Budget, calls: int, outcome: str) -> None:
    brain = Costly(Usage(900, 100, 0.01))

    ended = AgentCore(brain, standard_toolbelt(None, read_page), limits=Limits(budget)).execute_command("x")  # type: ignore[arg-type]

    assert (ended.name, ended.exit_code, brain.calls) == (outcome, 3, calls)


@pytest.mark.parametrize(("seconds", "told"), [(1.0, "1 second"), (0.5, "0.5 seconds"), (90.0, "90 seconds")])
def test_a_limit_of_time_is_told_in_words(seconds: float, told: str) -> None:
    assert str(Ledger(Budget(seconds=seconds)).late()) == f"The limit of {told} is reached."


def test_the_events_say_what_was_spent_and_what_is_left() -> None:
    brain = Costly(Usage(900, 100, 0.01))
    agent = AgentCore(brain, standard_toolbelt(None, read_page), limits=Limits(Budget(steps=50, tokens=4500)))  # type: ignore[arg-type]

    thinking = [event.data["budget"] for event in agent.run("x") if event.event == "thinking"]

    assert [budget["used"]["tokens"] for budget in thinking] == [0, 1000, 2000, 3000, 4000]
    assert [budget["steps_left"] for budget in thinking] == [50, 3, 2, 1, 0]


def test_time_that_a_model_takes_too_long_is_cut_off() -> None:
    asleep = threading.Event()

    class Slow:
        name, sight, space = "slow", 0, "pixels"

        def think(self, _prompt: Prompt) -> Reply:
            asleep.wait(60)
            return Reply("")

    ended = AgentCore(Slow(), standard_toolbelt(None), limits=Limits(Budget(seconds=0.3))).execute_command("x")  # type: ignore[arg-type]
    asleep.set()

    assert ended.name == "limit_time"


def test_at_the_last_step_the_best_answer_is_asked_for_once_more() -> None:
    run = Asked("how many pages", action("list_pages"), {"answer": "Two."}, limits=Limits(Budget(steps=1)))

    assert (run.ended["outcome"], run.ended["exit_code"]) == ("limit_steps", 3)
    assert run.ended["summary"].endswith("The best answer so far: Two.")
    assert len(run.brain.prompts) == 2
    assert "No step is left" in run.brain.prompts[1].text


@pytest.mark.parametrize("last", [action("list_pages"), NONSENSE, {"answer": ""}])
def test_a_last_reply_without_an_answer_is_none(last: object) -> None:
    run = Asked("how many pages", action("list_pages"), last, limits=Limits(Budget(steps=1)))

    assert run.ended["summary"] == "The limit of 1 step was reached before the goal."
    assert len(run.brain.prompts) == 2


def test_a_deed_that_was_not_done_is_sent_back_once() -> None:
    claim = {"thought": "Easy.", "answer": "I created the page x.", "kind": "deed"}
    run = Asked("create the page x", claim, action("write_page", name="x"), claim)

    assert run.codes == ["NO_CHANGE", None, None]
    assert "nothing was done yet" in run.brain.prompts[1].scratchpad
    assert (sent_back := run.steps[0].observation.error)
    assert sent_back.refused_by == "verification"
    assert run.ended["outcome"] == "done_unverified"


def test_who_insists_that_a_deed_was_done_is_not_believed() -> None:
    read = action("read_page", name="x")
    claim = action("finish", summary="I created it.", evidence=[{"observation": 1}], kind="deed")
    run = Asked("create the page x", read, claim, claim)

    assert run.ended["outcome"] == "done_unverified"
    assert run.codes == [None, "NO_CHANGE", None]


CREATE: Final = (
    "create the page x",
    "Erstelle die Seite x",
    "crée la page x",
    "crea la página x",
    "ページ x を作成して",
    "создай страницу x",
)
DELETE: Final = (
    "Delete the file notes.txt",
    "Lösche die Datei notes.txt",
    "Supprime le fichier notes.txt",
    "Borra el archivo notes.txt",
    "ファイル notes.txt を削除して",
    "удали файл notes.txt",
)
LOOK: Final = action("read_page", name="x")
WRITE: Final = action("write_page", name="x")
SEEN: Final = [{"observation": 1}]


def told_deed(kind: str | None, *, evidence: object = SEEN) -> dict[str, object]:
    """A finish that says that it was a deed, or an answer, or leaves that open."""
    said = {} if kind is None else {"kind": kind}
    return action("finish", summary="That is so.", evidence=evidence, **said)


@pytest.mark.parametrize("goal", CREATE)
def test_a_deed_fares_alike_in_every_language(goal: str) -> None:
    undone = Asked(goal, LOOK, told_deed("deed"), told_deed("deed"))
    assert (undone.ended["outcome"], undone.codes) == ("done_unverified", [None, "NO_CHANGE", None])

    unproven = Asked(goal, WRITE, told_deed("deed", evidence=[]))
    assert unproven.ended["outcome"] == "done_unverified"

    assert Asked(goal, WRITE, told_deed("deed")).ended["outcome"] == "done"


@pytest.mark.parametrize("goal", DELETE)
def test_a_deletion_needs_its_own_evidence_in_any_language(goal: str) -> None:
    assert Asked(goal, WRITE, told_deed("deed")).ended["outcome"] == "done_unverified"
    assert Asked(goal, LOOK, told_deed("deed"), told_deed("deed")).ended["outcome"] == "done_unverified"


@pytest.mark.parametrize("goal", DELETE)
def test_stop_words_prove_nothing_in_any_language(goal: str) -> None:
    @tool(risk="write")
    def greet() -> str:
        """Greet."""
        return "The page is for you: die Seite, le site, el sitio, это она."

    assert Asked(goal, action("greet"), told_deed("deed"), tools=(greet,)).ended["outcome"] == "done_unverified"


@pytest.mark.parametrize("goal", CREATE)
@pytest.mark.parametrize(
    ("kind", "outcome", "codes"),
    [("answer", "done", [None, None]), ("deed", "done_unverified", [None, "NO_CHANGE", None])],
)
def test_a_kind_that_is_missing_is_asked_for_once_if_it_matters(
    goal: str, kind: str, outcome: str, codes: list[str | None]
) -> None:
    run = Asked(goal, LOOK, told_deed(None), told_deed(kind), told_deed(None))

    assert (run.ended["outcome"], run.codes) == (outcome, codes)
    asked = ['"kind": "deed"' in "".join(prompt.notices) for prompt in run.brain.prompts]
    assert asked == [False, False, True, *[False] * (len(codes) - 2)]
    assert any("asked once more" in notice for notice in run.notices)


@pytest.mark.parametrize("second", [told_deed(None), NONSENSE])
def test_a_kind_that_stays_open_is_never_done_without_a_deed(second: object) -> None:
    run = Asked("create the page x", LOOK, told_deed(None), second)

    assert (run.ended["outcome"], len(run.brain.prompts)) == ("done_unverified", 3)


def test_a_kind_that_cannot_be_asked_for_leaves_the_first_reply() -> None:
    run = Asked("create the page x", LOOK, told_deed(None))

    assert (run.ended["outcome"], run.ended["summary"]) == ("done_unverified", "That is so.")


def test_a_kind_is_not_asked_for_if_it_changes_nothing() -> None:
    proven = Asked("create the page x", WRITE, told_deed(None))
    assert (proven.ended["outcome"], len(proven.brain.prompts)) == ("done", 2)

    unproven = Asked("create the page x", LOOK, told_deed(None, evidence=[]))
    assert (unproven.ended["outcome"], len(unproven.brain.prompts)) == ("done_unverified", 2)


def test_asked_for_the_kind_a_model_may_act_instead() -> None:
    run = Asked("create the page x", LOOK, told_deed(None), WRITE, told_deed("deed", evidence=[{"observation": 2}]))

    assert (run.ended["outcome"], len(run.steps)) == ("done", 3)


@pytest.mark.parametrize("first", ["deed", None])
def test_an_ending_tool_of_a_plugin_is_called_once(first: GoalKind | None) -> None:
    calls: list[GoalKind | None] = []

    @tool(risk="look")
    def close_ticket(number: int, kind: GoalKind | None = None) -> Ending:
        """Close a ticket and end the run."""
        calls.append(kind)
        return Ending(done=True, summary=f"Closed {number}.", evidence=({"observation": 1},), kind=kind)

    close = action("close_ticket", number=3, kind=first)
    run = Asked("create the page x", WRITE, close, action("close_ticket", number=3, kind="deed"), tools=(close_ticket,))

    assert (run.ended["outcome"], calls) == ("done", ["deed"])
    assert len(run.brain.prompts) == (2 if first else 3)


def test_an_ending_tool_is_not_called_before_the_guard_allows_it() -> None:
    calls: list[int] = []

    @tool(risk="danger")
    def burn(evidence: list[str], summary: str, kind: GoalKind | None = None) -> Ending:
        """Burn everything and end the run."""
        calls.append(1)
        return Ending(done=True, summary=summary, evidence=tuple(evidence), kind=kind)

    guard = Oversight(guard=Guard(DEFAULT))
    burnt = action("burn", evidence=["a"], summary="Burnt.")
    run = Asked("burn it", burnt, action("fail", reason="No."), tools=(burn,), oversight=guard)

    assert (run.codes, calls) == (["DENIED", None], [])


def flaky(failures: int, risk: Any) -> tuple[object, list[int]]:
    calls: list[int] = []

    @tool(risk=risk)
    def fetch() -> str:
        """Fetch it."""
        calls.append(1)
        if len(calls) <= failures:
            raise ConnectionResetError("the line is dead")
        return "Fetched."

    return fetch, calls


def test_a_look_that_the_network_failed_is_tried_again() -> None:
    fetch, calls = flaky(1, "look")
    run = Asked("x", action("fetch"), FINISH, tools=(fetch,))

    assert (len(calls), run.codes) == (2, [None, None])


@pytest.mark.parametrize("risk", ["act", "write", "danger"])
def test_what_has_effects_is_never_done_twice(risk: str) -> None:
    fetch, calls = flaky(1, risk)
    run = Asked("x", action("fetch"), FINISH, tools=(fetch,))

    assert (len(calls), run.codes) == (1, ["NETWORK_ERROR", None])


def test_another_model_may_plan_write_the_last_words_and_look() -> None:
    writer = ScriptedBrain(["Both pages are there."], "writer")
    run = Asked("how many pages are there", action("list_pages"), FINISH, reply=writer)

    assert run.ended["summary"] == "Both pages are there."
    assert "- first" in writer.prompts[0].text
    assert len(run.brain.prompts) == 2


def test_last_words_that_cannot_be_had_leave_the_plans_own() -> None:
    run = Asked("how many", action("list_pages"), FINISH, reply=ScriptedBrain([], "mute"))

    assert run.ended["summary"] == "It is done."
    assert run.notices[-1].startswith("The final words could not be had")


def test_a_tool_added_during_a_run_is_in_the_next_prompt() -> None:
    brain = ScriptedBrain([action("list_pages"), action("late"), FINISH])
    toolbelt = standard_toolbelt(None, list_pages)

    @tool
    def late() -> str:
        """Come late."""
        return "Here I am."

    agent = AgentCore(brain, toolbelt)
    for event in agent.run("x"):
        if event.step and event.step.index == 1:
            toolbelt.add(late)

    assert ["late()" in prompt.system for prompt in brain.prompts] == [False, True, True]


def test_what_failed_may_be_tried_again_after_it_worked_once() -> None:
    results = iter([False, True, False, True])

    @tool(risk="write")
    def shaky() -> str:
        """Fail now and then."""
        if not next(results):
            raise ToolFailure("TOOL_ERROR", "Not now.")
        return "Here."

    run = Asked("x", *[action("shaky")] * 4, FINISH, tools=(shaky,))

    assert run.codes == ["TOOL_ERROR", None, "TOOL_ERROR", None, None]


def test_a_repeated_action_in_between_is_no_progress() -> None:
    @tool(risk="danger")
    def run_code(code: str) -> str:
        """Run code."""
        return code

    rounds = [action("read_page", name="missing"), action("run_code", code="0")] * 4
    run = Asked("x", *rounds, FINISH, tools=(run_code,))

    assert run.codes[:4] == ["FILE_NOT_FOUND", None, "FILE_NOT_FOUND", None]
    error = run.steps[6].observation.error
    assert error is not None
    assert error.message.startswith("Not carried out.")


def test_who_insists_on_looking_again_may_see_what_has_come() -> None:
    replies = iter(["busy", "busy", "finished"])

    @tool(risk="look")
    def job() -> str:
        """How far the job is."""
        return next(replies)

    run = Asked("x", *[action("job")] * 4, FINISH, tools=(job,))

    assert run.codes == [None, None, "NO_CHANGE", None, None]
    assert run.steps[3].observation.text == "finished"


def test_a_tool_may_not_take_longer_than_the_run_may() -> None:
    asleep = threading.Event()

    @tool(risk="look")
    def sleep() -> str:
        """Sleep long."""
        asleep.wait(60)
        return "Awake."

    run = Asked("x", action("sleep"), FINISH, limits=Limits(Budget(seconds=1.0)), tools=(sleep,))
    asleep.set()

    assert (run.ended["outcome"], run.codes) == ("limit_time", ["TIMEOUT"])


def test_a_brain_that_times_out_by_itself_has_reached_no_limit() -> None:
    class Late:
        name, sight, space = "late", 0, "pixels"

        def think(self, _prompt: Prompt) -> Reply:
            raise TimeoutError

    ended = AgentCore(Late(), standard_toolbelt(None)).execute_command("x")  # type: ignore[arg-type]

    assert (ended.name, ended.summary) == ("model_error", "The brain late timed out.")


def test_what_was_spent_before_counts_when_a_run_is_gone_on_with() -> None:
    first = Asked("x", action("list_pages"), limits=Limits(Budget(steps=1)))
    step = replace(first.steps[0], usage=Usage(900, 100), timing=Timing(think_ms=60_000))
    known = WorldModel()
    known.remember(step)

    brain = Costly(Usage(900, 100))
    agent = AgentCore(brain, standard_toolbelt(None, read_page), None, known, limits=Limits(Budget(tokens=1200)))  # type: ignore[arg-type]
    assert (agent.execute_command("x").name, brain.calls) == ("limit_cost", 0)
    late = AgentCore(brain, standard_toolbelt(None, read_page), None, known, limits=Limits(Budget(seconds=50)))  # type: ignore[arg-type]
    assert (late.execute_command("x").name, brain.calls) == ("limit_time", 0)


def test_an_answer_needs_a_related_observation() -> None:
    def outcome(answer: str) -> str:
        end = action("finish", summary=answer, evidence=[{"observation": 1}], kind="answer")
        name: str = Asked("What is the capital of Germany?", action("list_pages"), end).ended["outcome"]
        return name

    assert outcome("berlin") == "done_unverified"
    assert outcome("second") == "done"


def test_a_run_interrupted_after_its_last_step_only_ends() -> None:
    said = "There is a first page."
    end = action("finish", summary=said, evidence=[{"observation": 1}], kind="answer")
    first = Asked("is it so?", action("list_pages"), end)
    known = WorldModel()
    for step in first.steps:
        known.remember(step)
    brain = ScriptedBrain([])

    ended = AgentCore(brain, standard_toolbelt(None, list_pages), None, known).execute_command("is it so?")

    assert (ended.name, ended.summary, brain.prompts) == ("done", said, [])


def test_a_tool_that_wants_to_leave_is_an_observation() -> None:
    @tool
    def leave() -> None:
        """Leave."""
        raise SystemExit(3)

    assert Asked("x", action("leave"), FINISH, tools=(leave,)).codes == ["TOOL_ERROR", None]
