"""Goals in plain words, carried out by the offline brain on real applications that the code knows nothing of."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.support import Run, action, events, script
from toolbelt.desktops.virtual.desktop import VirtualDesktop

LATE = Path(__file__).parents[3] / "apps" / "late_dialog.py"


@pytest.fixture(autouse=True)
def no_start_up_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell in a terminal reads none, which may take it as long as they like."""
    monkeypatch.setenv("HOME", str(tmp_path))


def carried_out(mark_i: Run, goal: str) -> list[dict[str, Any]]:
    """The events of a run that reached its goal."""
    done = mark_i("run", "--virtual", "1024x768", "--brain", "offline", "--json", goal)
    told = events(done.stdout)
    assert (told[-1]["outcome"], done.returncode) == ("done", 0), done.stdout + done.stderr
    return told


def test_a_terminal_runs_a_command(mark_i: Run, tmp_path: Path) -> None:
    command = f"echo Grüße > {tmp_path}/out; echo com''pleted"  # what it says does not stand in the command itself
    carried_out(mark_i, f'Open xterm, type "{command}" and press enter. Wait until "completed" appears.')

    assert (tmp_path / "out").read_text(encoding="utf-8") == "Grüße\n"


def test_an_editor_changes_and_saves_a_file_through_its_menu(mark_i: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("old line\n")

    carried_out(
        mark_i,
        f'1. Open mousepad with "{file}"\n2. Wait until "old line" is shown\n'
        "3. Press ctrl+end\n4. Type “– neu: 3 €”, then click File and click Save\n"
        '5. Check that "neu" is on the screen',
    )

    assert file.read_text(encoding="utf-8") == "old line\n– neu: 3 €"


def test_a_dialog_is_answered_with_a_text_and_enter(mark_i: Run, tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    carried_out(
        mark_i,
        'Open mousepad, type "milk", press ctrl+s, wait until "Name:" is shown, '
        f'type "{file}" and press enter, and wait until "Name:" disappears',
    )

    assert file.read_text() == "milk"


def test_a_file_without_a_folder_in_its_name_is_proved_by_the_title_of_its_window(
    mark_i: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    told = carried_out(mark_i, "Write a note with these lines: milk, bread and save it as list.txt")

    assert (tmp_path / "list.txt").read_text() == "milk\nbread"
    assert "list.txt" in told[-2]["action"]["args"]["evidence"]
    assert told[-1]["unsupported"] == []


def test_a_text_is_replaced_by_keys_and_a_window_closed(mark_i: Run, tmp_path: Path) -> None:
    file = tmp_path / "pets.txt"
    file.write_text("dog")

    told = carried_out(
        mark_i, f'open mousepad with "{file}", press ctrl+a, type "cat", press ctrl+s and close the window'
    )

    assert file.read_text() == "cat"
    assert [event["action"]["tool"] for event in told if event["event"] == "step"][-2:] == ["close_window", "finish"]


@pytest.mark.parametrize("late", [0, 400, 900, 1500])
def test_a_dialog_that_comes_late_is_waited_for(mark_i: Run, tmp_path: Path, late: int) -> None:
    file = tmp_path / "order.txt"

    carried_out(
        mark_i,
        f'open python3 with "{LATE}" "{late}" "{file}", type "Zoë" into "Customer:", '
        'click "Order now", click Confirm, wait until "Order placed" appears',
    )

    assert file.read_text(encoding="utf-8") == "Zoë"


def test_without_virtual_the_users_desktop_is_used(mark_i: Run, desktop: VirtualDesktop, tmp_path: Path) -> None:
    display = desktop._environment["DISPLAY"]  # this desktop stands for the user's own
    command = f"echo live > {tmp_path}/out; echo com''pleted"
    goal = f'open xterm, type "{command}" and press enter, wait until "completed" appears'

    done = mark_i("run", "--brain", "offline", "--json", goal, env=os.environ | {"DISPLAY": display})

    told = events(done.stdout)
    assert (told[0]["desktop"], told[-1]["outcome"]) == (f"display {display}", "done"), done.stdout
    assert (tmp_path / "out").read_text() == "live\n"
    assert [window.application for window in desktop.windows()] == ["XTerm"]  # what was opened stays open


def test_under_wayland_the_run_explains_its_virtual_desktop(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "brain.jsonl", action("fail", reason="enough"))
    wayland = os.environ | {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "wayland"}

    told = events(mark_i("run", "goal", "--brain", brain, "--json", env=wayland).stdout)

    [notice] = [event["text"] for event in told if event["event"] == "notice"]
    assert "Wayland" in notice
    assert "virtual desktop" in told[0]["desktop"]


def test_what_is_not_understood_is_named_and_nothing_is_done(mark_i: Run) -> None:
    done = mark_i("run", "--virtual", "640x480", "--brain", "offline", "--json", "open xterm, frobnicate the widget")

    told = events(done.stdout)
    assert (told[-1]["outcome"], done.returncode) == ("failed", 1)
    assert "frobnicate the widget" in next(event["text"] for event in told if event["event"] == "thought")
    assert [event["action"]["tool"] for event in told if event["event"] == "step"] == ["fail"]


@pytest.mark.parametrize(("goal", "told"), [("help", "I open applications"), ("what time is it?", "It is ")])
def test_what_asks_for_nothing_on_the_screen_is_done_at_once(mark_i: Run, goal: str, told: str) -> None:
    *_, step, end = carried_out(mark_i, goal)

    assert step["action"]["tool"] == "finish"
    assert (end["steps"], end["summary"].startswith(told)) == (1, True)


def test_a_text_is_copied_and_saved_under_a_name_before_the_end(mark_i: Run, tmp_path: Path) -> None:
    goal = (
        'open the text editor, type "ab", select all and copy it, press end, paste it, save it as {}, close the window'
    )

    *_, end = carried_out(mark_i, goal.format(tmp_path / "two.txt"))

    assert (tmp_path / "two.txt").read_text() == "abab"
    assert end["summary"].startswith('Opened the text editor, typed "ab", pressed ctrl+a')


def test_a_name_is_not_said_to_be_saved_while_the_dialog_is_open(mark_i: Run, tmp_path: Path) -> None:
    goal = f'open mousepad, type "a", save it as {tmp_path}/missing/x.txt, close the window'
    done = mark_i("run", "--virtual", "1024x768", "--brain", "offline", "--json", goal)

    told = events(done.stdout)[-1]
    assert (told["outcome"], "still open" in told["summary"]) == ("failed", True)


def test_a_target_that_is_not_there_is_told_with_what_is(mark_i: Run) -> None:
    done = mark_i("run", "--virtual", "1024x768", "--brain", "offline", "--json", "open mousepad, click Teleport")

    steps = [event for event in events(done.stdout) if event["event"] == "step"]
    error = steps[1]["observation"]["error"]
    assert (error["code"], "Search" in error["hints"][0]) == ("TARGET_NOT_FOUND", True)
    assert [step["action"]["tool"] for step in steps[2:]] == ["scroll", "click", "fail"]  # nor is it further down
    assert ("Search" in steps[-1]["action"]["args"]["reason"], done.returncode) == (True, 1)
