"""The catalog: what a run has, told from the declarations alone."""

import tempfile
from pathlib import Path

import pytest
from PIL import Image

from mark_i import Control, FakeDesktop, OfflineBrain, RunConfig
from mark_i.assembly.compose import tools_for
from mark_i.assembly.manual_call import ProfileTools
from mark_i.catalog import builtin_tools, desktop_tools
from toolbelt.control import Control as AnyControl
from toolbelt.perception.eyes import Eyes
from toolbelt.tool import Tool


def without_function(tool: Tool) -> dict[str, object]:
    """All that a tool tells; what it runs is its own."""
    return {name: getattr(tool, name) for name in Tool.__slots__ if name != "run"}


def test_the_catalog_describes_the_tools_of_a_run(tmp_path: Path) -> None:
    control = Control()
    eyes = Eyes(FakeDesktop(lambda _inputs: Image.new("RGB", (1, 1)), control), control)
    with tools_for(eyes, control, tmp_path, RunConfig(OfflineBrain())) as used:
        assert [without_function(one) for one in builtin_tools()] == [without_function(one) for one in used]


def test_desktop_tools_are_missing_without_a_desktop(tmp_path: Path) -> None:
    with tools_for(None, Control(), tmp_path, RunConfig(OfflineBrain())) as used:
        lacking = [tool.name for tool in builtin_tools() if tool.name not in used]

    assert lacking == [tool.name for tool in desktop_tools()]


def test_listing_tools_makes_no_desktop_and_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_args: object, **_more: object) -> None:
        raise AssertionError

    for kind in (Eyes, FakeDesktop, AnyControl):
        monkeypatch.setattr(kind, "__init__", never)
    monkeypatch.setattr(tempfile, "mkdtemp", never)

    known = ProfileTools("default")

    assert known.refresh() == []
    assert "click" in known.desktop
    assert "click" in known.toolbelt
