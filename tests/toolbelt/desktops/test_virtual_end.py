"""The end of a virtual desktop: windows are asked to close, and programs get time, before anything is ended."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support import processes_with
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.desktops.virtual.xvfb_keeper import MARK
from world_model import Size

CAP_S = 120.0  # seconds; generous, since the machine may be busy
SAVES_AT_CLOSE = """
import pathlib, signal, sys, time, tkinter
log = pathlib.Path(sys.argv[1])
def close():
    window.withdraw()
    window.update()
    end = time.monotonic() + 1
    while time.monotonic() < end: pass  # it computes what it saves
    log.write_text(log.read_text() + "saved")
    window.destroy()
window = tkinter.Tk()
window.protocol("WM_DELETE_WINDOW", close)
log.write_text("started ")
window.mainloop()
"""
ASKS_AT_CLOSE = """
import pathlib, signal, sys, tkinter
log = pathlib.Path(sys.argv[1])
def ask():
    question = tkinter.Toplevel(window)
    question.title("Save changes?")
    tkinter.Button(question, text="Save", command=lambda: log.write_text("answered")).pack()
def told(*_):
    log.write_text(log.read_text() + "terminated")
    sys.exit()
signal.signal(signal.SIGTERM, told)
window = tkinter.Tk()
window.protocol("WM_DELETE_WINDOW", ask)
def tick(): window.after(50, tick)  # lets Python see the signal
tick()
log.write_text("started ")
window.mainloop()
"""


@pytest.fixture
def own_desktop(display: None, control: Control) -> Iterator[VirtualDesktop]:
    with closing(VirtualDesktop(Size(640, 480), control)) as desktop:
        yield desktop


def ended(program: str, log: Path, desktop: VirtualDesktop, control: Control) -> str:
    """Close the desktop while the program runs, and return what it logged."""
    mark = f"{MARK}={desktop._environment[MARK]}"
    desktop.launch([sys.executable, "-c", program, str(log)])
    assert control.until(lambda: log.exists() and any(one.active for one in desktop.windows()), CAP_S)
    desktop.close()
    assert processes_with(mark) == []
    return log.read_text()


def test_a_program_gets_time_to_save_when_its_window_closes(
    own_desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    assert ended(SAVES_AT_CLOSE, tmp_path / "log", own_desktop, control) == "started saved"


def test_a_question_at_the_close_is_left_and_the_program_terminated(
    own_desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    assert ended(ASKS_AT_CLOSE, tmp_path / "log", own_desktop, control) == "started terminated"


def test_what_a_program_starts_to_end_itself_is_not_terminated(
    own_desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    saves = f"sh -c 'sleep 0.3; touch {tmp_path}/saved'"
    ends = f'trap "{saves}; exit" TERM; touch {tmp_path}/here; while :; do sleep 0.05; done'
    own_desktop.launch(["sh", "-c", ends])
    assert control.until((tmp_path / "here").exists, CAP_S)

    own_desktop.close()

    assert (tmp_path / "saved").exists()


def test_a_stopped_run_closes_its_desktop_in_order_too(
    own_desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    own_desktop.launch([sys.executable, "-c", SAVES_AT_CLOSE, str(log)])
    assert control.until(lambda: log.exists() and any(one.active for one in own_desktop.windows()), CAP_S)
    control.stop()

    own_desktop.close()

    assert log.read_text() == "started saved"


def test_programs_at_rest_and_at_work_are_told_apart(desktop: VirtualDesktop, control: Control) -> None:
    desktop.launch(["xterm", "-e", "sh"])
    assert control.until(lambda: any(one.active for one in desktop.windows()), CAP_S)
    assert desktop.activity().jobs == ()

    desktop.type("sleep 1000\n")
    assert control.until(lambda: desktop.activity().jobs == ("sleep",), CAP_S)

    desktop.press("ctrl+c")
    desktop.type("cat\n")
    assert control.until(lambda: not desktop.activity().jobs, CAP_S)
    desktop.press("ctrl+d")


def test_a_file_that_is_open_for_writing_is_told(desktop: VirtualDesktop, control: Control, tmp_path: Path) -> None:
    desktop.launch(["sh", "-c", f"exec sleep 1000 > {tmp_path}/part"])

    assert control.until(lambda: tmp_path / "part" in desktop.activity().writing, CAP_S)


def test_a_program_that_computes_is_not_at_rest(desktop: VirtualDesktop, control: Control) -> None:
    desktop.launch(["sh", "-c", "while :; do :; done"])
    assert control.until(lambda: desktop.activity().used_s, CAP_S)
    before = desktop.activity()

    assert control.until(lambda: desktop.activity().since(before) > 0.1, CAP_S)


def test_a_file_that_a_program_holds_while_it_waits_for_a_key_is_told(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    for name, mode in (("cooked", "sane"), ("raw", "-icanon")):
        desktop.launch(["xterm", "-e", "sh", "-c", f"stty {mode}; exec 3> {tmp_path}/{name}; read line"])
    paths = {tmp_path / "cooked", tmp_path / "raw"}

    assert control.until(lambda: paths <= desktop.activity().writing, CAP_S)
    assert control.until(lambda: desktop.activity().held & paths == {tmp_path / "raw"}, CAP_S)


def test_a_document_that_a_program_keeps_open_is_told_from_a_file_that_it_writes(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    for name, mode in (("document", "w+"), ("output", "w")):
        opens = f"import tkinter; file = open('{tmp_path}/{name}', '{mode}'); tkinter.Tk().mainloop()"
        desktop.launch([sys.executable, "-c", opens])
    paths = {tmp_path / "document", tmp_path / "output"}

    assert control.until(lambda: paths <= desktop.activity().writing, CAP_S)
    assert control.until(lambda: desktop.activity().held & paths == {tmp_path / "document"}, CAP_S)


@pytest.mark.skipif(not shutil.which("vim"), reason="There is no vim")
@pytest.mark.parametrize("typed", ["", "ithe last words"], ids=["saved", "unsaved"])
def test_a_recovery_file_stays_only_for_unsaved_work(
    own_desktop: VirtualDesktop, control: Control, tmp_path: Path, typed: str
) -> None:
    file, recovery = tmp_path / "letter.txt", tmp_path / ".letter.txt.swp"
    file.write_text("Dear reader\n")
    own_desktop.launch(["xterm", "-e", "vim", "-u", "NONE", str(file)])
    assert control.until(lambda: recovery.exists() and any(one.active for one in own_desktop.windows()), CAP_S)
    own_desktop.type(typed)
    own_desktop.attend(CAP_S)

    own_desktop.close()

    assert recovery.exists() is bool(typed)
    assert not typed or b"last words" in recovery.read_bytes()


def test_a_browser_does_not_take_the_end_for_a_crash(
    own_desktop: VirtualDesktop, control: Control, tmp_path: Path, browser: None
) -> None:
    state, lock = tmp_path / "Default/Preferences", tmp_path / "SingletonLock"
    command = ["chromium", "--no-sandbox", "--no-first-run", f"--user-data-dir={tmp_path}", "about:blank"]
    own_desktop.launch(command)
    assert control.until(lambda: any(one.active for one in own_desktop.windows()), CAP_S)
    assert control.until(lambda: state.exists() and '"exit_type":"Crashed"' in state.read_text(), CAP_S)
    assert lock.is_symlink()

    own_desktop.close()

    assert '"exit_type":"Normal"' in state.read_text()
    assert not lock.is_symlink()


@pytest.mark.skipif(not shutil.which("soffice"), reason="There is no LibreOffice")
def test_an_office_program_leaves_no_lock_and_nothing_to_recover(
    display: None, control: Control, tmp_path: Path
) -> None:
    letter, lock = tmp_path / "letter.txt", tmp_path / ".~lock.letter.txt#"
    letter.write_text("Dear reader\n")
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    command = ["soffice", "--writer", "--nofirststartwizard", profile, str(letter)]
    for _ in range(2):
        with closing(VirtualDesktop(Size(1024, 768), control)) as desktop:
            desktop.launch(command)

            def shown(there: VirtualDesktop = desktop) -> list[str]:
                titles = [one.title for one in there.windows()]
                return [one for one in titles if letter.name in one or "Recovery" in one]

            assert control.until(lambda: shown() and any(one.active for one in desktop.windows()), CAP_S)
            assert all(letter.name in one for one in shown())
            assert control.until(lock.exists, CAP_S)
            assert desktop.attend(CAP_S)

        assert not lock.exists()
