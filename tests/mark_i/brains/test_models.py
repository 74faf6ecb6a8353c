"""The models that a service lists, through every vendor's real SDK, and the word for what went wrong."""

from dataclasses import replace
from typing import Final

import pytest

from mark_i.agent import AgentCore
from mark_i.brain import Prompt
from mark_i.brains import brain_named, models_of
from mark_i.brains.access import Access
from mark_i.brains.openai import NO_CHAT
from mark_i.brains.providers import PROVIDERS, VENDORS
from mark_i.config.api_keys import VARIABLES
from mark_i.extras import EXTRAS
from mark_i.testing import ANTHROPIC, GEMINI, OPENAI, Fault, ModelServer
from mark_i.testing.faults import Kind
from toolbelt.standard import standard_toolbelt
from world_model import ModelError, UsageError

PROTOCOLS: Final = {"gemini": GEMINI, "gemini-legacy": GEMINI, "openai": OPENAI, "anthropic": ANTHROPIC}
MODELS: Final = ("a-model-2", "a-model-1", "another")
PROMPT: Final = Prompt("You are MARK-I.", "Click Save", "")


def access_to(server: ModelServer, key: str | None = None, seconds: float = 60.0) -> Access:
    return Access(lambda _vendor: key or server.key, server.base_url, seconds)


def cause_of(brain: str, access: Access) -> tuple[str, str]:
    """The word for why a brain gives no reply, and the message."""
    with pytest.raises(ModelError) as caught:
        brain_named(brain, access).think(PROMPT)
    return caught.value.cause, str(caught.value)


@pytest.mark.parametrize("vendor", PROTOCOLS)
def test_a_service_lists_its_models(vendor: str) -> None:
    with ModelServer(PROTOCOLS[vendor], [], models=MODELS) as server:
        assert models_of(vendor, access_to(server)) == MODELS


@pytest.mark.parametrize("vendor", PROTOCOLS)
def test_a_list_that_cannot_be_had_says_why(vendor: str) -> None:
    with ModelServer(PROTOCOLS[vendor], []) as server:
        with pytest.raises(ModelError, match="does not list its models") as missing:
            models_of(vendor, access_to(server))
        with pytest.raises(ModelError, match="refused the key") as refused:
            models_of(vendor, access_to(server, "another-key"))
    with pytest.raises(ModelError, match="cannot be reached") as closed:
        models_of(vendor, access_to(server))

    causes = [caught.value.cause for caught in (missing, refused, closed)]
    assert causes == ["no_list", "refused_key", "unreachable"]
    assert "another-key" not in str(refused.value)


def test_a_service_of_ones_own_that_wants_a_key_says_how_to_give_one() -> None:
    with ModelServer(OPENAI, []) as server:
        cause, told = cause_of("openai:mine", Access(lambda _vendor: None, server.base_url))

    assert cause == "no_key"
    assert "needs an API key, and none is saved" in told
    assert "mark-i config set openai.key" in told


@pytest.mark.parametrize("vendor", PROTOCOLS)
def test_a_list_that_does_not_come_ends_in_time(vendor: str) -> None:
    silent = ModelServer(PROTOCOLS[vendor], [], models=MODELS, list_fault=Fault("hang"))
    with silent as server, pytest.raises(ModelError) as caught:
        models_of(vendor, access_to(server, seconds=0.5))

    assert caught.value.cause == "late"


@pytest.mark.parametrize("kind", ["garbage", "cut", "error"])
def test_an_odd_list_is_a_model_error(kind: Kind) -> None:
    for vendor, protocol in PROTOCOLS.items():
        odd = ModelServer(protocol, [], models=MODELS, list_fault=Fault(kind))
        with odd as server, pytest.raises(ModelError) as caught:
            models_of(vendor, access_to(server))

        assert caught.value.cause in {"odd", "broken_off", "trouble"}, vendor


def test_a_program_has_no_models() -> None:
    with pytest.raises(UsageError, match="has no models"):
        models_of("offline", Access())


@pytest.mark.parametrize("vendor", PROTOCOLS)
def test_an_unknown_model_is_told_with_those_most_like_it(vendor: str) -> None:
    with ModelServer(PROTOCOLS[vendor], [], models=MODELS) as server:
        cause, told = cause_of(f"{vendor}:a-modle-1", access_to(server))
        _, unlike = cause_of(f"{vendor}:zz", access_to(server))

    assert cause == "unknown_model"
    assert "Did you mean a-model-1 or a-model-2?" in told
    assert "It has a-model-2, a-model-1, another." in unlike


def test_an_unknown_model_is_told_without_a_list() -> None:
    with ModelServer(OPENAI, [], models=MODELS, list_fault=Fault("refused")) as server:
        cause, told = cause_of("openai:zz", access_to(server))

    assert cause == "unknown_model"
    assert "has no model zz. Please choose another" in told


def test_an_address_that_lacks_its_path_is_told() -> None:
    with ModelServer(OPENAI, [], models=MODELS) as server:
        url = server.base_url.removesuffix("/v1")
        cause, told = cause_of("openai:zz", replace(access_to(server), base_url=url))

    assert cause == "no_page"
    assert "most end with /v1" in told


def test_what_does_not_chat_is_not_listed_for_openai() -> None:
    chatting = ["gpt-6.2-sol", "gpt-4o", "o3-mini", "gpt-6.2-sol-2026-11-17"]
    others = ["text-embedding-3-large", "whisper-1", "gpt-4o-audio-preview", "dall-e-3", "tts-1", "gpt-image-1"]

    assert [name for name in chatting + others if not NO_CHAT.search(name)] == chatting


@pytest.mark.parametrize(
    ("fault", "cause"),
    [("limit", "limit"), ("unavailable", "trouble"), ("cut", "broken_off"), ("garbage", "odd"), ("blocked", "blocked")],
)
def test_a_program_can_tell_what_went_wrong(fault: Kind, cause: str) -> None:
    for vendor, protocol in PROTOCOLS.items():
        with ModelServer(protocol, ["yes"], faults={1: Fault(fault)}) as server:
            assert cause_of(vendor, access_to(server))[0] == cause, vendor


def test_the_end_of_a_run_tells_a_program_what_went_wrong() -> None:
    with ModelServer(OPENAI, ["yes"] * 9) as server:
        ends = [
            list(AgentCore(brain_named("openai", access_to(server, key)), standard_toolbelt(None)).run("Look"))[-1]
            for key in ("another-key", None)
        ]

    assert [(end.data["outcome"], end.data["cause"]) for end in ends] == [
        ("model_error", "refused_key"),
        ("model_error", "unreadable"),
    ]


@pytest.mark.parametrize("vendor", PROTOCOLS)
def test_a_missing_key_is_told_with_the_page_that_gives_one(vendor: str) -> None:
    with pytest.raises(ModelError) as caught:
        brain_named(vendor, Access())

    assert caught.value.cause == "no_key"
    assert VENDORS[vendor.partition("-")[0]].page in str(caught.value)


def test_providers_name_brains_extras_and_keys_that_exist() -> None:
    assert len({one.name for one in PROVIDERS}) == len(PROVIDERS)
    for one in PROVIDERS:
        assert one.brain in PROTOCOLS
        assert one.extra in EXTRAS
        assert one.keys is None or one.keys in VARIABLES
        assert one.page.startswith("https://")
        assert (one.base_url is None) == (one.name == one.brain)
