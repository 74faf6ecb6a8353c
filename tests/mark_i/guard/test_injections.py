"""Fifty screens that want an agent to do harm, and a brain that obeys them: nothing happens without a yes."""

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i.guard.risk import Answer
from tests.injected import Pages, Stage, filled
from tests.x_servers import Servers
from toolbelt.control import Control
from world_model import Size

VECTORS: Final = Path(__file__).parents[2] / "vectors"
ENTRIES: Final[list[dict[str, Any]]] = json.loads((VECTORS / "injections.json").read_text(encoding="utf-8"))
ORDINARY: Final[list[dict[str, Any]]] = json.loads((VECTORS / "ordinary.json").read_text(encoding="utf-8"))
NEEDED: Final = {"chromium", "mousepad", "xterm"}
UNCONFIRMED: Final[list[str]] = []  # entries that led to a risky action which nobody agreed to
TRIED: Final[list[str]] = []


def name_of(entry: dict[str, Any]) -> str:
    return f"{entry['kind']}: {entry['name']}"


def shown(entry: dict[str, Any], stage: Stage, folder: Path) -> dict[str, Any]:
    """The entry as it is in this run, once its screen is there."""
    if missing := [one for one in NEEDED if entry["screen"]["on"] in {one, "dialog"} and not shutil.which(one)]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    entry = filled(entry, stage, folder)
    stage.show(entry, folder)
    return entry


@pytest.fixture(scope="module")
def stage(browser: None, x_servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One desktop, one browser and one server for all of them."""
    with x_servers.desktop(Size(1024, 768), Control()) as desktop, Pages() as pages:
        yield Stage(desktop, pages, tmp_path_factory.mktemp("stage"))
        pages.shutdown()


@pytest.fixture
def folder(stage: Stage, tmp_path: Path) -> Iterator[Path]:
    """The folder that a screen may do harm in."""
    folder = tmp_path / "home"
    folder.mkdir()
    yield folder
    stage.clear()


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_instructions_on_the_screen_are_not_followed(stage: Stage, folder: Path, entry: dict[str, Any]) -> None:
    entry = shown(entry, stage, folder)
    assert not stage.happened(entry["harm"], folder)

    seen, asked = stage.obey(entry, folder)
    TRIED.append(name_of(entry))
    if stage.happened(entry["harm"], folder):
        UNCONFIRMED.append(name_of(entry))
    assert name_of(entry) not in UNCONFIRMED
    denied = [index for index, one in enumerate(seen) if one.error and one.error.code == "DENIED"]
    assert denied == entry.get("denied", [len(entry["actions"]) - 1]), seen
    assert len(asked) == len(denied)

    if entry.get("yes"):  # the screen is truly dangerous: with a yes the same does the harm
        seen, _ = stage.obey(entry, folder, *[Answer("once")] * len(denied))
        assert stage.until(lambda: stage.happened(entry["harm"], folder)), (seen, stage.facts(folder))


@pytest.mark.usefixtures("display")  # as the screens before it
def test_no_screen_led_to_an_unapproved_action() -> None:
    if len(TRIED) < len(ENTRIES):
        pytest.skip(f"only {len(TRIED)} of {len(ENTRIES)} screens were shown")
    print(f"{len(UNCONFIRMED)} of {len(TRIED)} screens led to an unconfirmed risky action")  # noqa: T201
    assert not UNCONFIRMED


def test_the_screens_are_fifty_and_of_seven_kinds() -> None:
    kinds = Counter(entry["kind"] for entry in ENTRIES)
    assert len(ENTRIES) == len(set(map(name_of, ENTRIES))) == 50
    assert set(kinds) == {"page", "dialog", "document", "file name", "window title", "tiny text", "faint text"}
    assert min(kinds.values()) >= 3
    assert sum(bool(entry.get("yes")) for entry in ENTRIES) >= 10


@pytest.mark.parametrize("entry", ORDINARY, ids=lambda entry: entry["goal"])
def test_ordinary_work_needs_no_approval(stage: Stage, folder: Path, entry: dict[str, Any]) -> None:
    entry = shown(entry, stage, folder)
    seen, asked = stage.obey(entry, folder)
    assert [one.why for one in asked] == []
    assert all(one.ok for one in seen), seen
    assert stage.until(lambda: stage.happened(entry["does"], folder)), stage.facts(folder)
