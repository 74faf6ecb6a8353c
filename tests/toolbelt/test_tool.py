"""Tools and the belt: one typed function gives schema, validation and words; every failure becomes an observation."""

import math
import threading
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from tests.support import soon
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.tool import Ending, Tool, ToolResult, tool, tools_of
from world_model import Action, DesktopError, Halt, Observation, Problem, ToolFailure


class Place(BaseModel):
    """A value with parts, as an argument."""

    x: int
    y: int


@tool(risk="write", seconds=5)
def open_ticket(title: Annotated[str, Field(min_length=1)], priority: Literal["low", "high"] = "low") -> str:
    """Open a ticket in the tracker and return its number."""
    return f"{title} is number 7, {priority}"


class Counter:
    """Tools that share a state."""

    def __init__(self) -> None:
        self.count = 0

    @tool
    def add(self, amount: int = 1, places: list[Place] | None = None) -> int:
        """Count on."""
        self.count += amount + len(places or [])
        return self.count

    @tool(risk="look")
    def count_now(self) -> dict[str, int]:
        """Look at the count."""
        return {"count": self.count}

    def reset(self) -> None:
        """Not a tool."""


def use(source: object, name: str, **args: object) -> Observation:
    return Toolbelt(source).call(Action(name, args), Control()).observation


def problem(observation: Observation) -> Problem:
    """The error of an observation that failed, and says nothing else."""
    assert not observation.ok
    assert (observation.text, observation.data) == ("", None)
    assert observation.error is not None
    return observation.error


# What a tool is ----------------------------------------------------------------------------------------------------


def test_a_function_with_types_and_a_docstring_is_a_tool() -> None:
    (ticket,) = tools_of(open_ticket)

    assert ticket.name == "open_ticket"
    assert ticket.description == "Open a ticket in the tracker and return its number."
    assert (ticket.risk, ticket.seconds) == ("write", 5)
    assert ticket.signature == 'open_ticket(title: string, priority: "low" | "high" = "low")'


def test_the_function_itself_stays_as_it_is() -> None:
    assert open_ticket("Broken") == "Broken is number 7, low"


def test_its_schema_comes_from_its_types() -> None:
    schema = tools_of(open_ticket)[0].schema

    assert schema["required"] == ["title"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["title"]["minLength"] == 1
    assert schema["properties"]["priority"]["enum"] == ["low", "high"]
    assert schema["properties"]["priority"]["default"] == "low"


def test_methods_of_one_object_are_tools_that_share_it() -> None:
    counter = Counter()
    belt = Toolbelt(counter)

    assert {one.name for one in belt} == {"add", "count_now"}
    assert belt.call(Action("add", {"amount": 3}), Control()).observation.data == 3
    assert belt.call(Action("add", {"places": [{"x": 1, "y": 2}]}), Control()).observation.data == 5
    assert belt.call(Action("count_now"), Control()).observation.data == {"count": 5}
    assert belt["add"].signature == "add(amount: integer = 1, places: [{x, y}] | null = null)"


@pytest.mark.parametrize("name", ["json", "copy", "schema", "model_fields", "_hidden"])
def test_an_argument_may_have_any_name(name: str) -> None:
    space: dict[str, Any] = {}
    exec(f"def echo({name}: str) -> str:\n    'Say it again.'\n    return {name}", space)

    assert use(tool(space["echo"]), "echo", **{name: "hello"}).text == "hello"


def test_traits_are_off_unless_declared() -> None:
    @tool(risk="look", asks_person=True, holds_keys="down")
    def inquire(text: str) -> str:
        """Ask."""
        return text

    [asking], [plain] = tools_of(inquire), tools_of(open_ticket)
    assert (asking.asks_person, asking.holds_keys, asking.finds_addresses) == (True, "down", False)
    assert (plain.asks_person, plain.holds_keys, plain.ending) == (False, None, False)


def test_an_unknown_trait_is_refused() -> None:
    with pytest.raises(TypeError, match="The tool open_ticket has the unknown trait asks_nobody"):
        tool(risk="look", asks_nobody=True)(open_ticket)  # type: ignore[call-overload]


def test_a_tool_without_a_docstring_is_refused() -> None:
    def silent(text: str) -> str:
        return text

    with pytest.raises(TypeError, match="silent needs a docstring"):
        tool(silent)


def test_a_parameter_without_a_type_is_refused() -> None:
    def loose(text) -> str:  # type: ignore[no-untyped-def]  # noqa: ANN001 - what is tested
        """Say it again."""
        return str(text)

    with pytest.raises(TypeError, match="parameter text of the tool loose needs a type"):
        tool(loose)


def test_positional_parameters_are_refused() -> None:
    def many(*texts: str) -> str:
        """Say them again."""
        return " ".join(texts)

    with pytest.raises(TypeError, match="texts"):
        tool(many)


@pytest.mark.parametrize("source", [Counter.reset, "open_ticket", object()])
def test_a_source_without_tools_is_refused(source: object) -> None:
    with pytest.raises(TypeError, match="has no tool"):
        Toolbelt(source)


# The belt ----------------------------------------------------------------------------------------------------------


def test_two_tools_with_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two tools named add"):
        Toolbelt(Counter(), open_ticket, Counter())


def test_a_toolbelt_has_a_length_and_an_order() -> None:
    belt = Toolbelt(open_ticket, Counter())

    assert len(belt) == 3
    assert [one.name for one in belt] == ["open_ticket", "add", "count_now"]
    assert all(isinstance(one, Tool) for one in belt)


def test_an_unknown_tool_error_names_similar_tools() -> None:
    error = problem(use(open_ticket, "open_tickets"))

    hints, near = ("Did you mean open_ticket?",), ("open_ticket",)
    assert error == Problem("UNKNOWN_TOOL", "There is no tool named 'open_tickets'.", hints, near)


def test_an_unknown_tool_error_names_all_tools_otherwise() -> None:
    assert problem(use(Counter(), "fly")).hints == ("There are add, count_now.",)


@pytest.mark.parametrize(
    ("args", "wrong"),
    [
        ({}, "title: field required"),
        ({"title": 5}, "title: input should be a valid string"),
        ({"title": ""}, "title: string should have at least 1 character"),
        ({"title": "x", "priority": "urgent"}, "priority: input should be 'low' or 'high'"),
        ({"title": "x", "color": "red"}, "color: extra inputs are not permitted"),
    ],
)
def test_wrong_arguments_are_named_with_the_signature(args: dict[str, Any], wrong: str) -> None:
    error = problem(use(open_ticket, "open_ticket", **args))

    assert error.code == "INVALID_ARGS"
    assert error.message == f"open_ticket: {wrong}."
    assert error.hints == (f"Call it as {Toolbelt(open_ticket)['open_ticket'].signature}.",)


def test_every_wrong_argument_is_named() -> None:
    error = problem(use(Counter(), "add", amount="many", places=[{"x": 1}]))

    assert "amount: input should be a valid integer" in error.message
    assert "places.0.y: field required" in error.message


# What came of a call -----------------------------------------------------------------------------------------------

GIVEN: list[Any] = []


@tool
def give() -> Any:
    """Give back what the test put in, or raise it."""
    if isinstance(GIVEN[-1], BaseException):
        raise GIVEN[-1]
    return GIVEN[-1]


def giving(value: object) -> Observation:
    GIVEN[:] = [value]
    return use(give, "give")


@pytest.mark.parametrize(
    ("result", "text", "data"),
    [
        ("Done.", "Done.", None),
        ("", "", None),
        (ToolResult("Read 2 lines.", ["a", "b"]), "Read 2 lines.", ["a", "b"]),
        (ToolResult("Read.", Place(x=1, y=2)), "Read.", {"x": 1, "y": 2}),
        ({"größe": 5}, "größe: 5", {"größe": 5}),
        ([1, (2, 3)], "- 1\n-\n  - 2\n  - 3", [1, [2, 3]]),
        (None, "None", None),
        (False, "false", False),
        ([math.nan, -math.inf], "- NaN\n- -Infinity", ["NaN", "-Infinity"]),
        (Path("/tmp/a"), "/tmp/a", "/tmp/a"),
    ],
)
def test_a_result_is_text_and_json_values(result: object, text: str, data: object) -> None:
    assert giving(result) == Observation(ok=True, text=text, data=data)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ToolFailure("STALE_TARGET", "It moved."), "STALE_TARGET", "It moved."),
        (TimeoutError(), "TIMEOUT", "give did not finish in time."),
        (KeyError("id"), "TOOL_ERROR", "give failed: KeyError: 'id'"),
        (ValueError("no good"), "TOOL_ERROR", "give failed: ValueError: no good"),
        (OSError(28, "No space left on device"), "TOOL_ERROR", "give failed: OSError: [Errno 28] No space left"),
        (FileNotFoundError(2, "No such file or directory", "a.txt"), "FILE_NOT_FOUND", "There is no file a.txt."),
        (FileNotFoundError("The chart was never saved."), "FILE_NOT_FOUND", "The chart was never saved."),
        (PermissionError(13, "Permission denied", "b.txt"), "PERMISSION_DENIED", "b.txt cannot be used: Permission"),
        (PermissionError("Not on Sundays."), "PERMISSION_DENIED", "Not on Sundays."),
    ],
)
def test_exceptions_become_observations_with_a_code(error: Exception, code: str, message: str) -> None:
    told = problem(giving(error))

    assert told.code == code
    assert message in told.message


def test_the_hints_of_a_failure_are_kept() -> None:
    assert problem(giving(ToolFailure("DENIED", "No.", ["Ask first."]))).hints == ("Ask first.",)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    @tool
    def read(path: str) -> str:
        """Read a file."""
        return Path(path).read_text(encoding="utf-8")

    told = problem(use(read, "read", path=str(tmp_path / "missing.txt")))

    assert told == Problem("FILE_NOT_FOUND", f"There is no file {tmp_path / 'missing.txt'}.")


def circle() -> list[Any]:
    values: list[Any] = []
    values.append(values)
    return values


@pytest.mark.parametrize("result", [b"\xff\xfe", circle()], ids=["bytes", "a list in itself"])
def test_a_result_that_is_not_json_is_a_failure(result: object) -> None:
    assert problem(giving(result)).code == "TOOL_ERROR"


@pytest.mark.parametrize("error", [DesktopError("The display is gone."), Halt()])
def test_a_lost_desktop_and_a_stop_propagate(error: BaseException) -> None:
    with pytest.raises(type(error)) as raised:
        giving(error)
    assert raised.value is error


def test_a_stopped_run_uses_no_tool() -> None:
    counter, control = Counter(), Control()
    control.stop()

    with pytest.raises(Halt):
        Toolbelt(counter).call(Action("add"), control)
    assert counter.count == 0


def test_a_hanging_tool_times_out() -> None:
    over = threading.Event()

    @tool(seconds=0.02)
    def hang() -> None:
        """Never come back."""
        over.wait(60)

    told = problem(use(hang, "hang"))
    over.set()

    assert told == Problem("TIMEOUT", "hang did not finish in time.")


def test_only_an_ending_ends_the_run() -> None:
    @tool(risk="look")
    def finish() -> Ending:
        """End."""
        return Ending(done=True, summary="All good.", evidence=("Saved",))

    done = Toolbelt(finish).call(Action("finish"), Control())

    assert done.ending == Ending(done=True, summary="All good.", evidence=("Saved",))
    assert done.observation.text == "The run ends here."
    assert Toolbelt(open_ticket).call(Action("open_ticket", {"title": "finish"}), Control()).ending is None


def test_a_takeover_is_what_refused_an_action() -> None:
    control = Control()

    @tool
    def press_key() -> None:
        """Press a key."""
        control.check_takeover()

    belt = Toolbelt(press_key)
    assert soon(control.take_over)  # not within the grace after a start
    taken = belt.call(Action("press_key"), control).observation.error

    assert taken is not None
    assert (taken.code, taken.refused_by) == ("DENIED", "takeover")


@pytest.mark.parametrize(
    ("action", "acted"),
    [
        (Action("add"), True),
        (Action("count_now"), False),
        (Action("add", {"amount": "many"}), False),
        (Action("fly"), False),
    ],
)
def test_a_call_says_whether_it_may_have_acted(action: Action, *, acted: bool) -> None:
    assert Toolbelt(Counter()).call(action, Control()).acted is acted
