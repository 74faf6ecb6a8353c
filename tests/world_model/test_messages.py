"""Messages in parts: the same for people as a plain string, and for each model in its own coordinates."""

import copy
import json
import pickle

from mark_i.guard.secrets import Secrets
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.tool import ToolResult, tool
from world_model import (
    Action,
    Observation,
    Place,
    PlacedText,
    Point,
    Problem,
    Step,
    Thought,
    ToolFailure,
    WorldModel,
    joined,
    message,
    places_in,
    rendered,
)

SAVE = Place(60, -40, "Save", "button")
LISTED = joined("; ", [message('"No" at ', Point(1, 2)), "and more"])


@tool
def drop(on: str) -> str:
    """Drop it."""
    if on == "a hand":
        raise ToolFailure("NO_CHANGE", message("Dropped at ", SAVE, "; it is still held."), [LISTED])
    return message("Dropped at ", SAVE, ", near ", Point(3, 4), ".")


@tool
def measure() -> ToolResult:
    """Measure it."""
    return ToolResult("It is 3, 4.", places=(SAVE,))


def called(name: str, **args: object) -> Observation:
    return Toolbelt(drop, measure).call(Action(name, args), Control()).observation


def halved(point: Point) -> str:
    return f"{point.x // 2}/{point.y // 2}"


def test_a_message_reads_in_pixels_of_the_desktop() -> None:
    assert message("Clicked ", message("at ", SAVE), ".") == "Clicked at 60, -40."
    assert LISTED == '"No" at 1, 2; and more'
    assert joined(", ", []) == ""


def test_a_message_without_places_is_a_plain_string() -> None:
    assert type(message("It is", " 3, 4.")) is str
    assert rendered("It is 3, 4.", halved) == "It is 3, 4."


def test_each_reader_gets_places_in_its_own_coordinates() -> None:
    assert rendered(message("Clicked ", SAVE, "; 8, 8 at ", Point(8, 8)), halved) == "Clicked 30/-20; 8, 8 at 4/4"


def test_a_copy_keeps_its_parts() -> None:
    text = message("Clicked ", SAVE)
    for copied in (copy.deepcopy(text), pickle.loads(pickle.dumps(text))):
        assert isinstance(copied, PlacedText)
        assert (copied, copied.parts) == (text, ("Clicked ", SAVE))


def test_a_tool_acted_at_the_places_in_its_message() -> None:
    assert called("drop", on="a table").places == (SAVE,)
    assert called("drop", on="a hand").places == (SAVE,)
    assert called("measure").places == (SAVE,)


def test_steps_with_places_survive_the_journal() -> None:
    seen = [called("drop", on="a table"), called("drop", on="a hand"), called("measure")]
    for observation in seen:
        back = Observation.from_dict(json.loads(json.dumps(observation.to_dict())))
        assert back == observation
        assert places_in(back.text) == places_in(observation.text)
        assert rendered(back.text, halved) == rendered(observation.text, halved)
        for then, now in zip(_texts(observation.error), _texts(back.error), strict=True):
            assert rendered(now, halved) == rendered(then, halved)
    assert seen[1].error
    assert rendered(seen[1].error.hints[0], halved) == '"No" at 0/1; and more'


def _texts(error: Problem | None) -> tuple[str, ...]:
    return (error.message, *error.hints) if error else ()


def test_a_text_that_was_changed_by_hand_is_believed() -> None:
    data = called("drop", on="a table").to_dict() | {"text": "Dropped at 1, 1."}
    assert Observation.from_dict(data).text == "Dropped at 1, 1."
    assert not places_in(Observation.from_dict(data).text)


def test_old_steps_keep_their_places_in_memory() -> None:
    memory, seen = WorldModel(), called("drop", on="a table")
    for index in range(1, 301):
        memory.remember(Step(index, Thought(""), Action("drop"), seen))
    assert rendered(memory[1].observation.text, halved) == "Dropped at 30/-20, near 1/2."


def test_a_secret_in_a_message_is_redacted_and_its_places_stay() -> None:
    secrets = Secrets({"door": "sesame-1234"})
    place = Place(5, 6, "sesame-1234")
    seen = Observation(ok=True, text=message('Clicked "sesame-1234" at ', place), places=(place,))
    cleared = secrets.cleared(seen)
    assert cleared.text == 'Clicked "{{secret:door}}" at 5, 6'
    assert cleared.places == places_in(cleared.text) == (Place(5, 6, "{{secret:door}}"),)
    assert "sesame" not in repr(cleared)


def test_a_secret_that_reaches_over_a_place_is_redacted() -> None:
    cleared = Secrets({"door": "at 5, 6 or so"}).cleared(
        Observation(ok=True, text=message("at ", Point(5, 6), " or so"))
    )
    assert cleared.text == "{{secret:door}}"
    assert type(cleared.text) is str
