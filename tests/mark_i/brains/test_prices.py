"""What models cost: the table, the person's own prices, and limits that hold before a call."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from mark_i import Limits
from mark_i.agent import AgentCore
from mark_i.brain import Prompt, Reply, Space
from mark_i.brains import brain_named
from mark_i.brains.access import Access
from mark_i.brains.prices import Counts, Price, price_of
from mark_i.brains.remote import RemoteBrain
from mark_i.budget import Budget
from mark_i.config.paths import prices_file
from mark_i.testing import GEMINI, OPENAI, ModelServer
from tests.support import Run, events
from toolbelt.standard import standard_toolbelt
from world_model import Usage

OWN_PRICE: Final = '[models."{}"]\ninput = 2\noutput = 10\n'
FINISH: Final = {"thought": "I know it.", "answer": "Because."}


def test_the_default_models_have_a_price() -> None:
    for vendor in ("gemini", "openai", "anthropic"):
        brain = brain_named(vendor, Access(lambda _vendor: "key"))
        assert isinstance(brain, RemoteBrain)
        assert brain.price is not None, brain.name
        assert brain.price.of(Counts(1000, 100)) > 0


@pytest.mark.parametrize(
    ("model", "same"),
    [
        ("gemini-3.8-flash", "gemini-3.8-flash"),
        ("gemini-3.8-flash-preview-09-2026", "gemini-3.8-flash"),
        ("claude-sonnet-5-5-20260928", "claude-sonnet-5-5"),
        ("claude-opus-5-5-latest", "claude-opus-5-5"),
        ("gpt-6.2-sol-2026-11-17", "gpt-6.2-sol"),
    ],
)
def test_a_dated_version_costs_what_its_name_does(model: str, same: str) -> None:
    price = price_of(same)
    assert price is not None
    assert price_of(model) == price


@pytest.mark.parametrize("model", ["gpt-4o-audio", "gpt-6.2-sol-large", "llama3.2-vision", "", "gemini-3.8-flash2"])
def test_what_is_only_like_a_known_name_has_no_price(model: str) -> None:
    assert price_of(model) is None


def test_a_price_counts_what_was_cached_and_what_was_long() -> None:
    price = Price(
        input=2, output=10, cached=0.2, cache_write=2.5, above=1000, input_above=4, output_above=20, cached_above=0.4
    )
    assert price.of(Counts()) == 0
    assert price.of(Counts(1000, 100)) * 1e6 == pytest.approx(1000 * 2 + 100 * 10)
    assert price.of(Counts(1000, 100, 600)) * 1e6 == pytest.approx(400 * 2 + 600 * 0.2 + 100 * 10)
    assert price.of(Counts(1000, 100, 600, 300)) * 1e6 == pytest.approx(100 * 2 + 600 * 0.2 + 300 * 2.5 + 100 * 10)
    assert price.of(Counts(1001, 100, 600)) * 1e6 == pytest.approx(401 * 4 + 600 * 0.4 + 100 * 20)
    assert Price(input=3, output=1).of(Counts(10, 0, 10)) * 1e6 == pytest.approx(30), "cached costs what new does"


def test_the_persons_own_prices_go_before_ours(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    assert price_of("gemini-3.8-flash", file) == price_of("gemini-3.8-flash")
    file.write_text('[models."gemini-3.8-flash"]\ninput = 9\noutput = 9\n[models."llama3.2"]\ninput = 0\noutput = 0')
    mine, local = price_of("gemini-3.8-flash", file), price_of("llama3.2", file)
    assert mine is not None
    assert local is not None
    assert (mine.input, local.of(Counts(1000, 1000))) == (9, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[models", "is not valid TOML"),
        ('[models."a"]\ninput = "much"\noutput = 1', "a.input"),
        ('[models."a"]\ninput = -1\noutput = 1', "a.input"),
        ('[models."a"]\ninput = 1', "a.output"),
        ('[models."a"]\ninput = 1\noutput = 1\nper = "token"', "a.per"),
        ("models = 5", "dictionary"),
    ],
)
def test_prices_that_are_none_are_told_in_one_line(text: str, message: str, mark_i: Run) -> None:
    file = prices_file()
    file.parent.mkdir(parents=True)
    file.write_text(text)
    failed = mark_i("ask", "Why?", "--brain", "openai:a", "--base-url", "http://127.0.0.1:9/v1")
    assert failed.returncode == 2
    assert message in failed.stderr
    assert str(file) in failed.stderr
    assert failed.stderr.count("\n") == 1


@dataclass
class Dear:
    """A brain whose calls cost a cent each, and that says so before."""

    name: str = "dear"
    sight: int = 0
    space: Space = "pixels"
    calls: int = 0

    def expected(self, prompt: Prompt) -> Usage:
        assert prompt.goal
        return Usage(100, 0, 0.01)

    def think(self, prompt: Prompt) -> Reply:
        assert prompt.goal
        self.calls += 1
        text = f'{{"thought": "Hm.", "action": {{"tool": "list_files", "args": {{"path": "{"./" * self.calls}"}}}}}}'
        return Reply(text, Usage(100, 10, 0.01))


@pytest.mark.parametrize(("usd", "calls"), [(0.005, 0), (0.01, 1), (0.035, 3)])
def test_no_call_is_made_that_would_cost_more_than_is_allowed(usd: float, calls: int) -> None:
    brain = Dear()
    outcome = AgentCore(brain, standard_toolbelt(None), limits=Limits(Budget(usd=usd))).execute_command("Why?")
    assert outcome.name == "limit_cost"
    assert brain.calls == calls


def test_the_vendors_prices_do_not_hold_at_another_address(tmp_path: Path) -> None:
    def price(address: str | None) -> Price | None:
        brain = brain_named("openai", Access(lambda _vendor: "a-key-of-nobody", address, prices=file))
        assert isinstance(brain, RemoteBrain)
        return brain.price

    file = tmp_path / "prices.toml"
    assert price(None) == price_of("gpt-6.2-sol")
    assert price("http://localhost:9/v1") is None
    file.write_text(OWN_PRICE.format("gpt-6.2-sol"))
    assert price("http://localhost:9/v1") == Price(input=2, output=10)


def test_the_cost_is_known_before_the_first_call(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(OWN_PRICE.format("gemini-3.8-flash"))
    with ModelServer(GEMINI, [FINISH]) as server:
        brain = brain_named("gemini", Access(lambda _vendor: server.key, server.base_url, prices=file))
        agent = AgentCore(brain, standard_toolbelt(None), limits=Limits(Budget(usd=0.0001)))
        assert agent.execute_command("Why?").name == "limit_cost"
        assert server.requests == 0


def test_the_total_is_told_and_an_unknown_price_is_said_to_be(mark_i: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-that-nobody-may-see")
    prices_file().parent.mkdir(parents=True, exist_ok=True)
    prices_file().write_text(OWN_PRICE.format("gpt-6.2-sol"))
    with ModelServer(OPENAI, [FINISH] * 3, usage=Usage(12_345, 678, cached_tokens=2000)) as server:
        told = mark_i("ask", "Why?", "--brain", "openai", "--base-url", server.base_url)
        unknown = mark_i("ask", "Why?", "--brain", "openai:mine", "--base-url", server.base_url)
        as_json = mark_i("ask", "Why?", "--brain", "openai:mine", "--base-url", server.base_url, "--json")
    cost = Price(input=2, output=10).of(Counts(12_345, 678, 2000))
    assert f"12,345 tokens in (2,000 of them cached), 678 out: about {cost:.4f} USD." in " ".join(told.stdout.split())
    assert "at a price that is not known here" in " ".join(unknown.stdout.split())
    assert events(as_json.stdout)[-1]["usage"] == {
        "input_tokens": 12_345,
        "output_tokens": 678,
        "cost_usd": None,
        "cached_tokens": 2000,
    }


def test_a_limit_of_cost_needs_a_price(mark_i: Run) -> None:
    failed = mark_i("ask", "Why?", "--brain", "openai:mine", "--base-url", "http://127.0.0.1:9/v1", "--max-cost", "1")
    assert failed.returncode == 2
    assert "openai:mine" in failed.stderr
    assert "prices.toml" in failed.stderr
    assert failed.stderr.count("\n") == 1
