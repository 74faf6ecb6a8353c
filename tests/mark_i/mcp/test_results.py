"""What a client gets for a call: a result with a picture keeps it from clients that show only structured content."""

from mcp.types import ImageContent, TextContent

from mark_i.brain import Picture
from mark_i.events import Outcome
from mark_i.mcp.results import VALUES, result_of
from mark_i.mcp.served import ToolResponse
from world_model import Observation, Point, Problem, Region, ScreenChange

CHANGE = ScreenChange(
    changed=True, settled_ms=12.5, appeared=("Saved",), appeared_at=(Point(40, 8),), regions=(Region(0, 0, 9, 9),)
)
SEEN = Observation(ok=True, text="Clicked.", data={"ticked": True}, screen=CHANGE)
VALUES_OF_SEEN = {
    "ok": True,
    "text": 'Clicked. Appeared: "Saved" at 40, 8.',
    "data": {"ticked": True},
    "screen": {"changed": True, "settled": True, "scrolled": 0, "appeared": ["Saved"], "appeared_at": [[40, 8]]},
}


def test_a_result_has_a_text_and_values() -> None:
    result = result_of(ToolResponse(SEEN))

    assert result.content == [TextContent(text='Clicked. Appeared: "Saved" at 40, 8.')]
    assert result.structured_content == VALUES_OF_SEEN
    assert result.meta is None
    assert not result.is_error


def test_a_picture_is_not_hidden_by_structured_content() -> None:
    result = result_of(ToolResponse(SEEN, (Picture(b"\xff", "image/jpeg"),)))

    assert [type(block) for block in result.content] == [TextContent, ImageContent]
    assert result.structured_content is None
    assert result.meta == {VALUES: VALUES_OF_SEEN}


def test_what_the_person_said_meanwhile_is_told() -> None:
    result = result_of(ToolResponse(SEEN, said=("No, the other file",)))

    assert result.content[1] == TextContent(text="The person said meanwhile: No, the other file")
    assert result.structured_content == VALUES_OF_SEEN | {"said": ["No, the other file"]}


def test_a_failure_has_its_code() -> None:
    problem = Problem("TARGET_NOT_FOUND", "There is no Save.", ("Look again.",))
    result = result_of(ToolResponse(Observation(ok=False, text="", error=problem)))

    assert result.is_error
    assert result.structured_content == {
        "ok": False,
        "text": "TARGET_NOT_FOUND: There is no Save. Look again.",
        "error": "TARGET_NOT_FOUND",
    }


def test_the_end_of_the_run_is_a_failure_without_values() -> None:
    result = result_of(Outcome("stopped", "The run was stopped."))

    assert result.is_error
    assert result.structured_content is None
