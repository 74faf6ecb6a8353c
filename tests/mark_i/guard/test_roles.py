"""The guard and tools that it has never seen: it goes by what happens to an argument, and not by its name."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final

import pytest
from PIL import Image, ImageDraw, ImageFont
from pydantic import BaseModel

from mark_i import (
    Address,
    AgentCore,
    AppName,
    Command,
    FileContent,
    KeyNames,
    Oversight,
    Query,
    Runs,
    ScriptedBrain,
    Shown,
    Toolbelt,
    Typed,
    standard_toolbelt,
    tool,
)
from mark_i.guard.policy import DEFAULT, Policy, Rule
from mark_i.guard.risk import Guard
from mark_i.guard.secrets import Secrets
from tests.support import action
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop, Input
from toolbelt.perception.eyes import Eyes
from toolbelt.targeting.targets import Target

FAIL: Final = action("fail", reason="That was all.")
USED: Final[list[object]] = []


class Ticket(BaseModel):
    """A nested value, as a plugin may take it."""

    payload: str
    steps: list[dict[str, str]] = []


@tool
def save_entry(body: str) -> str:
    """Save an entry."""
    return used(body)


@tool
def ask_database(sql: str) -> str:
    """Ask a database."""
    return used(sql)


@tool
def hand_over(ticket: Ticket) -> str:
    """Hand a ticket over."""
    return used(ticket)


@tool
def hand_over_all(tickets: list[Ticket] | None = None, labels: dict[str, list[str]] | None = None) -> str:
    """Hand tickets over."""
    return used(tickets or labels)


@tool
def note_down(words: Annotated[str, Typed]) -> str:
    """Type a note."""
    return used(words)


@tool
def evaluate(formula: Annotated[str, Runs]) -> str:
    """Evaluate a formula."""
    return used(formula)


@tool
def start(line: Annotated[list[str], Command]) -> str:
    """Start a program."""
    return used(line)


@tool
def put_aside(draft: Annotated[str, FileContent]) -> str:
    """Put a draft aside."""
    return used(draft)


@tool
def bring_up(which: Annotated[str, AppName]) -> str:
    """Bring an application up."""
    return used(which)


@tool
def strike(chord: Annotated[str, KeyNames]) -> str:
    """Strike keys."""
    return used(chord)


@tool
def visit(stops: list[Target]) -> str:
    """Visit some places."""
    return used(stops)


@tool(risk="look")
def preview(source: str) -> str:
    """Show what is behind something."""
    return used(source)


@tool(risk="look")
def open_feed(where: Annotated[str, Address]) -> str:
    """Open a feed."""
    return used(where)


@tool(risk="look")
def seek(words: Annotated[str, Query]) -> str:
    """Seek something."""
    return used(words)


@tool(risk="look")
def announce(message: Annotated[str, Shown], label: str) -> str:
    """Announce something."""
    return used((message, label))


def used(value: object) -> str:
    USED.append(value)
    return "done"


@pytest.fixture(autouse=True)
def unused() -> None:
    USED.clear()


def run(one: Callable[..., str], goal: str = "help me", policy: Policy = DEFAULT, **args: Any) -> str | None:
    """The code of the error with which the tool was refused, with nobody to ask; None where it was used."""
    tools = standard_toolbelt(None, one)
    agent = AgentCore(ScriptedBrain([action(one.__name__, **args), FAIL]), tools, oversight=Oversight(Guard(policy)))
    agent.execute_command(goal)
    error = agent.world_model.last(2)[0].observation.error
    assert bool(USED) is (error is None)
    return error.code if error else None


def places_for(text: str) -> list[tuple[Callable[..., str], dict[str, Any]]]:
    """Every unmarked place in which a plugin may take a text."""
    return [
        (save_entry, {"body": text}),
        (ask_database, {"sql": text}),
        (hand_over, {"ticket": {"payload": text}}),
        (hand_over, {"ticket": {"payload": "a", "steps": [{"do": text}]}}),
        (hand_over, {"ticket": {"payload": "a", "steps": [{text: "do"}]}}),
        (hand_over_all, {"tickets": [{"payload": "a"}, {"payload": text}]}),
        (hand_over_all, {"labels": {"a": ["b", text]}}),
    ]


@pytest.mark.parametrize("text", ["please delete it all", "echo a; rm -rf ~", "mail it to eve@evil.example"])
@pytest.mark.parametrize("at", range(len(places_for(""))))
def test_a_risky_text_needs_approval_in_any_plugin_argument(text: str, at: int) -> None:
    one, args = places_for(text)[at]

    assert run(one, **args) == "DENIED"


@pytest.mark.parametrize("at", range(len(places_for(""))))
def test_a_harmless_text_needs_no_approval(at: int) -> None:
    one, args = places_for("a sunny day")[at]

    assert run(one, **args) is None


@pytest.mark.parametrize(
    ("one", "args", "code"),
    [
        (note_down, {"words": "Please delete it, she wrote."}, None),
        (note_down, {"words": "rm -rf ~"}, "DENIED"),
        (evaluate, {"formula": "1 if x else delete(x)"}, "DENIED"),
        (evaluate, {"formula": "1 + 1"}, None),
        (start, {"line": ["--quiet"]}, "DENIED"),
        (start, {"line": ["help"]}, None),
        (put_aside, {"draft": "delete https://evil.example/"}, None),
        (preview, {"source": "see https://evil.example/?q=1"}, "DENIED"),
        (preview, {"source": "the 12.50 € of /home/ada"}, None),
        (open_feed, {"where": "evil.example"}, "DENIED"),
        (seek, {"words": "reviews of evil.example"}, None),
    ],
)
def test_a_role_decides_what_needs_approval(one: Callable[..., str], args: dict[str, Any], code: str | None) -> None:
    assert run(one, **args) == code


def test_a_rule_sees_the_application_that_a_plugin_names() -> None:
    rule = Rule(do="deny", target=("mousepad",))

    assert run(bring_up, policy=Policy(rules=(rule,)), which="Mousepad") == "DENIED"
    assert run(bring_up, policy=Policy(rules=(rule,)), which="Terminal") is None


def test_no_secret_is_filled_into_what_a_plugin_shows() -> None:
    secrets = Secrets({"bank": "Tr0ub4dor"})
    tools = standard_toolbelt(None, announce)
    call = action("announce", message="{{secret:bank}}", label="{{secret:bank}}")
    agent = AgentCore(ScriptedBrain([call, FAIL]), tools, oversight=Oversight(secrets=secrets, guard=Guard(DEFAULT)))
    agent.execute_command("announce the bank")

    assert USED == [("{{secret:bank}}", "Tr0ub4dor")]


# On a screen that is drawn


def drawn(_inputs: Sequence[Input]) -> Image.Image:
    image = Image.new("RGB", (640, 240), "white")
    font = ImageFont.truetype("DejaVuSans.ttf", 24)
    ImageDraw.Draw(image).text((60, 100), "Delete", fill="black", font=font)
    ImageDraw.Draw(image).text((400, 100), "Keep", fill="black", font=font)
    return image


def on_screen(one: Callable[..., str], copied: str = "", **args: Any) -> str | None:
    control = Control()
    desktop = FakeDesktop(drawn, control)
    desktop.write_clipboard(copied)
    eyes = Eyes(desktop, control)
    tools = Toolbelt(*standard_toolbelt(eyes), one)
    brain = ScriptedBrain([action(one.__name__, **args), FAIL])
    agent = AgentCore(brain, tools, desktop, oversight=Oversight(Guard(DEFAULT)), eyes=eyes)
    agent.execute_command("help me")
    error = agent.world_model.last(2)[0].observation.error
    return error.code if error else None


def test_a_place_in_a_list_is_judged_by_what_is_there() -> None:
    assert on_screen(visit, stops=["Keep", {"text": "Delete"}]) == "DENIED"
    assert on_screen(visit, stops=["Keep", {"x": 80, "y": 112}]) == "DENIED"
    assert on_screen(visit, stops=["Keep"]) is None


def test_what_a_plugins_keys_paste_is_judged_as_typed() -> None:
    assert on_screen(strike, "delete", chord="ctrl+v") == "DENIED"
    assert on_screen(strike, "a sunny day", chord="ctrl+v") is None
    assert on_screen(strike, "delete", chord="ctrl+c") is None
