"""Two windows of one title are told apart by every tool that takes a window, on real terminals."""

from pathlib import Path
from typing import Any

import pytest

from tests.support import CAP_S
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Observation


def terminal(desktop: VirtualDesktop, file: Path, place: str, count: int) -> None:
    """Open a terminal with the title Notes that writes what is typed to a file; `count` are open then, it above all."""
    known = {one.id for one in desktop.windows()}
    desktop.launch(["xterm", "-T", "Notes", "-geometry", f"40x8{place}", "-e", f"cat > {file}"])

    def is_above() -> bool:  # a window that is just coming up is listed below the others
        there = desktop.windows()
        return len(there) == count and there[-1].active and there[-1].id not in known

    assert desktop.control.until(is_above, CAP_S)


@pytest.fixture
def eyes(desktop: VirtualDesktop, tmp_path: Path) -> Eyes:
    terminal(desktop, tmp_path / "lower", "+20+20", 1)
    terminal(desktop, tmp_path / "upper", "+400+400", 2)
    return Eyes(desktop, desktop.control)


def used(eyes: Eyes, tool: str, **args: Any) -> Observation:
    eyes.show()
    return standard_toolbelt(eyes).call(Action(tool, args), eyes.control).observation


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("focus_window", {}),
        ("close_window", {}),
        ("move_window", {"x": 5, "y": 5}),
        ("resize_window", {"width": 300, "height": 200}),
    ],
)
def test_a_title_of_two_windows_is_ambiguous_and_both_are_named(eyes: Eyes, tool: str, args: dict[str, int]) -> None:
    before = eyes.windows()

    error = used(eyes, tool, title="Notes", **args).error

    assert error
    assert error.code == "TARGET_AMBIGUOUS"
    assert error.hints[0].index('"Notes #1" is') < error.hints[0].index(" at 4") < error.hints[0].index('"Notes #2" is')
    assert eyes.windows() == before


def test_the_window_that_is_named_by_its_number_is_used(eyes: Eyes, control: Control, tmp_path: Path) -> None:
    lower, upper = eyes.windows()

    assert used(eyes, "move_window", title="Notes #1", x=500, y=450).ok
    assert used(eyes, "focus_window", title="Notes #2").ok
    assert used(eyes, "type_text", text="for the lower one", enter=True).ok

    assert control.until(lambda: (tmp_path / "lower").read_text() == "for the lower one\n", CAP_S)
    assert (tmp_path / "upper").read_text() == ""
    moved, same = eyes.windows()
    assert (moved.id, same.id, moved.region != upper.region, same.region == lower.region) == (
        upper.id,
        lower.id,
        True,
        True,
    )
    assert used(eyes, "close_window", title="Notes #1").ok
    assert [one.id for one in eyes.windows()] == [upper.id]
