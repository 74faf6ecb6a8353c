"""What the doctor says of a Wayland session that asks its person first: what it has, what it lacks, and what to do."""

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from mark_i.doctor import prerequisites, trial
from mark_i.doctor.prerequisites import Finding, survey
from mark_i.doctor.session import session_findings
from mark_i.doctor.trial import tried
from mark_i.extras import Extra
from tests.portal import Kept, Portal
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.desktops.wayland.portal import PortalDesktop
from toolbelt.desktops.wayland.portal.bus import Bus
from toolbelt.desktops.wayland.portal.clipboard import Clipboard
from toolbelt.desktops.wayland.portal.session import Session
from toolbelt.desktops.wayland.windows import NoWindows
from world_model import DesktopError


def todos(findings: list[Finding]) -> dict[str, str]:
    """What to do about what is not there; nothing is left without."""
    assert all(one.todo for one in findings if not one.there), findings
    return {one.name: one.todo for one in findings if not one.there}


def this_desktop() -> Finding:
    return next(one for one in survey() if one.about == "this")


def test_a_session_that_asks_is_said_to_ask(closed: Path, portal: Portal) -> None:
    found = this_desktop()
    assert found.there
    assert "the desktop asks you" in found.told


def test_a_portal_that_is_missing_is_named_as_a_package(closed: Path, portal: Portal) -> None:
    portal.version = 0
    assert "sudo apt-get install xdg-desktop-portal-" in todos([this_desktop()])["This desktop"]


def test_an_extra_that_is_missing_is_named_with_its_command(
    closed: Path, portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacks() -> str:
        raise DesktopError("It lacks this.")

    monkeypatch.setattr(prerequisites, "wayland_way", lacks)
    monkeypatch.setattr(prerequisites, "EXTRAS", {"portal": Extra("This", ("no_such_module",))})
    assert "pip install 'mark-i[portal]'" in todos([this_desktop()])["This desktop"]


@pytest.mark.parametrize(("version", "remembered"), [(1, False), (2, True)])
def test_what_a_portal_has_and_lacks_is_told(portal: Portal, version: int, *, remembered: bool) -> None:
    portal.version = version
    with contextlib.closing(Bus()) as bus:
        desktop = PortalDesktop.__new__(PortalDesktop)  # its pictures would need PipeWire
        desktop._session = Session(bus, Kept(), lambda: None)
        desktop._clipboard = Clipboard(desktop._session)
        desktop._windows, desktop.knows_windows = NoWindows(), False
        found = list(session_findings(desktop))
    missing = todos(found)
    assert ("Permission" in missing) is not remembered
    assert {"Keyboard", "Windows", "Accessibility"} <= missing.keys()
    assert "--virtual" in missing["Windows"]


@pytest.mark.parametrize(
    ("has_tk", "display", "package"), [(lambda: True, None, "xwayland"), (lambda: False, ":0", "python3-tk")]
)
def test_a_trial_that_is_not_possible_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, has_tk: Callable[[], bool], display: str | None, package: str
) -> None:
    monkeypatch.setattr(trial, "has_tk", has_tk)
    if display:
        monkeypatch.setenv("DISPLAY", display)
    desktop = FakeDesktop(lambda _: Image.new("RGB", (64, 64)), has_wayland=True, knows_windows=False)
    found = list(tried(desktop, desktop.control))
    assert todos(found).keys() == {"Clicks, typing and reading"}
    assert f"sudo apt-get install {package}" in found[0].told
