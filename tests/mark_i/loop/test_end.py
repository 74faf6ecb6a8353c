"""The end of a run on a real desktop: it waits for programs, and what is called done is done."""

import sys
from pathlib import Path
from typing import Any

import pytest

from mark_i import AgentCore, Eyes, ScriptedBrain, standard_toolbelt
from mark_i.events import Event
from tests.support import action, finish
from toolbelt.desktops import VirtualDesktop

APPS = Path(__file__).parents[2] / "apps"
SHELL = action("open_app", name="xterm", args=["-e", "sh"])
EDITOR = action("open_app", name="mousepad")


def ran(desktop: VirtualDesktop, folder: Path, goal: str, *replies: Any) -> list[Event]:
    eyes = Eyes(desktop, desktop.control)
    brain = ScriptedBrain(replies)
    return list(AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, folders=(folder,)).run(goal))


def outcome(desktop: VirtualDesktop, folder: Path, goal: str, *replies: Any) -> str:
    return str(ran(desktop, folder, goal, *replies)[-1].data["outcome"])


def test_the_end_waits_for_a_command_in_a_terminal(own_desktop: VirtualDesktop, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    slow = action("type_text", text=f"sleep 3; echo slow > {out}", enter=True)

    told = outcome(own_desktop, tmp_path, f"write slow into {out}", SHELL, slow, finish({"file": str(out)}))

    assert (told, out.read_text()) == ("done", "slow\n")


def test_a_command_that_never_ends_is_told_and_never_done(
    desktop: VirtualDesktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mark_i.loop.rest.UNFINISHED_MAX_S", 1.0)
    endless = action("type_text", text="sleep 1000", enter=True)

    events = ran(desktop, tmp_path, "type sleep 1000 in xterm", SHELL, endless, finish({"observation": 2}))

    assert events[-1].data["outcome"] == "done_unverified"
    [notice] = [event.data["text"] for event in events if event.event == "notice"]
    assert notice == "sleep is still at work in its terminal after 1 s."


def test_a_program_that_waits_for_input_is_at_rest(desktop: VirtualDesktop, tmp_path: Path) -> None:
    waits = action("type_text", text="cat", enter=True)

    assert outcome(desktop, tmp_path, "type cat in xterm", SHELL, waits, finish({"observation": 2})) == "done"


@pytest.mark.parametrize(("text", "ended"), [("hi", "done"), ("", "done_unverified")])
def test_a_file_that_a_program_holds_at_its_prompt_is_written_once_it_has_changed(
    desktop: VirtualDesktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, ended: str
) -> None:
    monkeypatch.setattr("mark_i.loop.rest.UNFINISHED_MAX_S", 1.0)
    out = tmp_path / "out.txt"
    held = f"stty -icanon; exec 3> {out}; printf '{text}' >&3; echo ready; read answer"
    steps = [action("open_app", name="xterm", args=["-e", "sh", "-c", held]), action("wait_for", text="ready")]

    assert outcome(desktop, tmp_path, f"create {out}", *steps, finish({"file": str(out)})) == ended


def test_enter_that_did_not_save_is_never_done(desktop: VirtualDesktop, tmp_path: Path) -> None:
    wanted = tmp_path / "no such folder" / "report.txt"
    steps = [EDITOR, action("type_text", text="hello"), action("press", keys="ctrl+s")]
    save = action("type_text", text=str(wanted), enter=True)

    told = outcome(desktop, tmp_path, "save hello as report.txt", *steps, save, finish({"observation": 4}))

    assert told == "done_unverified"


def test_a_program_that_dies_while_it_saves_is_never_done(desktop: VirtualDesktop, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    dies = f"import os, sys; open({str(out)!r}, 'w').write('half of it'); sys.stdout.flush(); os.kill(os.getpid(), 9)"
    opened = action("open_app", name="python3", args=["-c", dies])
    watched = f"until [ -s {out} ]; do sleep 0.1; done; echo written; read answer"
    steps = [action("open_app", name="xterm", args=["-e", "sh", "-c", watched]), action("wait_for", text="written")]

    events = ran(desktop, tmp_path, f"save the text as {out}", opened, *steps, finish({"file": str(out)}))

    assert out.read_text() == "half of it"
    assert events[-1].data["outcome"] == "done_unverified"
    assert "python3 was killed, or crashed" in str(events[-1].data["evidence"])
    again = ran(desktop, tmp_path, "open xterm", action("open_app", name="xterm"), finish({"observation": 1}))
    assert again[-1].data["outcome"] == "done", "that was in another run"


def test_what_was_saved_is_done(desktop: VirtualDesktop, tmp_path: Path) -> None:
    wanted = tmp_path / "report.txt"
    write = action("type_text", text=f"echo hello > {wanted}", enter=True)

    told = outcome(desktop, tmp_path, "save hello as report.txt", SHELL, write, finish({"file": str(wanted)}))

    assert (told, wanted.read_text()) == ("done", "hello\n")


def test_a_question_before_closing_is_not_the_close(desktop: VirtualDesktop, tmp_path: Path) -> None:
    steps = [EDITOR, action("type_text", text="hello"), action("close_window")]
    ended = ran(desktop, tmp_path, "close the window", *steps, finish({"observation": 3}))[-1].data

    assert ended["outcome"] == "done_unverified"
    assert {"doubt": 'The dialog "Save Changes" is still open.', "confirmed": False} in ended["evidence"]


def test_the_agent_is_told_once_why_its_evidence_is_not_enough(desktop: VirtualDesktop, tmp_path: Path) -> None:
    steps = [SHELL, action("type_text", text="echo 12 > twelve.txt")]
    first = finish({"observation": 1}, {"file": "no such file"})
    events = ran(desktop, tmp_path, "open xterm", *steps, first, finish())
    sent_back = [event.data["observation"] for event in events if event.event == "step"][2]

    assert sent_back["error"]["code"] == "NO_CHANGE"
    assert sent_back["error"]["hints"] == ["There is no file no such file."]
    assert [piece["confirmed"] for piece in sent_back["data"]] == [True, False]
    assert events[-1].data["outcome"] == "done"  # what was confirmed is kept
    [piece] = events[-1].data["evidence"]
    assert piece.items() >= {"observation": 1, "confirmed": True}.items()


def test_whoever_cannot_be_asked_again_ends_as_unverified(desktop: VirtualDesktop, tmp_path: Path) -> None:
    assert outcome(desktop, tmp_path, "send hello to Bob", EDITOR, finish("hello")) == "done_unverified"


@pytest.mark.parametrize(
    ("late", "told"), [("It was not saved: no network", "done_unverified"), ("It is in your list", "done")]
)
def test_a_complaint_after_the_last_deed_is_never_done(
    desktop: VirtualDesktop, tmp_path: Path, late: str, told: str
) -> None:
    program = tmp_path / "notes.sh"
    program.write_text(f"read line; echo The note was saved; sleep 1; echo {late}; cat")
    start = action("open_app", name="xterm", args=["-e", "sh", str(program)])
    steps = [start, action("press", keys="enter"), action("wait_for", text=late)]

    assert outcome(desktop, tmp_path, "Save the note.", *steps, *[finish({"observation": 2})] * 2) == told


def test_the_end_waits_for_a_dialog_that_was_accepted(own_desktop: VirtualDesktop, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    app = action("open_app", name=sys.executable, args=[str(APPS / "slow_save_tk.py"), str(file)])
    name = action("type_text", text="notes.txt", enter=True)

    told = outcome(
        own_desktop,
        tmp_path,
        "save it as notes.txt",
        app,
        action("press", keys="ctrl+s"),
        name,
        finish({"file": str(file)}),
    )

    assert (told, file.read_text()) == ("done", "notes")
