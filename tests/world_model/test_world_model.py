"""What the agent knows: places, frames, steps, the WorldModel and the tree of errors."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import world_model
from world_model import (
    ERROR_CODES,
    Action,
    Frame,
    Halt,
    MarkIError,
    ModelError,
    Observation,
    Pixels,
    Point,
    Problem,
    Region,
    ReplyError,
    ScreenChange,
    Size,
    Step,
    Thought,
    Timing,
    ToolFailure,
    Usage,
    WorldModel,
    effects,
)

# Places ------------------------------------------------------------------------------------------------------------

POINTS = st.builds(Point, st.integers(-60, 60), st.integers(-60, 60))
REGIONS = st.builds(Region, *[st.integers(-50, 50)] * 2, *[st.integers(0, 40)] * 2)
SOLID = REGIONS.filter(lambda region: region.area > 0)


@given(REGIONS, REGIONS, POINTS)
def test_the_intersection_holds_exactly_the_points_in_both(one: Region, other: Region, point: Point) -> None:
    assert (point in one.intersection(other)) == (point in one and point in other)


@given(REGIONS, REGIONS)
def test_regions_overlap_where_their_intersection_has_a_pixel(one: Region, other: Region) -> None:
    assert one.overlaps(other) == (one.intersection(other).area > 0) == other.overlaps(one)


@given(SOLID, SOLID)
def test_the_union_is_the_smallest_rectangle_that_holds_both(one: Region, other: Region) -> None:
    union = one.union(other)

    assert union.intersection(one) == one
    assert union.intersection(other) == other
    assert {union.x, union.y} <= {one.x, one.y, other.x, other.y}
    assert {union.right, union.bottom} <= {one.right, one.bottom, other.right, other.bottom}


@given(SOLID)
def test_a_region_contains_nothing_beyond_its_edges(region: Region) -> None:
    assert Point(region.x, region.y) in region
    assert Point(region.right - 1, region.bottom - 1) in region
    assert region.center in region
    assert Point(region.right, region.y) not in region
    assert Point(region.x, region.bottom) not in region


@given(REGIONS, st.integers(0, 20), POINTS)
def test_growing_and_shifting_can_be_undone(region: Region, pixels: int, by: Point) -> None:
    assert region.grown(pixels).grown(-pixels) == region
    assert region.shifted(by.x, by.y).shifted(-by.x, -by.y) == region
    assert region.grown(pixels).intersection(region) == region


@given(REGIONS)
def test_a_region_survives_its_list(region: Region) -> None:
    assert Region.from_list(json.loads(json.dumps(region.to_list()))) == region


@given(st.integers(64, 16384), st.integers(64, 16384))
def test_a_size_survives_its_text(width: int, height: int) -> None:
    assert Size.parse(str(Size(width, height))) == Size(width, height)


@pytest.mark.parametrize(
    "text",
    ["", "1920", "x", "1920x", "x1080", "1920 x 1080", "-1920x1080", "1920x1080x2", "63x1080", "64x16385", "²x64"],
)
def test_what_is_no_usable_size_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="size") as refusal:
        Size.parse(text)
    assert text in str(refusal.value)


def test_a_size_may_have_a_capital_x() -> None:
    assert Size.parse("800X600") == Size(800, 600)


# Frames ------------------------------------------------------------------------------------------------------------


def picture(width: int = 6, height: int = 4, seed: int = 0) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def test_a_frame_knows_the_part_of_the_desktop_that_it_shows() -> None:
    assert Frame(picture(6, 4), Point(-6, 10)).region == Region(-6, 10, 6, 4)


def test_equal_pixels_have_equal_digests_in_any_memory_layout() -> None:
    pixels = picture()

    assert Frame(pixels).digest == Frame(np.asfortranarray(pixels)).digest == Frame(pixels.copy()).digest


def test_one_other_value_or_another_shape_makes_another_digest() -> None:
    pixels = picture(6, 4)
    changed = pixels.copy()
    changed[3, 5, 2] ^= 1

    assert len({Frame(pixels).digest, Frame(changed).digest, Frame(pixels.reshape(6, 4, 3)).digest}) == 3


def test_frames_are_equal_if_pixels_and_place_are() -> None:
    frame = Frame(picture())

    assert frame.same_as(frame)
    assert frame.same_as(Frame(picture(), time=5.0))
    assert not frame.same_as(Frame(picture(), Point(1, 0)))
    assert not frame.same_as(Frame(picture(seed=1)))
    assert not frame.same_as(Frame(picture(7, 4)))


@given(REGIONS, POINTS)
def test_a_crop_is_what_the_frame_shows_of_a_region(region: Region, origin: Point) -> None:
    frame = Frame(picture(30, 20), origin)
    seen = region.intersection(frame.region)

    crop = frame.crop(region)

    assert crop.shape[0] * crop.shape[1] == seen.area
    if seen.area:
        top, left = seen.y - origin.y, seen.x - origin.x
        assert np.array_equal(crop, frame.pixels[top : top + seen.height, left : left + seen.width])
        assert np.shares_memory(crop, frame.pixels)


# Steps -------------------------------------------------------------------------------------------------------------

TEXT = st.text(max_size=20)
NUMBERS = st.integers(-(10**18), 10**18) | st.floats(allow_nan=False, allow_infinity=False)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
MILLISECONDS = st.integers(0, 10**7).map(lambda tenths: tenths / 10)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
ACTIONS = st.builds(Action, TEXT, st.dictionaries(TEXT, JSON, max_size=3))
PROBLEMS = st.builds(Problem, st.sampled_from(ERROR_CODES), TEXT, TEXTS)
CHANGES = st.builds(
    ScreenChange,
    st.booleans(),
    MILLISECONDS,
    st.booleans(),
    TEXTS,
    TEXTS,
    st.lists(REGIONS, max_size=3).map(tuple),
    appeared_at=st.lists(POINTS, max_size=3).map(tuple),
    opened=TEXTS,
    closed=TEXTS,
    front=TEXT,
    retitled=TEXT,
    unseen=st.booleans(),
    became=st.just(()) | st.tuples(TEXT, TEXT, TEXT),
    front_before=st.none() | REGIONS,
    front_after=st.none() | REGIONS,
)
OBSERVATIONS = st.builds(Observation, st.booleans(), TEXT, JSON, st.none() | PROBLEMS, st.none() | CHANGES)
USAGES = st.builds(Usage, st.integers(0, 10**9), st.integers(0, 10**9), st.floats(0, 100))
TIMINGS = st.builds(Timing, *[MILLISECONDS] * 5)
STEPS = st.builds(
    Step,
    st.integers(1, 999),
    st.builds(Thought, TEXT),
    ACTIONS,
    OBSERVATIONS,
    usage=USAGES,
    timing=TIMINGS,
)


@settings(max_examples=50)
@given(STEPS)
def test_a_step_survives_its_line_in_the_journal(step: Step) -> None:
    assert Step.from_dict(json.loads(json.dumps(step.to_dict()))) == step


@given(ACTIONS)
def test_an_action_survives_its_dictionary(action: Action) -> None:
    assert Action.from_dict(json.loads(json.dumps(action.to_dict()))) == action


@settings(max_examples=50)
@given(OBSERVATIONS)
def test_an_observation_survives_its_dictionary(observation: Observation) -> None:
    assert Observation.from_dict(json.loads(json.dumps(observation.to_dict()))) == observation


def test_a_change_has_only_what_says_something() -> None:
    plain, opened = ScreenChange(changed=True), ScreenChange(changed=True, opened=("Save As",), front="Save As")

    assert opened.to_dict() == {**plain.to_dict(), "opened": ["Save As"], "front": "Save As"}
    assert ScreenChange.from_dict(plain.to_dict()) == plain


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (ScreenChange(changed=False), ["Nothing changed on the screen."]),
        (ScreenChange(changed=False, unseen=True), []),
        (ScreenChange(changed=False, unseen=True, copied=True), ["Something was copied to the clipboard."]),
        (ScreenChange(changed=False, front="Notes"), ['The window "Notes" is in front now.']),
        (ScreenChange(changed=True), ["The screen changed."]),
        (ScreenChange(changed=True, opened=("Save As",), front="Save As"), ['The window "Save As" opened in front.']),
        (ScreenChange(changed=True, opened=("Help",)), ['The window "Help" opened.']),
        (
            ScreenChange(changed=True, closed=("Save As",), front="Notes"),
            ['The window "Save As" closed.', 'The window "Notes" is in front now.'],
        ),
        (ScreenChange(changed=True, retitled="*Notes"), ['The title of the window in front is "*Notes" now.']),
        (ScreenChange(changed=True, became=("checkbox", "News", "checked")), ['The checkbox "News" is checked now.']),
        (ScreenChange(changed=True, became=("switch", "", "unchecked")), ["The switch is unchecked now."]),
        (ScreenChange(changed=True, scrolled=-9), ["What is shown moved up by 9 pixels."]),
    ],
)
def test_what_an_action_did_is_said_in_sentences(change: ScreenChange, said: list[str]) -> None:
    assert effects(change) == said


def test_a_step_finds_its_frames_by_their_digests() -> None:
    before, after = Frame(picture(seed=1)), Frame(picture(seed=2))
    step = Step(1, Thought(""), Action("press"), Observation(ok=True, text=""), before, after)

    read = Step.from_dict(step.to_dict(), {before.digest: before})

    assert read.before is before
    assert read.after is None


def test_usage_adds_up() -> None:
    assert Usage(1, 2, 0.5) + Usage(10, 20, 0.25) == Usage(11, 22, 0.75)


# The WorldModel ----------------------------------------------------------------------------------------------------


def typed(index: int, text: str = "hi") -> Step:
    screen = ScreenChange(changed=True, appeared=(text,), vanished=("Name",))
    observation = Observation(ok=True, text=f"Typed {len(text)} characters.", screen=screen)
    return Step(index, Thought("I type."), Action("type_text", {"text": text}), observation)


def missed(index: int) -> Step:
    hints = ('On the screen: "Save".',)
    error = Problem("TARGET_NOT_FOUND", '"Sav" is not on the screen.', hints, ("read_screen",), "loop_detection")
    observation = Observation(ok=False, text="", error=error, screen=ScreenChange(changed=False))
    return Step(index, Thought("I save."), Action("click", {"target": "Sav"}), observation)


def remembering(*steps: Step) -> WorldModel:
    known = WorldModel()
    for step in steps:
        known.remember(step)
    return known


def test_steps_are_kept_in_order_and_counted_from_one() -> None:
    first, second = typed(1), missed(2)
    known = remembering(first, second)

    assert list(known) == [first, second]
    assert len(known) == 2
    assert known[1] is first
    assert known[2] is second


def test_an_older_problem_has_no_instead_and_no_refused_by() -> None:
    old = {"code": "TIMEOUT", "message": "Too slow.", "hints": ["Wait."]}

    assert Problem.from_dict(old) == Problem("TIMEOUT", "Too slow.", ("Wait.",), (), None)


@pytest.mark.parametrize("index", [0, 1, 3, -1])
def test_a_step_out_of_order_is_refused_and_not_kept(index: int) -> None:
    known = remembering(typed(1))

    with pytest.raises(ValueError, match=f"step {index} cannot follow step 1"):
        known.remember(typed(index))
    assert len(known) == 1


@pytest.mark.parametrize("index", [0, -1, 2])
def test_there_is_no_step_outside_of_the_count(index: int) -> None:
    with pytest.raises(IndexError, match=f"no step {index}"):
        remembering(typed(1))[index]


def test_a_new_step_does_not_disturb_an_iteration() -> None:
    known = remembering(typed(1))

    for step in known:
        known.remember(typed(step.index + 1))

    assert len(known) == 2


def test_as_text_each_step_is_three_lines() -> None:
    assert remembering(typed(1), missed(2)).format("text") == (
        "Thought 1: I type.\n"
        'Action 1: type_text({"text": "hi"})\n'
        'Observation 1: Typed 2 characters. Appeared: "hi". Vanished: "Name".\n'
        "\n"
        "Thought 2: I save.\n"
        'Action 2: click({"target": "Sav"})\n'
        'Error 2: TARGET_NOT_FOUND: "Sav" is not on the screen. On the screen: "Save". Nothing changed on the screen.'
    )


def test_as_markdown_each_step_has_a_heading() -> None:
    assert remembering(typed(1), typed(2)).format("markdown", last=1) == (
        "### Step 2\n"
        "**Thought:** I type.\n"
        '**Action:** type_text({"text": "hi"})\n'
        '**Observation:** Typed 2 characters. Appeared: "hi". Vanished: "Name".\n'
    )


def test_as_json_the_steps_can_be_read_back() -> None:
    known = remembering(typed(1, "é€漢"), missed(2))

    told = known.format("json")

    assert [Step.from_dict(step) for step in json.loads(told)] == list(known)
    assert "é€漢" in told


def test_a_screen_that_never_rests_is_told() -> None:
    moving = Observation(ok=True, text="Clicked.", screen=ScreenChange(changed=True, settled=False))

    assert world_model.describe(moving) == "Clicked. The screen is still moving."


@pytest.mark.parametrize(
    ("last", "shown"), [(None, [1, 2, 3]), (0, []), (1, [3]), (2, [2, 3]), (3, [1, 2, 3]), (99, [1, 2, 3])]
)
def test_only_the_last_steps_are_shown_where_asked_for(last: int | None, shown: list[int]) -> None:
    known = remembering(typed(1), missed(2), typed(3))

    assert [step["index"] for step in json.loads(known.format("json", last))] == shown
    for index in (1, 2, 3):
        assert (f"Thought {index}:" in known.format("text", last)) == (index in shown)
        assert (f"### Step {index}\n" in known.format("markdown", last)) == (index in shown)


def test_nothing_remembered_is_nothing_shown() -> None:
    assert WorldModel().format("text") == ""
    assert WorldModel().format("markdown") == ""
    assert json.loads(WorldModel().format("json")) == []


# Errors ------------------------------------------------------------------------------------------------------------


def test_a_tool_cannot_fail_with_a_code_that_nobody_knows() -> None:
    with pytest.raises(ValueError, match="OOPS is not an error code"):
        ToolFailure("OOPS", "It went wrong.")


@pytest.mark.parametrize("code", ERROR_CODES)
def test_a_tools_failure_carries_code_message_and_hints(code: str) -> None:
    failure = ToolFailure(code, "It went wrong.", ["Try again."])

    assert (failure.code, failure.message, failure.hints) == (code, "It went wrong.", ("Try again.",))
    assert str(failure) == "It went wrong."


def test_a_stop_is_no_exception_that_a_tool_could_catch() -> None:
    assert not issubclass(Halt, Exception)


def test_the_tree_of_errors_is_as_it_is_drawn() -> None:
    errors = [error for name in dir(world_model) if isinstance(error := getattr(world_model, name), type)]
    tree = {(error.__name__, error.__base__) for error in errors if issubclass(error, MarkIError)}

    assert tree == {
        ("MarkIError", Exception),
        ("UsageError", MarkIError),
        ("ToolFailure", MarkIError),
        ("ModelError", MarkIError),
        ("ReplyError", ModelError),
        ("BusyError", ModelError),
        ("WorkflowError", MarkIError),
        ("LimitError", MarkIError),
        ("DesktopError", MarkIError),
        ("JournalError", MarkIError),
    }
    assert ReplyError.__mro__[1] is ModelError


def test_times_are_rounded_to_a_tenth_of_a_millisecond() -> None:
    seen = Observation(ok=True, text="", screen=ScreenChange(changed=True, settled_ms=83.26))
    step = Step(1, Thought(""), Action("press", {}), seen, timing=Timing(look_ms=9.149, think_ms=812))
    assert (step.timing.look_ms, step.timing.think_ms) == (9.1, 812)
    assert Step.from_dict(json.loads(json.dumps(step.to_dict()))) == step
