"""`mark-i run --schema`: the answer as JSON that fits, on standard output, in the events and in the journal."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import (
    AgentCore,
    Limits,
    Outcome,
    Oversight,
    ResultSchema,
    ScriptedBrain,
    VirtualDesktop,
    standard_toolbelt,
    tool,
)
from mark_i.budget import Budget
from mark_i.config.paths import runs_folder
from mark_i.guard.policy import OPEN
from mark_i.guard.risk import Guard
from mark_i.guard.secrets import Secrets
from mark_i.testing import OPENAI, ModelServer
from tests.support import Run, action, events, script
from toolbelt.belt import Toolbelt
from toolbelt.perception.eyes import Eyes
from toolbelt.tool import Ending
from world_model import Journal

SCHEMA: Final = {
    "type": "object",
    "properties": {"total": {"type": "number"}, "names": {"type": "array", "items": {"type": "string"}}},
    "required": ["total", "names"],
    "additionalProperties": False,
}
GOAL: Final = "What is the total in bill.txt, and who pays?"
LOOK: Final = action("read_file", path="bill.txt")
FITS: Final = {"total": 1234.5, "names": ["ada", "Böb"]}


def ends(result: object, **more: object) -> dict[str, object]:
    """The answer of a model."""
    given = {"summary": "ada and Böb pay 1,234.50.", "kind": "answer", "evidence": [{"observation": 1}], **more}
    return action("finish", result=result, **given)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a bill, a schema and a script of two steps."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bill.txt").write_text("ada Böb\nTotal 1,234.50", encoding="utf-8")
    (tmp_path / "s.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    script(tmp_path / "good.jsonl", LOOK, ends(FITS))
    return tmp_path


def answered(*replies: object, goal: str = GOAL, **more: Any) -> Outcome:
    """The end of a run without a screen, whose tools are the standard ones and `bill`."""

    @tool(risk="look")
    def bill() -> str:
        """Read the bill."""
        return "ada Böb\nTotal 1,234.50"

    tools = more.pop("tools", ())
    return AgentCore(
        ScriptedBrain(replies),
        standard_toolbelt(None, bill, *tools),
        schema=ResultSchema(more.pop("schema", SCHEMA)),
        **more,
    ).execute_command(goal)


def test_a_model_mends_its_result_until_it_fits(mark_i: Run, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = ends({"total": "1,234.50", "names": ["ada"], "tax": 0})
    with ModelServer(OPENAI, [LOOK, wrong, ends(FITS)]) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        brain = ("--brain", "openai:gpt-4o", "--base-url", server.base_url)
        done = mark_i("run", GOAL, "--virtual", "640x480", "--schema", "s.json", *brain, cwd=work)

    assert (done.returncode, server.complaints) == (0, []), done.stderr
    assert json.loads(done.stdout) == FITS
    assert "Done. ada and Böb pay 1,234.50." in done.stderr
    assert "Journal: " in done.stderr
    assert json.dumps(SCHEMA)[1:-1] in server.received[0].system
    last = server.received[-1].text
    assert "$.total: '1,234.50' is not of type 'number'" in last
    assert "('tax' was unexpected)" in last

    [run] = runs_folder().iterdir()
    assert json.loads((run / "run.json").read_text(encoding="utf-8"))["outcome"]["result"] == FITS
    for form in ("text", "markdown"):
        assert json.dumps(FITS, ensure_ascii=False) in mark_i("runs", "show", "last", "--format", form).stdout
    mark_i("runs", "report", "last", "--out", str(work / "report.html"))
    assert "&#34;total&#34;: 1234.5" in (work / "report.html").read_text(encoding="utf-8")


def test_a_program_reads_the_result_alone_or_in_the_last_event(mark_i: Run, work: Path) -> None:
    run = ("run", GOAL, "--virtual", "640x480", "--schema", "s.json", "--brain", "scripted:good.jsonl")
    quiet, told = mark_i(*run, "--quiet", cwd=work), events(mark_i(*run, "--json", cwd=work).stdout)
    assert (quiet.returncode, json.loads(quiet.stdout), quiet.stderr) == (0, FITS, "")
    assert (told[-1]["event"], told[-1]["result"], told[-1]["exit_code"]) == ("ended", FITS, 0)


def test_a_question_is_answered_by_a_schema_without_a_screen(mark_i: Run, work: Path) -> None:
    ask = ("ask", GOAL, "--schema", "s.json", "--brain", "scripted:good.jsonl")
    done, told = mark_i(*ask, cwd=work), events(mark_i(*ask, "--json", cwd=work).stdout)
    assert (done.returncode, json.loads(done.stdout)) == (0, FITS), done.stderr
    assert (told[0]["desktop"], told[-1]["result"]) == (None, FITS)

    for options, why in (
        (("--brain", "offline"), "The brain offline cannot write a result by a schema"),
        (("--workflow", "ask"), "A workflow makes its own answer, so it cannot have a schema."),
    ):
        refused = mark_i("ask", GOAL, "--brain", "scripted:good.jsonl", "--schema", "s.json", *options, cwd=work)
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
        assert why in refused.stderr


def test_a_run_that_ends_without_a_result_prints_none_and_keeps_its_schema(mark_i: Run, work: Path) -> None:
    run = ("run", GOAL, "--virtual", "640x480", "--schema", "s.json", "--brain", "scripted:good.jsonl")
    limited = mark_i(*run, "--max-steps", "1", cwd=work)
    assert (limited.returncode, limited.stdout) == (3, "")
    assert "Step limit reached" in limited.stderr

    again = mark_i("run", "--resume", "last", "--schema", "s.json", cwd=work)
    assert (again.returncode, "--resume keeps the schema" in again.stderr) == (2, True)
    resumed = mark_i("run", "--resume", "last", "--max-steps", "5", cwd=work)
    assert (resumed.returncode, json.loads(resumed.stdout)) == (0, FITS), resumed.stderr


@pytest.mark.parametrize(
    ("content", "options", "told"),
    [
        (None, (), "s.json cannot be read: No such file or directory; check the path."),
        ("{'type': 'object'}", (), "s.json is not JSON: "),
        ('{"type": "objekt"}', (), "s.json is not a valid JSON Schema. At $.type: 'objekt' is not"),
        ("{}", ("--brain", "offline"), "The brain offline cannot write a result by a schema: that takes a model."),
        ("{}", ("--style", "strict"), "In the style strict the answer is only what tools returned"),
        ("{}", ("--workflow", "ask"), "A workflow makes its own answer, so it cannot have a schema."),
    ],
)
def test_what_cannot_give_a_result_is_refused_before_the_first_step(
    mark_i: Run, work: Path, content: str | None, options: tuple[str, ...], told: str
) -> None:
    (work / "s.json").unlink()
    if content is not None:
        (work / "s.json").write_text(content, encoding="utf-8")
    brain = () if "--brain" in options else ("--brain", "scripted:good.jsonl")
    done = mark_i("run", GOAL, "--virtual", "640x480", "--schema", "s.json", *brain, *options, cwd=work)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not runs_folder().exists()


@pytest.mark.parametrize(
    ("result", "doubted"),
    [
        (FITS, ()),
        ({"total": 1234.50, "names": []}, ()),
        ({"total": -1234.5, "names": ["a note to Ada"]}, ()),
        ({"total": 1243.5, "names": []}, ("1243.5",)),
        ({"total": 10**400, "names": []}, (str(10**400),)),
        ({"total": 1234.5, "names": ["ada", "for Zoe"]}, ("Zoe",)),
    ],
)
def test_a_figure_or_name_in_a_result_that_was_seen_nowhere_is_not_verified(
    result: object, doubted: tuple[str, ...]
) -> None:
    outcome = answered(action("bill"), ends(result))
    assert outcome.unsupported == doubted
    assert outcome.name == ("done_unverified" if doubted else "done")
    assert outcome.to_dict()["result"] == result


def test_null_is_a_result_too() -> None:
    assert answered(action("bill"), ends(None), schema={"type": "null"}).to_dict()["result"] is None
    assert "result" not in answered(action("fail", reason="There is none.")).to_dict()


def test_no_other_end_takes_the_place_of_a_result() -> None:
    @tool(risk="look")
    def close_case() -> Ending:
        """End the run in another way."""
        return Ending(done=True, summary="ada pays 1,234.50.", kind="answer")

    verbatim = {**action("bill"), "style": "verbatim"}
    outcome = answered(verbatim, action("close_case"), ends(FITS), tools=[close_case])
    assert outcome.to_dict()["result"] == FITS
    assert not outcome.direct


def test_a_result_is_no_place_on_the_screen(desktop: VirtualDesktop) -> None:
    point = {"x": 300, "y": 700}
    replies = (ends(one, summary="There.", evidence=None) for one in ({**point, "z": 1}, point))
    brain, eyes = ScriptedBrain(replies), Eyes(desktop, desktop.control)
    brain.space = "thousandths"
    schema = ResultSchema({"type": "object", "properties": {"x": {}, "y": {}}, "additionalProperties": False})
    agent = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, schema=schema)

    assert agent.execute_command("Where is it?").to_dict()["result"] == point
    assert '"x": 300, "y": 700, "z": 1' in brain.prompts[-1].text


def test_a_secret_in_a_result_is_redacted(tmp_path: Path) -> None:
    secrets = Secrets({"bank": "Tr0ub4dor-Zoe3"})
    outcome = answered(
        action("bill"),
        ends({"total": 1234.5, "names": ["Tr0ub4dor-Zoe3"]}),
        oversight=Oversight(secrets=secrets, guard=Guard(OPEN)),
        journal=Journal(tmp_path / "run", {"goal": GOAL}, clean=secrets.redacted),
    )
    assert outcome.to_dict()["result"] == {"total": 1234.5, "names": ["{{secret:bank}}"]}
    assert "Tr0ub4dor" not in (tmp_path / "run" / "run.json").read_text(encoding="utf-8")


def test_an_answer_at_the_limit_has_no_result() -> None:
    outcome = answered(action("bill"), {"answer": "It is 1,234.50."}, limits=Limits(Budget(steps=1)))
    assert (outcome.name, outcome.result) == ("limit_steps", None)


def test_a_toolbelt_without_finish_gets_one() -> None:
    toolbelt = Toolbelt()
    agent = AgentCore(ScriptedBrain([ends(FITS)]), toolbelt, schema=ResultSchema(SCHEMA))
    assert agent.execute_command("ada, Böb: 1,234.50").to_dict()["result"] == FITS
