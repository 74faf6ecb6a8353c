"""What a compositor tells of the person's own mouse and keyboard, and that the agent's own are not taken for them."""

import contextlib
import threading
from collections.abc import Callable, Iterator

import pytest

from tests.sway import Session, desktop_of
from toolbelt.control import Control, TakenOverError
from toolbelt.desktops import Takeover
from toolbelt.desktops.wayland import WaylandDesktop
from world_model import Halt, Point


class Watcher:
    """Counts what it is told."""

    def __init__(self) -> None:
        self.used = threading.Event()

    def stop(self) -> None: ...

    def pressed(self) -> None:
        self.used.set()

    def looked(self, at: Point, *, moved: bool, ours: bool) -> None: ...


@pytest.fixture
def watcher(wayland: WaylandDesktop) -> Iterator[Watcher]:
    """Somebody who listens to the session."""
    watching = Watcher()
    with contextlib.closing(wayland.listen(watching)):
        yield watching


def is_seen(sway: Session, watcher: Watcher, use: Callable[[], object]) -> None:
    """Have a person use something until that is told."""

    def told() -> bool:
        use()
        return watcher.used.wait(0.5)

    sway.until(told)
    watcher.used.clear()


@pytest.fixture
def person(sway: Session) -> Iterator[WaylandDesktop]:
    """Other devices of the same seat."""
    with desktop_of(sway, Control()) as desktop:
        yield desktop


def test_a_person_is_seen(wayland: WaylandDesktop, watcher: Watcher, person: WaylandDesktop, sway: Session) -> None:
    uses = (
        lambda: person.move(Point(300, 300)),
        lambda: person.press("a"),
        lambda: person.scroll("down", 1),
        lambda: person.click(Point(310, 300), "middle"),
    )
    for use in uses:
        wayland.click(Point(500, 400))
        is_seen(sway, watcher, use)


def test_the_agent_is_not_taken_for_a_person(
    wayland: WaylandDesktop, watcher: Watcher, person: WaylandDesktop, sway: Session
) -> None:
    for number in range(60):
        wayland.click(Point(400 + number, 300))
        wayland.type("some words ")
        wayland.press("ctrl+a")
        wayland.scroll("down", 2)
        wayland.mouse_down("left")
        wayland.mouse_up("left")
        wayland.key_down("shift")
        wayland.key_up("shift")
        wayland.key_down("alt")
        wayland.release()
        if number % 10 == 0:
            watcher.used.wait(0.05)  # the seat is idle meanwhile
    assert not watcher.used.wait(0.3)
    is_seen(sway, watcher, lambda: person.move(Point(300, 300)))


def test_what_keeps_the_screen_awake_is_nobody(
    wayland: WaylandDesktop, watcher: Watcher, person: WaylandDesktop, sway: Session
) -> None:
    sway.start_program("mousepad")
    sway.until(sway.titles)
    sway.command('[app_id=".*"] inhibit_idle open')
    assert not watcher.used.wait(0.5)
    wayland.click(Point(500, 400))
    assert not watcher.used.wait(0.2)
    watcher.used.wait(3.5)  # longer than a hand moves
    sway.command('[app_id=".*"] inhibit_idle none')
    assert not watcher.used.wait(0.3)
    is_seen(sway, watcher, lambda: person.move(Point(300, 300)))


def test_a_person_takes_over(sway: Session, wayland: WaylandDesktop, control: Control, person: WaylandDesktop) -> None:
    def goes_on() -> bool:
        control.resume()
        assert control.gate(60)
        with contextlib.suppress(TakenOverError):  # the person's last key may be told later
            return wayland.click(Point(520, 400))
        return False

    def taken_over() -> bool:
        person.press("a")
        return bool(control.until(lambda: control.is_taken_over, 0.5))

    takeover = Takeover(wayland, control, lambda: None)
    with contextlib.closing(takeover), contextlib.closing(wayland.listen(takeover)):
        wayland.click(Point(500, 400))
        sway.until(taken_over)
        with pytest.raises(TakenOverError):
            wayland.click(Point(510, 400))
        sway.until(goes_on)
        control.stop()
        with pytest.raises(Halt):
            wayland.click(Point(530, 400))


def test_nothing_listens_when_it_is_closed(wayland: WaylandDesktop, person: WaylandDesktop) -> None:
    watching = Watcher()
    wayland.listen(watching).close()
    assert "activity" not in {thread.name for thread in threading.enumerate()}
    wayland.click(Point(500, 400))
    person.press("a")
    wayland.click(Point(510, 400))
    assert not watching.used.is_set()
