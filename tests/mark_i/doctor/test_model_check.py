"""The check of a model: its answer to one picture of ours is judged as a run would use it."""

import json
import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest
from click.testing import CliRunner

from mark_i.cli.commands import doctor as commands
from mark_i.cli.commands.doctor import doctor
from mark_i.config.api_keys import Keys
from mark_i.config.settings import Settings, save
from mark_i.doctor import model_check
from mark_i.doctor.model_check import CheckFailure, ModelCheck, check_model
from mark_i.doctor.sample_screen import FIRST_COLUMN, FIRST_ROW, SCREEN, WINDOW, drawn
from mark_i.prompts.coordinates import Spaces
from mark_i.prompts.screenshot import size_for
from mark_i.testing import ANTHROPIC, GEMINI, OPENAI, Fault, ModelServer, Protocol
from mark_i.testing.faults import Kind
from mark_i.testing.protocols import Received, RefusedError
from tests.seeing_model import found, seeing
from tests.support import Run, action
from toolbelt.control import Control
from world_model import Halt, Point, Region, Usage

KEY: Final = "a-key-that-nobody-may-see"
SEED: Final = 7
BUTTON: Final = drawn(Random(SEED)).button
DESKTOP: Final = Region(0, 0, SCREEN.width, SCREEN.height)
VENDORS: Final = {
    "gemini": (GEMINI, "thousandths"),
    "gemini-computer": (GEMINI, "thousandths"),
    "gemini-legacy": (GEMINI, "thousandths"),
    "openai": (OPENAI, "image"),
    "anthropic": (ANTHROPIC, "image"),
}
Reply = Callable[[Received], Any]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    for vendor in ("GEMINI", "OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{vendor}_API_KEY", KEY)


def clicking(space: Any, dx: int = 0, picture: int = 0) -> Reply:
    """A model that clicks beside the middle of the button, in pixels of the screen, and says so in a space."""

    def reply(received: Received) -> Any:
        size = received.image or size_for(SCREEN, picture)
        named = Spaces(space, DESKTOP, size).named((BUTTON.center.x + dx, BUTTON.center.y))
        return action("click", target=named)

    return reply


def checked(
    reply: Reply | list[Any] | None, vendor: str = "openai", server: ModelServer | None = None, **settings: Any
) -> ModelCheck | CheckFailure | None:
    """How a model does that gives this reply."""
    with nullcontext(server) if server else ModelServer(VENDORS[vendor][0], reply or [], key=KEY) as there:
        chosen = Settings(brain=vendor, base_url=there.base_url, **settings)
        return check_model(chosen, Keys(), chance=Random(SEED))


def judged(*args: Any, **settings: Any) -> ModelCheck:
    result = checked(*args, **settings)
    assert isinstance(result, ModelCheck), result
    return result


def failed(*args: Any, **settings: Any) -> CheckFailure:
    result = checked(*args, **settings)
    assert isinstance(result, CheckFailure), result
    return result


# The picture -------------------------------------------------------------------------------------------------------


def test_the_button_is_somewhere_else_each_time_and_can_be_found() -> None:
    screens = [drawn(Random(seed)) for seed in range(4)]
    assert len({screen.button for screen in screens}) == len(screens)
    assert found(screens[0].picture) in screens[0].button


def test_where_the_button_may_be_no_two_kinds_of_coordinates_are_alike() -> None:
    left = WINDOW.x + FIRST_COLUMN * (WINDOW.width // 5)
    buttons = [drawn(Random(seed)).button for seed in range(25)]
    assert all(one.x > left for one in buttons)
    for side in (960, 1080, 1176, 1200, 1440, 1568, 1920):  # of the pictures that the brains ask for
        picture = size_for(SCREEN, side)
        for button in buttons:
            in_thousandths = Spaces("thousandths", DESKTOP, picture).named((button.center.x, button.center.y))
            as_pixels = Spaces("image", DESKTOP, picture).pixel((in_thousandths["x"], in_thousandths["y"]), "image")
            assert Point(**as_pixels) not in button, (side, button)
    assert FIRST_ROW > 0


# What hits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vendor", VENDORS)
def test_an_answer_in_the_vendors_own_coordinates_hits(vendor: str) -> None:
    result = judged(clicking(VENDORS[vendor][1]), vendor)

    assert (result.inside, result.named, result.fits) == (True, "point", None)
    assert result.distance_px <= 2
    assert result.model.startswith(f"{vendor}:")
    assert (result.usage.input_tokens, result.usage.output_tokens) == (1000, 50)
    assert result.usage.cost_usd is None  # the service is not the vendor's
    assert result.seconds > 0
    assert result.todo == ""


def test_a_native_call_of_gemini_hits_too() -> None:
    named = Spaces("thousandths", DESKTOP, SCREEN).named((BUTTON.center.x, BUTTON.center.y))
    call = json.dumps({"functionCall": {"name": "click_at", "args": named}}, separators=(", ", ": "))

    assert judged([call], "gemini-computer").inside


def test_the_question_is_that_of_a_run_with_one_picture() -> None:
    with ModelServer(OPENAI, clicking("image"), key=KEY) as server:
        judged(None, "openai", server)

    [received] = server.received
    assert received.image == SCREEN
    assert "You are MARK-I" in received.system
    assert "click(" in received.system
    assert 'Click the button "Confirm order" once.' in received.text
    assert received.schema is not None


def test_a_model_without_a_price_has_no_cost() -> None:
    with ModelServer(OPENAI, clicking("image"), key=KEY, usage=Usage(10, 5)) as server:
        settings = Settings(brain="openai:mine", base_url=server.base_url)
        result = check_model(settings, Keys(), chance=Random(SEED))

    assert isinstance(result, ModelCheck)
    assert result.usage.cost_usd is None
    assert "10 tokens in, 5 out: at a price that is not known here." in result.told
    assert result.to_dict()["cost_usd"] is None


def test_a_model_that_gets_marks_is_judged_by_them() -> None:
    def choosing(received: Received) -> Any:
        [line] = [line for line in received.text.splitlines() if '"Confirm order" at' in line]
        assert received.image is None
        return action("click", target={"mark": int(line.split()[0])})

    result = judged(choosing, coordinates="marks")

    assert (result.inside, result.named, result.coordinates) == (True, "mark", "marks")
    assert "chose the mark of the button" in result.told


def test_another_mark_misses() -> None:
    def choosing(received: Received) -> Any:
        [line] = [line for line in received.text.splitlines() if '"Confirm address" at' in line]
        return action("click", target={"mark": int(line.split()[0])})

    result = judged(choosing, coordinates="marks")

    assert not result.inside
    assert result.distance_px > 100
    assert "marks" not in result.todo


def test_a_text_is_found_as_in_a_run_and_told_as_such() -> None:
    result = judged([action("click", target="Confirm order")])

    assert (result.inside, result.named) == (True, "text")
    assert "whether it finds points is not known" in result.told


def test_the_model_that_describes_the_screen_is_asked_first() -> None:
    replies = ["A form. There is a button Confirm order.", action("click", target="Confirm order")]
    with ModelServer(OPENAI, replies, key=KEY) as server:
        result = judged(None, "openai", server, vision_brain="openai:eyes")

    assert [one.image for one in server.received] == [SCREEN, None]
    assert "A form." in server.received[1].text
    assert result.usage.input_tokens == 2000


# What misses -------------------------------------------------------------------------------------------------------


def test_an_answer_beside_the_button_tells_how_far() -> None:
    result = judged(clicking("image", dx=-300))

    assert (result.inside, result.fits) == (False, None)
    assert math.isclose(result.distance_px, 300, abs_tol=2)
    assert "its answer is 300 pixels from the middle" in result.told
    assert "mark-i config set coordinates marks" in result.todo


@pytest.mark.parametrize(
    ("vendor", "space", "fits"),
    [
        ("openai", "thousandths", "normalized"),
        ("anthropic", "thousandths", "normalized"),
        ("gemini", "image", "pixels"),
    ],
)
def test_an_answer_that_fits_another_setting_names_it(vendor: str, space: str, fits: Any) -> None:
    result = judged(clicking(space), vendor)

    assert (result.inside, result.fits) == (False, fits)
    assert f"The answer fits coordinates = {fits}." in result.told
    assert result.todo == f"mark-i config set coordinates {fits}"
    assert judged(clicking(space), vendor, coordinates=fits).inside


def test_an_answer_beside_the_screen_has_a_distance_too() -> None:
    result = judged([action("click", target={"x": 5000, "y": 400})])

    assert not result.inside
    assert result.distance_px > 3000


# What cannot be judged ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "cause", "told"),
    [
        ("It is the grey one, I would say.", "unreadable", "It is the grey one"),
        ("", "unreadable", "The reply is empty"),
        (action("finish", summary="Done."), "no_click", "it wanted to use finish"),
        (action("click", target="Buy now"), "not_found", "Buy now"),
        (action("click", target={"mark": 99}), "not_found", "99"),
        (action("click", target={"place": "left"}), "not_found", "target"),
    ],
)
def test_what_is_no_click_on_the_picture_says_why(reply: Any, cause: str, told: str) -> None:
    result = failed([reply])

    assert result.cause == cause
    assert told in result.told
    assert result.todo


@pytest.mark.parametrize(
    ("fault", "cause"),
    [("limit", "limit"), ("error", "trouble"), ("cut", "broken_off"), ("garbage", "odd"), ("blocked", "blocked")],
)
def test_a_service_that_fails_is_told(fault: Kind, cause: str) -> None:
    with ModelServer(OPENAI, [], key=KEY, faults={number: Fault(fault) for number in (1, 2, 3)}) as server:
        assert failed(None, "openai", server).cause == cause
        assert server.requests == 1


@pytest.mark.parametrize("vendor", ["gemini", "openai", "anthropic"])
def test_a_wrong_key_and_an_unknown_model_are_told(vendor: str) -> None:
    protocol: Protocol = VENDORS[vendor][0]
    with ModelServer(protocol, [], key="another-key") as server:
        assert failed(None, vendor, server).cause == "refused_key"
    with ModelServer(protocol, [], key=KEY, models=["one-model"]) as server:
        result = failed(None, vendor, server)
    assert result.cause == "unknown_model"
    assert "one-model" in result.told


def test_a_model_that_sees_no_pictures_is_told() -> None:
    def refusing(path: str, headers: Any, body: Any) -> Received:
        if OPENAI.read(path, headers, body).image:
            raise RefusedError(400, "This model does not support image input.")
        return OPENAI.read(path, headers, body)

    with ModelServer(replace(OPENAI, read=refusing), [], key=KEY) as server:
        result = failed(None, "openai", server)

    assert result.cause == "blind"
    assert "mark-i config set coordinates marks" in result.told


def test_a_missing_key_and_no_network_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = ModelServer(OPENAI, [])
    with closed:
        pass
    away = check_model(Settings(brain="openai", base_url=closed.base_url), Keys())
    monkeypatch.delenv("OPENAI_API_KEY")
    keyless = check_model(Settings(brain="openai"), Keys())

    assert isinstance(away, CheckFailure)
    assert isinstance(keyless, CheckFailure)
    assert (away.cause, keyless.cause) == ("unreachable", "no_key")


def test_a_brain_that_is_none_is_told() -> None:
    result = check_model(Settings(brain="opnai"), Keys())

    assert isinstance(result, CheckFailure)
    assert result.cause == "settings"
    assert "Did you mean openai?" in result.told


@pytest.mark.parametrize("brain", ["offline", "scripted:replies.jsonl", "replay:last"])
def test_what_uses_no_model_is_not_checked(brain: str) -> None:
    assert check_model(Settings(brain=brain), Keys()) is None


def test_a_check_can_be_stopped() -> None:
    control = Control()

    def stopping(_: Received) -> Any:
        control.stop()
        return action("click", target="Help")

    with ModelServer(OPENAI, stopping, key=KEY, seconds=60) as server, pytest.raises(Halt):
        check_model(Settings(brain="openai", base_url=server.base_url), Keys(), control)


# At a terminal -----------------------------------------------------------------------------------------------------


def told(server: ModelServer, *arguments: str, **settings: Any) -> tuple[int, str]:
    """What the doctor prints, and its exit code."""
    save({"brain": "openai:some-model", "base_url": server.base_url, **settings})
    done = CliRunner().invoke(doctor, ["--model", *arguments], standalone_mode=False)
    assert done.exception is None
    assert KEY not in done.output
    return done.return_value, " ".join(done.output.split())


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The button is where these tests know it."""
    monkeypatch.setattr(model_check, "SystemRandom", lambda: Random(SEED))
    monkeypatch.setattr(commands, "stop_on_signals", lambda _control: None)


@pytest.mark.usefixtures("known")
def test_the_doctor_tells_it_in_a_line_or_two() -> None:
    with ModelServer(OPENAI, clicking("image"), key=KEY) as server:
        code, said = told(server)

    assert code == 0
    assert said.startswith("ok The model: openai:some-model clicked the button, 0 pixels from its middle. It took ")
    assert said.endswith(" s, 1,000 tokens in, 50 out: at a price that is not known here.")
    assert server.requests == 1


@pytest.mark.usefixtures("known")
def test_a_program_gets_the_figures() -> None:
    with ModelServer(OPENAI, clicking("image"), key=KEY) as server:
        code, said = told(server, "--json")

    report = json.loads(said)
    [finding] = report["findings"]
    assert (code, report["exit_code"], finding["failed"]) == (0, 0, False)
    check = finding["check"]
    assert check.pop("seconds") > 0
    assert check == {
        "model": "openai:some-model",
        "coordinates": "pixels",
        "named": "point",
        "distance_px": 0.0,
        "inside": True,
        "fits": None,
        "input_tokens": 1000,
        "output_tokens": 50,
        "cost_usd": None,
    }


@pytest.mark.usefixtures("known")
def test_a_failure_has_a_cause_and_the_exit_code_of_the_model() -> None:
    with ModelServer(OPENAI, [], key="another-key") as server:
        code, said = told(server, "--json")

    [finding] = json.loads(said)["findings"]
    assert (code, finding["check"]["cause"]) == (4, "refused_key")


@pytest.mark.usefixtures("known")
def test_settings_that_cannot_be_used_have_their_own_exit_code() -> None:
    with ModelServer(OPENAI, []) as server:
        code, said = told(server, brain="opnai")

    assert code == 2
    assert "FAIL The settings: There is no brain named 'opnai'. Did you mean openai?" in said


@pytest.mark.usefixtures("known")
def test_offline_has_no_model_to_check() -> None:
    with ModelServer(OPENAI, []) as server:
        code, said = told(server, brain="offline")

    assert (code, said) == (0, "ok The model: The brain offline uses none, so there is no model to check.")


@pytest.mark.usefixtures("known")
def test_the_doctor_lists_the_models_of_a_service_that_lacks_the_one_that_is_set() -> None:
    with ModelServer(OPENAI, [], key=KEY, models=["red", "blue"]) as server:
        code, said = told(server)

    assert code == 4
    assert "It has red, blue." in said
    assert said.endswith("-> Name one that it has: mark-i config set brain BRAIN:MODEL")


def test_the_doctor_says_which_coordinates_fit(mark_i: Run) -> None:
    with ModelServer(OPENAI, seeing, key=KEY) as server:
        save({"brain": "openai:some-model", "base_url": server.base_url})
        done = mark_i("doctor", "--model")

    said = " ".join(done.stdout.split())
    assert (done.returncode, done.stderr) == (4, "")
    assert "FAIL The model: openai:some-model missed the button" in said
    assert "The answer fits coordinates = normalized." in said
    assert said.endswith("-> mark-i config set coordinates normalized")
