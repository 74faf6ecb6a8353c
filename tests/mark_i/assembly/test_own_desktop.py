"""The person's own desktop under Wayland: what the session offers decides how it is used, and who is asked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mark_i.assembly import desktops
from mark_i.assembly.desktops import WILL_ASK, WILL_ASK_TO_LOOK, OwnDesktop, desktop_for, opened, wayland_way
from tests.portal import Kept, Portal
from tests.support import Run
from tests.sway import Session
from toolbelt.control import Control
from toolbelt.desktops.wayland.portal.bus import REMOTE
from toolbelt.desktops.wayland.portal.session import DENIED
from world_model import DesktopError, Halt


def test_a_session_that_asks_its_person_is_used(closed: Path, portal: Portal) -> None:
    assert wayland_way() == "portal"
    assert desktop_for(None) == (None, None)
    assert portal.asked == {}, "nobody is asked before it is opened"


def test_a_session_with_the_protocols_asks_nobody(sway: Session, portal: Portal) -> None:
    assert wayland_way() == "protocols"
    assert portal.called == set()


def test_a_session_that_cannot_ask_is_not_used(closed: Path, portal: Portal) -> None:
    portal.version = 0
    with pytest.raises(DesktopError) as told:
        wayland_way()
    assert "does not let programs see the screen" in str(told.value)
    assert "Programs cannot ask for it either: no desktop portal here shares screen and input." in str(told.value)
    size, notice = desktop_for(None)
    assert size is not None
    assert "so the agent works on a virtual desktop" in str(notice)
    assert len(str(notice).splitlines()) == 1


def test_without_a_session_bus_it_is_not_used(closed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={closed.parent}/none")
    with pytest.raises(DesktopError, match="has no session bus"):
        wayland_way()


def without_the_extra(program: str) -> str:
    """What a program prints that finds neither part of the extra."""
    hidden = 'import sys; sys.modules["jeepney"] = sys.modules["pipewire_capture"] = None'
    done = subprocess.run([sys.executable, "-c", f"{hidden}\n{program}"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_extra_that_is_missing_is_named(closed: Path, portal: Portal) -> None:
    told = without_the_extra("from mark_i.assembly.desktops import wayland_fault; print(wayland_fault())")
    assert told.endswith("Install it: pip install 'mark-i[portal]'")
    assert len(told.splitlines()) == 1


def test_a_session_with_the_protocols_needs_no_extra(sway: Session) -> None:
    opens = """
from mark_i.assembly.desktops import opened
from mark_i.doctor.session import session_findings
from toolbelt.control import Control
with opened(None, Control()) as desktop:
    print(desktop.name, len(list(session_findings(desktop))))
"""
    assert without_the_extra(opens) == "Wayland desktop 3"


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (OwnDesktop(), [WILL_ASK]),
        (OwnDesktop(Kept()), [WILL_ASK]),
        (OwnDesktop(Kept("token")), []),
        (OwnDesktop(Kept("token"), looks=True), [WILL_ASK_TO_LOOK]),
    ],
)
def test_the_person_is_told_before_they_are_asked(
    closed: Path, portal: Portal, control: Control, own: OwnDesktop, expected: list[str]
) -> None:
    told = list[str]()
    portal.result = 1

    def tell(text: str) -> None:
        assert "CreateSession" not in portal.asked
        told.append(text)

    with (
        pytest.raises(DesktopError) as refused,
        opened(None, control, own=OwnDesktop(own.token, tell, own.looks)),
    ):
        raise AssertionError("it was refused")
    assert (told, str(refused.value)) == (expected, DENIED)
    assert (REMOTE in portal.called) is not own.looks


def test_who_is_asked_again_is_told(
    closed: Path, portal: Portal, control: Control, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desktops, "ALLOWED_MAX_S", 0.2)
    told = list[str]()
    portal.answers = False  # the person is at the question still

    def tell(text: str) -> None:
        told.append(text)
        control.stop()

    with pytest.raises(Halt), opened(None, control, own=OwnDesktop(Kept("token"), tell)):
        raise AssertionError("nobody allowed it")
    assert told == [WILL_ASK]


@pytest.mark.parametrize("dry", [False, True])
def test_a_run_tells_it_and_takes_no_more_than_it_needs(
    closed: Path, portal: Portal, mark_i: Run, tmp_path: Path, *, dry: bool
) -> None:
    portal.result = 1
    done = mark_i("run", "press enter", "--brain", "offline", *(["--dry-run"] if dry else []), env=dict(os.environ))
    assert done.returncode == 5
    assert done.stderr.index(WILL_ASK_TO_LOOK if dry else WILL_ASK) < done.stderr.index(DENIED)
    assert ("SelectDevices" in portal.asked) is not dry
