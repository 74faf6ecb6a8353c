"""A run that waits or has ended tells a person who looks elsewhere, on a real bus."""

import contextlib
import functools
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gui.notifications.news import News, news_of
from gui.notifications.notifier import Notifier
from gui.run.messages import Answered, ClockTicked, Message, RunRefused, RunReleased, RunStarted
from gui.run.state import RunState
from gui.run.update import reduce
from mark_i import Event
from mark_i.config import tools_folder
from tests.gui.notifications.desktop_service import NotificationService, session_bus
from tests.gui.opened_window import CAP_S, Window
from tests.support import WAITING_TOOL, script, soon
from toolbelt.desktops import VirtualDesktop, Window as Other
from toolbelt.perception.eyes import Eyes

STARTED = RunStarted("Find hunter2")
QUESTION = Event("notice", 0.3, {"text": "Is hunter2 right?", "question": True})
CALL = {"index": 1, "tool": "type_text", "args": {"text": "hunter2"}}
APPROVAL = Event("approval", 0.3, {**CALL, "tier": "danger", "why": "It may spend hunter2.", "place": None})
ENDED = Event("ended", 2, {"outcome": "done", "summary": "It was hunter2.", "evidence": []})


def after(*messages: Message) -> RunState:
    return functools.reduce(reduce, messages, RunState())


def told(news: News | None) -> tuple[str, str]:
    assert news
    return news.title, news.text


# What is told --------------------------------------------------------------------------------------------------------


def test_what_waits_and_what_has_ended_is_told_without_a_word_of_the_run() -> None:
    started = Event("run_started", 0.0, {"max_steps": 50})

    assert told(news_of(after(STARTED, QUESTION))) == ("MARK-I has a question", "The run waits for your answer.")
    assert told(news_of(after(STARTED, APPROVAL))) == (
        "MARK-I needs your approval",
        "The run waits for it before it acts.",
    )
    assert told(news_of(after(STARTED, started, ClockTicked(7), ENDED))) == ("MARK-I: Done", "0 of 50 steps · 0:07")
    refused = told(news_of(after(STARTED, RunRefused("There is no brain named hunter2."))))
    assert refused[0] == "MARK-I: The run did not start"


@pytest.mark.parametrize("messages", [(), (STARTED,), (STARTED, QUESTION, Answered("yes"))])
def test_a_run_that_goes_on_is_no_news(messages: tuple[Message, ...]) -> None:
    assert news_of(after(*messages)) is None


# The service ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def bus(processes: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with session_bus(tmp_path) as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address


@pytest.fixture
def service(bus: str) -> NotificationService:
    return NotificationService(bus)


@pytest.fixture
def clicks() -> threading.Event:
    return threading.Event()


@pytest.fixture
def notifier(clicks: threading.Event) -> Iterator[Notifier]:
    with contextlib.closing(Notifier("", clicks.set)) as made:
        yield made


def shown(service: NotificationService, *titles: str) -> bool:
    return soon(lambda: [title for title, _ in service.shown.values()] == list(titles))


def test_it_is_shown_in_place_of_the_last_one_until_it_is_answered(
    notifier: Notifier, service: NotificationService
) -> None:
    asked = after(STARTED, QUESTION)
    notifier.observe(asked, focused=False)
    notifier.observe(asked, focused=True)  # the window has come up, and nobody may be there
    assert shown(service, "MARK-I has a question")

    notifier.observe(after(STARTED, QUESTION, Answered("yes"), APPROVAL), focused=False)
    assert shown(service, "MARK-I needs your approval")
    notifier.observe(after(STARTED), focused=True)
    assert shown(service)

    ended = after(STARTED, ENDED)
    notifier.observe(ended, focused=False)
    notifier.observe(ended, focused=False)
    assert shown(service, "MARK-I: Done")
    notifier.observe(reduce(ended, RunReleased()), focused=True)
    assert shown(service)
    assert [title for title, _ in service.told] == [
        "MARK-I has a question",
        "MARK-I needs your approval",
        "MARK-I: Done",
    ]


def test_whoever_has_the_window_in_front_is_told_nothing(notifier: Notifier, service: NotificationService) -> None:
    notifier.observe(after(STARTED, QUESTION), focused=True)
    notifier.observe(after(STARTED), focused=False)
    notifier.observe(after(STARTED, ENDED), focused=False)

    assert shown(service, "MARK-I: Done")
    assert len(service.told) == 1


def test_a_click_is_told_and_what_has_expired_is_not_withdrawn(
    notifier: Notifier, service: NotificationService, clicks: threading.Event
) -> None:
    notifier.observe(after(STARTED, QUESTION), focused=False)
    assert shown(service, "MARK-I has a question")
    service.click()
    assert clicks.wait(CAP_S)
    service.expire()

    notifier.observe(after(STARTED), focused=True)
    notifier.observe(after(STARTED, ENDED), focused=False)
    assert shown(service, "MARK-I: Done")


def test_at_the_end_nothing_stays(notifier: Notifier, service: NotificationService) -> None:
    notifier.observe(after(STARTED, ENDED), focused=False)
    assert shown(service, "MARK-I: Done")
    notifier.close()
    assert shown(service)


@pytest.mark.parametrize("address", ["", "unix:path=/nowhere", "autolaunch:", "a bus"])
def test_without_a_bus_nothing_happens(address: str, notifier: Notifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    if not address:
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    notifier.observe(after(STARTED, QUESTION), focused=False)  # an error on its thread would fail this test
    notifier.close()
    assert notifier._thread
    assert soon(lambda: notifier._thread and not notifier._thread.is_alive())


def test_a_service_that_comes_later_is_used(notifier: Notifier, bus: str) -> None:
    notifier.observe(after(STARTED, QUESTION), focused=False)
    assert soon(notifier._tasks.empty)  # the bus has said that there is none
    service = NotificationService(bus)

    def again() -> bool:
        notifier.observe(after(STARTED), focused=False)
        notifier.observe(after(STARTED, ENDED), focused=False)
        return bool(service.shown)

    assert soon(again)


@contextlib.contextmanager
def elsewhere(screen: Eyes) -> Iterator[Other]:
    """The window of another program."""
    assert isinstance(screen.desktop, VirtualDesktop)
    where = {"DISPLAY": screen.desktop.display, "PATH": os.environ["PATH"]}
    with subprocess.Popen(["xterm", "-T", "Elsewhere"], env=where) as program:
        try:
            assert soon(screen.desktop.windows)
            (other,) = screen.desktop.windows()
            yield other
        finally:
            program.kill()


# The window ----------------------------------------------------------------------------------------------------------


def test_a_question_behind_another_window_is_told_and_a_click_brings_it_up(
    screen: Eyes, home: Path, tmp_path: Path, bus: str, service: NotificationService
) -> None:
    tools_folder().mkdir(parents=True)
    (tools_folder() / "wait_for_file.py").write_text(WAITING_TOOL)
    going = tmp_path / "going"
    wait = {"thought": "I wait.", "action": {"tool": "wait_for_file", "args": {"path": str(going)}}}
    ask = {"thought": "Only they know.", "action": {"tool": "ask_user", "args": {"question": "Which colour?"}}}
    end = {"thought": "That is all.", "action": {"tool": "finish", "args": {"summary": "Violet."}}}
    with elsewhere(screen) as other, contextlib.closing(Window(screen, home, DBUS_SESSION_BUS_ADDRESS=bus)) as window:
        window.start(script(tmp_path / "brain.jsonl", wait, ask, end, end))
        assert window.sees("Acting: Use wait_for_file")
        window.desktop.focus_window(other)
        assert window.wait(lambda: window.titles(active=True) == ["Elsewhere"])
        assert not service.told

        going.touch()
        assert shown(service, "MARK-I has a question")
        assert window.titles(active=True) == ["Elsewhere"], "keys go where they went"
        service.click()
        assert window.wait(lambda: window.titles(active=True) == ["MARK-I"])
        window.answers("violet")
        assert soon(lambda: service.told[0] not in service.shown.values())
        assert window.sees("Done, but not verified")
