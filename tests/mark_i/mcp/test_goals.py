"""A client hands whole goals to the agent and talks to it: the real SDK's client, our server, and a scripted model."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from mcp.client.client import Client
from mcp.client.session import ElicitationFnT
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult

from mark_i.assembly.run_config import RunConfig
from mark_i.brain import Prompt, Reply, Space
from mark_i.cli.commands.mcp import _tools
from mark_i.config.paths import runs_folder
from mark_i.guard.secrets import Secrets
from mark_i.mcp.goal_run import Permission
from mark_i.mcp.resources import RunResources
from mark_i.mcp.server import Calls, server_for
from mark_i.mcp.skill_tools import SkillTools
from mark_i.mcp.turns import Turns
from mark_i.runs.stop_file import stop_run
from tests.mark_i.mcp.client_results import ERAS, text, values
from tests.support import CAP_S, action, finish, gone, soon
from toolbelt.control import Control
from world_model import ModelError, Size, read_run

T = TypeVar("T")
WRITE: Final = action("write_file", path="a.txt", text="hello")
ASK: Final = action("ask_user", question="Which file?")
END: Final = finish()
ANSWER: Final = action("finish", summary="It is blue.", kind="answer")
LONG: Final = {"wait_seconds": CAP_S}


class Model:
    """A brain with scripted replies, one that waits at its `at`-th thought until it is let go."""

    name, sight = "scripted", 0
    space: Space = "pixels"

    def __init__(self, *replies: Mapping[str, Any], at: int = 0) -> None:
        self.replies, self.at, self.prompts = [*replies], at, list[str]()
        self.go = threading.Event()

    def think(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt.text)
        if len(self.prompts) == self.at:
            self.go.wait(CAP_S)
        return Reply(json.dumps(self.replies.pop(0)))


def turns_of(model: Model, **more: Any) -> Turns:
    """The runs of a server; they have that model, and by default no screen."""
    config = replace(RunConfig(model, screen=False), **more)
    return Turns(config, lambda: config, lambda _text: None)


def asked(
    work: Callable[[Client], Awaitable[T]],
    served: Model | Turns,
    era: str = "auto",
    ask: ElicitationFnT | None = None,
) -> T:
    """What a client does with a server."""
    turns = served if isinstance(served, Turns) else turns_of(served)

    async def whole() -> T:
        calls = Calls(turns, _tools("default", ()), SkillTools("default", (), print))
        server = server_for(calls, RunResources("default"))
        async with Client(server, mode=era, elicitation_callback=ask) as client:
            return await work(client)

    with closing(turns):
        return asyncio.run(asyncio.wait_for(whole(), CAP_S))


def answering(decision: str, messages: list[str]) -> ElicitationFnT:
    async def answer(context: object, params: ElicitRequestParams) -> ElicitResult:
        del context
        messages.append(params.message)
        return ElicitResult(action="accept", content={"decision": decision})

    return answer


async def came(condition: Callable[[], object]) -> bool:
    return await asyncio.to_thread(soon, condition)


@pytest.mark.parametrize("era", ERAS)
def test_a_goal_is_reached_and_each_step_is_told(era: str) -> None:
    told: list[tuple[float, str | None]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        del total
        told.append((progress, message))

    async def work(client: Client) -> CallToolResult:
        assert values(await client.call_tool("status"))["state"] == "idle"
        return await client.call_tool("run_goal", {"goal": "What colour is it?", **LONG}, progress_callback=tell)

    result = asked(work, Model(action("list_files", path="."), ANSWER), era)

    [folder] = runs_folder().iterdir()
    assert values(result) | {"evidence": [], "usage": {}} == {
        "state": "ended",
        "goal": "What colour is it?",
        "run": folder.name,
        "brain": "scripted",
        "thought": "I use finish.",
        "action": 'finish({"summary": "It is blue.", "kind": "answer"})',
        "outcome": "done_unverified",
        "answer": "It is blue.",
        "evidence": [],
        "step": 2,
        "steps": 2,
        "usage": {},
    }
    assert values(result)["usage"]["input_tokens"] == 0
    assert text(result).startswith("Done, but not verified. It is blue.")
    assert not result.is_error
    assert told[0] == (1, 'Step 1: list_files({"path": "."}). I use list_files.')
    assert [progress for progress, _ in told] == [*range(1, len(told) + 1)]


def test_a_client_gets_a_result_by_its_schema() -> None:
    schema = {"type": "object", "properties": {"colour": {"enum": ["red", "blue"]}}, "required": ["colour"]}
    said = {"summary": "It is blue.", "kind": "answer"}
    wrong, right = (action("finish", **said, result={"colour": one}) for one in ("Blue.", "blue"))

    async def work(client: Client) -> list[CallToolResult]:
        faulty = await client.call_tool("run_goal", {"goal": "What colour is it?", "schema": {"type": "any"}, **LONG})
        return [faulty, await client.call_tool("run_goal", {"goal": "What colour is it?", "schema": schema, **LONG})]

    refused, result = asked(work, Model(wrong, right))

    assert refused.is_error
    assert "The schema is not a valid JSON Schema. At $.type" in text(refused)
    assert values(result)["result"] == {"colour": "blue"}
    assert '{"colour": "blue"}' in text(result)


def test_a_goal_that_is_not_reached_is_an_error() -> None:
    async def work(client: Client) -> CallToolResult:
        return await client.call_tool("run_goal", {"goal": "Paint it", **LONG})

    result = asked(work, Model(action("fail", reason="There is no paint.")))

    assert result.is_error
    assert values(result)["outcome"] == "failed"
    assert text(result).startswith("Failed. There is no paint.")


def test_a_later_goal_knows_what_was_said_before_unless_it_starts_afresh() -> None:
    model = Model(*[ANSWER] * 4)

    async def work(client: Client) -> list[Any]:
        goals = ({"goal": "What colour?"}, {"goal": "And now?"}, {"goal": "New", "continue_run": "none"})
        ended = [values(await client.call_tool("run_goal", {**goal, **LONG})) for goal in goals]
        named = {"goal": "Again", "continue_run": ended[0]["run"], **LONG}
        ended.append(values(await client.call_tool("run_goal", named)))
        return [read_run(runs_folder() / one["run"]).about["settings"]["continues"] for one in ended]

    first, second, third, fourth = asked(work, model)

    names = sorted(one.name for one in runs_folder().iterdir())
    assert (first, second, third, fourth) == (None, names[0], None, names[0])
    assert ["Question: What colour?" in prompt for prompt in model.prompts] == [False, True, False, True]
    assert "Question: And now?" not in model.prompts[3]


def test_a_question_is_answered_with_say() -> None:
    model = Model(ASK, ANSWER)

    async def work(client: Client) -> None:
        waits = await client.call_tool("run_goal", {"goal": "Open the file", **LONG})
        assert (values(waits)["state"], values(waits)["question"]) == ("waiting", "Which file?")
        assert text(waits).startswith("The agent asks: Which file?\nAnswer with say.")
        assert values(await client.call_tool("status", LONG))["question"] == "Which file?"
        heard = await client.call_tool("say", {"text": "the other one"})
        assert "question" not in values(heard)
        assert values(await client.call_tool("status", LONG))["state"] == "ended"

    asked(work, model)

    assert "the other one" in model.prompts[1]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("decision", "written"), [("once", True), ("no", False)])
def test_the_user_of_a_client_that_can_ask_decides(
    era: str, decision: str, *, written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    messages: list[str] = []

    async def work(client: Client) -> dict[str, Any]:
        return values(await client.call_tool("run_goal", {"goal": "Write it", **LONG}))

    ended = asked(work, Model(WRITE, ANSWER), era, answering(decision, messages))

    assert ended["state"] == "ended"
    [message] = messages
    assert message.startswith('write_file({"path": "a.txt"')
    assert (tmp_path / "a.txt").exists() is written


@pytest.mark.parametrize("era", ERAS)
def test_a_yes_of_the_model_does_not_take_the_place_of_its_users(
    era: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    turns, messages = turns_of(Model(WRITE, ANSWER)), list[str]()

    async def work(client: Client) -> None:
        await client.call_tool("run_goal", {"goal": "Write it", "wait_seconds": 0})
        assert await came(lambda: turns.goal and turns.goal.state.asked)
        state = await client.call_tool("status")
        assert values(state)["approval"].startswith('write_file({"path": "a.txt"')
        assert not messages
        await client.call_tool("say", {"text": "yes"})
        await client.call_tool("status", LONG)

    asked(work, turns, era, answering("no", messages))

    assert len(messages) == 1
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.parametrize(
    ("said", "written"), [("yes", True), ("Run", True), ("no", False), ("Ask the owner first", False)]
)
def test_an_approval_of_a_client_that_cannot_ask_is_given_with_say(
    said: str, *, written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    model = Model(WRITE, ANSWER)

    async def work(client: Client) -> None:
        waits = await client.call_tool("run_goal", {"goal": "Write it", **LONG})
        assert values(waits)["state"] == "waiting"
        assert "unless the user agrees" in text(waits)
        assert not (tmp_path / "a.txt").exists()
        await client.call_tool("say", {"text": said})
        await client.call_tool("status", LONG)

    asked(work, model)

    assert (tmp_path / "a.txt").exists() is written
    assert ("Ask the owner first" in model.prompts[1]) is said.startswith("Ask")


def test_while_the_agent_works_it_hears_and_nobody_else_acts() -> None:
    model = Model(action("list_files", path="."), ANSWER, at=2)

    async def work(client: Client) -> None:
        await client.call_tool("list_files", {"path": "."})  # its run makes way
        begun = values(await client.call_tool("run_goal", {"goal": "Look", "wait_seconds": 0}))
        assert begun["state"] == "running"
        assert await came(lambda: len(model.prompts) == 2)
        state = values(await client.call_tool("status"))
        assert (state["run"], state["action"], state["steps"]) == (begun["run"], 'list_files({"path": "."})', 1)
        for name, args in (("run_goal", {"goal": "Other"}), ("press", {"keys": "x"}), ("screenshot", {})):
            refused = await client.call_tool(name, args)
            assert refused.is_error
            assert "stop" in text(refused)
            assert "\n" not in text(refused)
        assert (await client.call_tool("say", {"text": "x", "run": "another"})).is_error
        assert not (await client.call_tool("say", {"text": "No, the other", "run": begun["run"]})).is_error
        model.replies.insert(0, action("list_files", path="."))
        model.go.set()
        assert values(await client.call_tool("status", LONG))["state"] == "ended"
        assert not (await client.call_tool("list_files", {"path": "."})).is_error
        [word] = read_run(runs_folder() / begun["run"]).words
        assert word["text"] == "No, the other"

    asked(work, model)

    assert "No, the other" in model.prompts[2]


def test_stop_says_what_it_stopped_and_the_next_goal_runs() -> None:
    model = Model(*[ANSWER] * 3, at=1)

    async def work(client: Client) -> None:
        await client.call_tool("run_goal", {"goal": "Look at it", "wait_seconds": 0})
        stopped = await client.call_tool("stop")
        assert text(stopped).startswith("Stopped.")
        assert "'Look at it'" in text(stopped)
        assert values(stopped)["outcome"] == "stopped"
        assert (await client.call_tool("say", {"text": "on"})).is_error
        model.go.set()
        again = values(await client.call_tool("run_goal", {"goal": "Look again", **LONG}))
        assert again["answer"] == "It is blue."

    asked(work, model)


@pytest.mark.parametrize("era", ERAS)
def test_a_cancelled_goal_is_stopped_and_the_next_runs_at_once(era: str) -> None:
    model = Model(*[ANSWER] * 3, at=1)

    async def work(client: Client) -> None:
        running = asyncio.create_task(client.call_tool("run_goal", {"goal": "Look", **LONG}))
        assert await came(lambda: model.prompts)
        running.cancel()
        assert values(await client.call_tool("status", LONG))["outcome"] == "stopped"
        model.go.set()
        again = values(await client.call_tool("run_goal", {"goal": "Look again", **LONG}))
        assert again["answer"] == "It is blue."

    asked(work, model, era)


def test_a_stop_by_the_person_is_for_good() -> None:
    model = Model(ANSWER, at=1)

    async def work(client: Client) -> None:
        run = values(await client.call_tool("run_goal", {"goal": "Look", "wait_seconds": 0}))["run"]
        assert await asyncio.to_thread(stop_run, runs_folder() / run, CAP_S)
        assert values(await client.call_tool("status", LONG))["outcome"] == "stopped"
        for name, args in (("run_goal", {"goal": "Again"}), ("screenshot", {})):
            refused = await client.call_tool(name, args)
            assert refused.is_error
            assert "restart `mark-i mcp`" in text(refused)

    asked(work, model)


def test_a_user_who_takes_long_keeps_no_call_waiting() -> None:
    turns, shown = turns_of(Model(ASK, WRITE, ANSWER)), asyncio.Event()

    async def never(context: object, params: ElicitRequestParams) -> ElicitResult:
        del context, params
        shown.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def work(client: Client) -> None:
        await client.call_tool("run_goal", {"goal": "Write it", **LONG})
        await client.call_tool("say", {"text": "a.txt"})
        assert await came(lambda: turns.goal and isinstance(turns.goal.state.asked, Permission))
        waits = values(await client.call_tool("status", {"wait_seconds": 0.2}))
        assert waits["approval"].startswith("write_file")
        watching = asyncio.create_task(client.call_tool("status", LONG))
        await shown.wait()
        assert values(await client.call_tool("stop"))["outcome"] == "stopped"
        assert values(await watching)["outcome"] == "stopped"

    asked(work, turns, "legacy", never)


def test_a_client_is_told_no_secret() -> None:
    secret = "correct horse battery"
    model = Model(action("ask_user", question=f"Is it {secret}?"), ANSWER)

    async def work(client: Client) -> dict[str, Any]:
        return values(await client.call_tool("run_goal", {"goal": f"Log in with {secret}", **LONG}))

    told = asked(work, turns_of(model, secrets=Secrets({"bank": secret})))

    assert (told["goal"], told["question"]) == ("Log in with {{secret:bank}}", "Is it {{secret:bank}}?")


def test_a_run_that_cannot_begin_says_why() -> None:
    def refusing() -> RunConfig:
        raise ModelError("There is no key for Gemini.")

    async def work(client: Client) -> list[CallToolResult]:
        return [await client.call_tool("run_goal", {"goal": goal}) for goal in ("Look", " ")]

    told = asked(work, Turns(RunConfig(Model(), screen=False), refusing, lambda _text: None))

    assert [one.is_error for one in told] == [True, True]
    assert [text(one) for one in told] == ["There is no key for Gemini.", "It is empty. Say what is meant."]
    assert not runs_folder().exists()


@pytest.mark.usefixtures("display")
def test_goals_and_calls_share_the_desktop_and_a_cancelled_goal_holds_no_key() -> None:
    model = Model(action("open_app", name="xterm"), ANSWER, action("hold", keys="shift", seconds=55), ANSWER)
    turns = turns_of(model, screen=True, virtual=Size(320, 240))

    async def work(client: Client) -> None:
        await client.call_tool("run_goal", {"goal": "Open xterm", **LONG})
        assert "xterm" in text(await client.call_tool("list_windows")).casefold()
        assert turns._shared
        with closing(turns._shared.lend(Control())) as desktop:
            running = asyncio.create_task(client.call_tool("run_goal", {"goal": "Hold it", **LONG}))
            assert await came(lambda: any(desktop._own.keys_down()))
            running.cancel()
            assert values(await client.call_tool("status", LONG))["outcome"] == "stopped"
            assert not any(desktop._own.keys_down())

        assert turns._shared._desktop  # a lost one is replaced
        keeper, display = turns._shared._desktop._keeper, turns._shared._desktop._own_processes()
        keeper.kill()
        assert await asyncio.to_thread(gone, *display)
        assert values(await client.call_tool("run_goal", {"goal": "Look", **LONG}))["answer"] == "It is blue."

    asked(work, turns)
