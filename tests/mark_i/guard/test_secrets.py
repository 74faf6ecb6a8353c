"""Secrets: typed by their names, and found nowhere: not in a prompt, an event, the journal, a log or a picture."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from PIL import Image, ImageDraw, ImageFont

from mark_i import AgentCore, Limits, Oversight, ScriptedBrain, VirtualDesktop, standard_toolbelt, tool
from mark_i.brain import Prompt, Reply, Space
from mark_i.budget import Budget
from mark_i.config.api_keys import Keys
from mark_i.events import Style
from mark_i.guard.policy import DEFAULT, Policy
from mark_i.guard.risk import Guard
from mark_i.guard.secrets import MASK, Secrets
from tests.support import Run, action, events, script
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.redaction import Redaction
from toolbelt.tools.files import Files
from toolbelt.tools.memory import Memory
from toolbelt.tools.people import People
from world_model import Action, Journal, Observation, Region, Step, Thought, ToolFailure, WorldModel, read_run

VALUE: Final = "Tr0ub4dor-Zoë3"
KEY: Final = "sk-abcdefghijklmnop"
CAP_S: Final = 120.0  # seconds for an application to do something on a busy machine
SECRETS: Final = Secrets({"bank": VALUE}, (KEY,))
FAIL: Final = action("fail", reason="That was all.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"it is {VALUE}!", "it is {{secret:bank}}!"),
        (f"key {KEY}", f"key {MASK}"),
        ("nothing", "nothing"),
        ("one\nTroub4dor-Zoe3\ntwo", f"one\n{MASK}\ntwo"),
        ("one\nTr0ub4dor - Zoë3 two\nthree", f"one\n{MASK}\nthree"),
        ("one\nit is Tr0ub4\ndor-Zoë3, yes\nthree", f"one\n{MASK}\n{MASK}\nthree"),
        ("Tr0u\nb4dor\n\n-Zoë3", "\n".join([MASK] * 4)),
    ],
)
def test_a_secret_is_redacted_even_if_misread(text: str, told: str) -> None:
    assert SECRETS.redacted(text) == told
    assert SECRETS.redacted({"a": [text, (text,), 3, None]}) == {"a": [told, (told,), 3, None]}


def test_a_secret_of_dots_does_not_match_every_text() -> None:
    assert Secrets({"dots": "....."}).redacted("Hello.\nIt is .....") == "Hello.\nIt is {{secret:dots}}"


@pytest.mark.parametrize("value", ['Zoë\'s "door"', r"C:\new\x", "🔑 1234", "a/b/c/d"])
def test_a_secret_is_redacted_in_any_escaping(value: str) -> None:
    secrets = Secrets({"bank": value, "part": value[1:]})
    ways: tuple[Callable[[str], str], ...] = (str, json.dumps, repr, ascii)
    for text in (inner(outer(f"'\" {value} \"'")) for outer in ways for inner in ways):
        assert secrets.redacted(text).count("{{secret:bank}}") == 1
        assert secrets.redacted(text).count("secret:") == 1
    assert (
        Secrets({"bank": "Zoë🔑"}).redacted(r"Zo\u00EB\uD83D\uDD11 Zo\xeb\U0001f511")
        == "{{secret:bank}} {{secret:bank}}"
    )


def test_a_secret_is_filled_in_only_for_the_tool(tmp_path: Path) -> None:
    @tool
    def t(a: list[str] | str, b: int) -> str:
        """Take a text."""
        return f"{a}{b}"

    tools = standard_toolbelt(None, People(lambda _: None), Memory(tmp_path / "memory"), t)
    filled = SECRETS.filled(Action("t", {"a": ["x {{secret:bank}} {{ secret:bank }}"], "b": 2}), tools["t"])
    assert filled.args == {"a": [f"x {VALUE} {VALUE}"], "b": 2}
    for shown in (
        Action("ask_user", {"question": "{{secret:bank}}?"}),
        Action("remember", {"fact": "{{secret:bank}}"}),
        Action("finish", {"summary": "{{secret:bank}}"}),
        Action("fail", {"reason": "{{secret:bank}}"}),
    ):
        assert SECRETS.filled(shown, tools[shown.tool]) == shown
    with pytest.raises(ToolFailure, match="There is no secret named mail") as failure:
        SECRETS.filled(Action("t", {"a": "{{secret:mail}}"}), tools["t"])
    assert failure.value.hints[0] == "The secrets are: bank."
    assert VALUE not in repr(SECRETS)


class Told:
    """A brain that keeps what it was told, and answers from a list."""

    name: str = "told"
    sight: int = 0
    space: Space = "pixels"

    def __init__(self, *replies: object) -> None:
        self.prompts: list[Prompt] = []
        self._scripted = ScriptedBrain(replies)

    def think(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        return self._scripted.think(prompt)


def test_no_secret_is_in_a_prompt_an_event_or_the_journal(tmp_path: Path) -> None:
    seen: list[str] = []

    @tool
    def log_in(password: str) -> dict[str, str]:
        """Log in."""
        seen.append(password)
        if password == KEY:
            raise ValueError(f"wrong: {password}")
        return {"sent": password, "key": KEY}

    brain = Told(
        action("log_in", password="{{secret:bank}}"),
        action("log_in", password=VALUE),
        action("log_in", password=KEY),
        action("log_in", password="{{secret:none}}"),
        {"thought": f"It was {VALUE}.", "action": {"tool": "fail", "args": {"reason": f"I know {VALUE} and {KEY}"}}},
    )
    tools = Toolbelt(log_in, *standard_toolbelt(None))
    journal = Journal(tmp_path / "run", {"goal": f"log in with {VALUE}"}, clean=SECRETS.redacted)
    agent = AgentCore(
        brain,
        tools,
        oversight=Oversight(secrets=SECRETS, detect_loops=False),
        journal=journal,
        earlier=[(f"is it {VALUE}?", "yes")],
    )
    told = list(agent.run(f"log in with {VALUE} or {KEY}"))

    assert seen == [VALUE, VALUE, MASK]
    everything = [str([event.to_dict() for event in told]), str(told[-1].outcome), str(list(agent.world_model))]
    everything += [prompt.system + prompt.text for prompt in brain.prompts]
    everything += [file.read_text() for file in (tmp_path / "run").iterdir() if file.is_file()]
    assert len(everything) > 10
    assert not [one for one in everything if VALUE in one or KEY in one]
    assert "{{secret:bank}}" in brain.prompts[0].system
    assert "log in with {{secret:bank}} or [secret]" in brain.prompts[0].text
    assert [step.observation.ok for step in agent.world_model] == [True, True, True, False, True]


@pytest.mark.parametrize(
    ("replies", "style"),
    [
        ([action("finish", summary="I used {{secret:bank}} to log in.")], "default"),
        ([action("finish", summary="I used Tr0ub4dor Zebra 77 to log in.")], "default"),
        ([action("finish", summary="I am in."), "I used Tr0ub4dor Zebra 77 to log in."], "summary"),
        ([action("look_up"), action("finish", summary="I used Tr0ub4dor Zebra 77 to log in.")], "default"),
    ],
)
def test_no_part_of_a_secret_is_reported_as_unsupported(replies: list[object], style: Style) -> None:
    @tool
    def look_up() -> str:
        """Look something up."""
        return "nothing"

    agent = AgentCore(
        ScriptedBrain(replies),
        Toolbelt(look_up, *standard_toolbelt(None)),
        limits=Limits(Budget(steps=1)),
        oversight=Oversight(secrets=Secrets({"bank": "Tr0ub4dor Zebra 77"})),
        style=style,
    )
    [*_, ended] = agent.run("which files are there, with secret bank?")
    told = str(ended.to_dict())
    assert "I used {{secret:bank}} to log in." in told
    assert not [word for word in ("Tr0ub4dor", "Zebra", "77") if word in told]


@pytest.mark.parametrize(("goal", "allowed"), [("log in with the secret bank", True), ("log in", False)])
def test_a_secret_that_the_goal_does_not_name_needs_approval(goal: str, *, allowed: bool) -> None:
    seen: list[str] = []

    @tool
    def log_in(password: str) -> str:
        """Log in."""
        seen.append(password)
        return "in"

    brain = ScriptedBrain([action("log_in", password="{{secret:bank}}"), FAIL])
    tools = Toolbelt(log_in, *standard_toolbelt(None))
    AgentCore(brain, tools, oversight=Oversight(secrets=SECRETS, guard=Guard(DEFAULT))).execute_command(goal)
    assert seen == ([VALUE] if allowed else [])


def test_a_secret_needs_approval_in_any_tool_and_argument(tmp_path: Path) -> None:
    seen: list[object] = []

    @tool(risk="look")
    def search_web(query: str) -> str:
        """Search."""
        seen.append(query)
        return "nothing"

    @tool(risk="look")
    def fetch_page(url: str) -> str:
        """Fetch."""
        seen.append(url)
        return "nothing"

    @tool
    def post_form(data: dict[str, list[str]]) -> str:
        """Post a form."""
        seen.append(data)
        return "posted"

    name = "{{secret:bank}}"
    calls = [
        action("search_web", query=name),
        action("fetch_page", url=f"https://shop.example/?q={name}"),
        action("post_form", data={"password": [name]}),
        action("post_form", data={name: []}),
        action("write_file", path="a.txt", text=name),
    ]
    endings = [action("ask_user", question=f"Is {name} right?"), action("fail", reason=f"What is {name}?")]
    people = People(lambda _: "yes")
    tools = Toolbelt(search_web, fetch_page, post_form, people, Files([tmp_path]), *standard_toolbelt(None))
    for goal, codes, count in (("read shop.example", ["DENIED"] * 5, 0), ("give shop.example the bank", [None] * 5, 4)):
        brain = ScriptedBrain([*calls, *endings])
        agent = AgentCore(
            brain, tools, oversight=Oversight(secrets=SECRETS, guard=Guard(Policy(write="allow"))), folders=[tmp_path]
        )
        agent.execute_command(goal)
        errors = [step.observation.error for step in agent.world_model]
        assert [error and error.code for error in errors] == [*codes, None, None]
        assert str(seen).count(VALUE) == count
        assert (tmp_path / "a.txt").exists() is bool(count)


def test_a_typed_secret_is_black_wherever_it_appears(desktop: VirtualDesktop, tmp_path: Path) -> None:
    eyes = Eyes(desktop, desktop.control)
    desktop.launch(["xterm", "-T", "Log in", "-fa", "DejaVu Sans Mono", "-fs", "14", "-e", "cat"])
    assert desktop.control.until(lambda: any(one.title == "Log in" and one.active for one in desktop.windows()), CAP_S)
    journal = Journal(tmp_path / "run", {"goal": "x"}, clean=SECRETS.redacted)
    replies = [
        action("type_text", text="name {{secret:bank}}", enter=True),
        action("move_window", title="Log in", x=200, y=150),
        action("read_screen"),
        FAIL,
    ]
    agent = AgentCore(
        ScriptedBrain(replies),
        standard_toolbelt(eyes),
        desktop,
        oversight=Oversight(secrets=SECRETS),
        eyes=eyes,
        journal=journal,
    )
    screens = [event.screen for event in agent.run("log in") if event.screen]

    found = eyes.read(eyes.look())
    assert any("4dor" in line.text for line in found), "it stands on the screen itself"
    shown = [*screens[1:], *(step.after for step in read_run(tmp_path / "run").steps)]
    assert len(shown) == 7
    for frame in shown:
        assert frame is not None
        assert not [line.text for line in eyes.read(frame) if "dor" in line.text]
        assert any("name" in line.text or "Log in" in line.text for line in eyes.read(frame))
    journaled = "".join(file.read_text() for file in (tmp_path / "run").glob("*.json*"))
    assert "4dor" not in journaled


def test_a_secret_typed_before_a_resume_is_black_too(desktop: VirtualDesktop) -> None:
    eyes = Eyes(desktop, desktop.control)
    desktop.launch(["xterm", "-fa", "DejaVu Sans Mono", "-fs", "14", "-e", f"printf 'name {VALUE}'; cat"])
    assert desktop.control.until(lambda: any("4dor" in line.text for line in eyes.read(eyes.look())), CAP_S)
    remembered = WorldModel()
    typed = Action("type_text", {"text": "{{secret:bank}}"})
    remembered.remember(Step(1, Thought(""), typed, Observation(ok=True, text="")))
    brain = ScriptedBrain([FAIL])
    agent = AgentCore(
        brain, standard_toolbelt(eyes), desktop, remembered, oversight=Oversight(secrets=SECRETS), eyes=eyes
    )
    shown = [event.screen for event in agent.run("log in") if event.screen]
    assert shown
    assert not [line.text for frame in shown for line in eyes.read(frame) if "dor" in line.text]


def test_an_unreadable_secret_stays_black_beside_a_blinking_caret() -> None:
    secret, shown = "gX7#kQ9!lI1|", {"text": "", "caret": "|"}

    def draw(_inputs: object) -> Image.Image:
        image = Image.new("RGB", (500, 120), "white")
        pen, font = ImageDraw.Draw(image), ImageFont.load_default(14)
        pen.rectangle((80, 40, 400, 70), "white", "gray")
        pen.text((88, 46), shown["text"], "black", font)
        if shown["caret"]:
            right = 90 + int(pen.textlength(shown["text"], font))
            pen.line((right, 46, right, 64), "black")
        return image

    control = Control()
    eyes = Eyes(FakeDesktop(draw, control), control)
    before = eyes.show()
    shown["text"] = secret
    settled = eyes.settle(before)
    concealing = Redaction(eyes)
    concealing.typed([secret], eyes.change(before, settled, texts=False).regions, settled.frame)
    inside = Region(90, 50, 60, 10)
    for caret, text in [("|", secret), ("", secret), ("|", secret[:-1])]:
        shown.update(caret=caret, text=text)
        assert not concealing(eyes.look()).crop(inside).any(), (caret, text)

    shown.update(caret="", text="")
    assert concealing(eyes.look()).crop(inside).all(), "it is gone"


def test_frames_are_unchanged_without_secrets(desktop: VirtualDesktop) -> None:
    eyes = Eyes(desktop, desktop.control)
    frame = eyes.look()
    assert Redaction(eyes)(frame) is frame


def test_a_secret_can_come_from_the_environment(mark_i: Run, tmp_path: Path) -> None:
    environment = {**os.environ, "MARK_I_SECRET_BANK": VALUE}
    assert '"secrets": ["bank"]' in mark_i("config", "show", "--json", env=environment).stdout
    brain = script(tmp_path / "b.jsonl", action("write_file", path="a.txt", text="{{secret:bank}}"), FAIL)
    done = mark_i("ask", f"write {VALUE}", "--brain", brain, "--json", "--yes", cwd=tmp_path, env=environment)
    assert (tmp_path / "a.txt").read_text() == VALUE
    assert VALUE not in done.stdout + done.stderr
    assert events(done.stdout)[0]["goal"] == "write {{secret:bank}}"
    home = Path(os.environ["MARK_I_HOME"])
    files = [file for file in home.rglob("*") if file.is_file()]
    assert len(files) > 4
    assert not [file for file in files if VALUE.encode() in file.read_bytes()]


def test_a_short_secret_in_the_environment_is_refused(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "b.jsonl", FAIL)
    environment = {**os.environ, "MARK_I_SECRET_PIN": "737"}
    done = mark_i("ask", "log in with the secret pin", "--brain", brain, env=environment)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "MARK_I_SECRET_PIN has fewer than 4 characters" in done.stderr
    assert "737" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("key", "value", "typed", "told"),
    [
        ("secret.bank", "hunter22", "", "stays in the shell's history"),
        ("secret.a b", None, "hunter22\n", "cannot be the name of a secret"),
        ("secret.bank", None, "abc\n", "at least 4 characters"),
    ],
)
def test_a_secret_is_not_taken_carelessly(mark_i: Run, key: str, value: str | None, typed: str, told: str) -> None:
    done = mark_i("config", "set", key, *([value] if value else []), input=typed)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_secret_is_saved_in_the_keyring_and_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[tuple[str, str], str] = {}
    monkeypatch.setattr("keyring.set_password", lambda service, name, value: kept.update({(service, name): value}))
    monkeypatch.setattr("keyring.get_password", lambda service, name: kept.get((service, name)))
    monkeypatch.setattr("keyring.delete_password", lambda service, name: kept.pop((service, name)))
    Keys().save("secret.mail", VALUE)
    assert Keys().secrets().named == {"mail": VALUE}
    assert Keys("other").secrets().named == {}
    Keys().save("secret.mail", "")
    assert Keys().secrets().named == {}
    assert not kept
