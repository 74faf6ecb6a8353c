"""The clipboard, between us and programs that nobody here wrote."""

import contextlib
import os
import random
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import xcffib
from xcffib import xproto

from mark_i import AgentCore, Oversight, ScriptedBrain
from mark_i.guard.policy import DEFAULT
from mark_i.guard.risk import Answer, Approval, Guard
from tests.support import action, processes_with
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.virtual.xvfb_keeper import MARK
from toolbelt.desktops.x11.clipboard import PIECE_BYTES, Offer
from toolbelt.desktops.x11.connection import Connection
from toolbelt.desktops.x11.desktop import LiveDesktop
from toolbelt.desktops.x11.x_clients import local_clients
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, DesktopError, Halt, Observation, Region, Size, ToolFailure

CAP_S = 120.0  # seconds for an application to do something on a busy machine
UNICODE = (
    "äöü é € <b> 漢字 你好 مرحبا שלום 😀 👩‍👩‍👧‍👦 e\N{COMBINING ACUTE ACCENT} \t tab\nline\r\nline\rend\u2028 \x00\x7f"
)


class Clip:
    """A desktop, and xclip on it as somebody else."""

    def __init__(self, desktop: VirtualDesktop) -> None:
        self.desktop = desktop
        self.belt: Toolbelt = standard_toolbelt(Eyes(desktop, desktop.control))
        self.environment = desktop._environment

    def use(self, tool: str, **args: str) -> Observation:
        return self.belt.call(Action(tool, args), self.desktop.control).observation

    def pasted(self, target: str = "UTF8_STRING", selection: str = "clipboard") -> bytes:
        """What another program gets."""
        command = ["xclip", "-o", "-selection", selection, "-t", target]
        done = subprocess.run(command, env=self.environment, capture_output=True, check=True, timeout=CAP_S)
        return done.stdout

    @contextmanager
    def copied(
        self, content: bytes, *options: str, selection: str = "clipboard"
    ) -> Iterator["subprocess.Popen[bytes]"]:
        """Another program that offers something."""
        command = ["xclip", "-quiet", "-i", "-selection", selection, *options]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, env=self.environment, stdin=subprocess.PIPE, **quiet) as program:  # type: ignore[call-overload]  # options
            with closing(Connection(self.desktop.display)) as display:
                kind = display.atom(selection.upper())
                before = owner_of(display, kind)
                program.stdin.write(content)
                program.stdin.close()
                assert Control().until(lambda: owner_of(display, kind) not in (xcffib.NONE, before), CAP_S)
            try:
                yield program
            finally:
                program.kill()


def keepers(desktop: VirtualDesktop) -> list[Path]:
    """The processes that keep a text on the clipboard of a display."""
    command = f"clipboard_keeper.py\0toolbelt.desktops.x11.clipboard\0{desktop.display}\0".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found += [entry] if (entry / "cmdline").read_bytes().endswith(command) else []
    return found


def owner_of(display: Connection, selection: int) -> int:
    return int(display.core.GetSelectionOwner(selection).reply().owner)


@pytest.fixture
def clip(desktop: VirtualDesktop) -> Clip:
    return Clip(desktop)


def long_text(size: int) -> str:
    """A text of so many bytes in UTF-8, whose characters are of all lengths, so that pieces cut through them."""
    letters = random.Random(size).choices("aé€😀\n", k=size)
    text = "".join(letters).encode()[:size].decode(errors="ignore")
    return text + "x" * (size - len(text.encode()))


# Writing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [UNICODE, "", "a", " \n"])
def test_written_text_is_what_programs_paste_and_we_read(clip: Clip, text: str) -> None:
    done = clip.use("clipboard_write", text=text)

    assert done.text == f"The clipboard holds {len(text)} characters now."
    assert clip.pasted().decode() == text
    assert clip.pasted("text/plain;charset=utf-8").decode() == text
    assert clip.use("clipboard_read").data == {"text": text}


@pytest.mark.parametrize("size", [PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 2 * PIECE_BYTES, 5_000_001])
def test_long_text_arrives_whole(clip: Clip, size: int) -> None:
    text = long_text(size)
    assert clip.use("clipboard_write", text=text).ok

    assert clip.pasted().decode() == text
    assert clip.use("clipboard_read").data == {"text": text}


def test_programs_paste_long_text_at_once_even_if_one_dies(clip: Clip) -> None:
    text = long_text(3_000_000)
    clip.use("clipboard_write", text=text)
    got: list[bytes] = []
    readers = [threading.Thread(target=lambda: got.append(clip.pasted())) for _ in range(4)]
    command = ["xclip", "-o", "-selection", "clipboard"]
    # Places for the readers: one that took the place of the dying program would have its windows, and get its answers.
    places = [Connection(clip.desktop.display) for _ in readers]
    with (
        closing(Connection(clip.desktop.display)) as display,
        subprocess.Popen(command, env=clip.environment, stdout=subprocess.PIPE) as dying,
    ):
        assert Control().until(lambda: dying.pid in local_clients(display).values(), CAP_S)
        for place in places:
            place.close()
        for reader in readers:
            reader.start()
        dying.kill()
        for reader in readers:
            reader.join()
    assert [one.decode() == text for one in got] == [True] * 4


def test_text_is_offered_in_every_format_that_can_hold_it(clip: Clip) -> None:
    clip.use("clipboard_write", text="naïve")
    assert clip.pasted("STRING") == b"na\xefve"
    assert {"TARGETS", "TIMESTAMP", "MULTIPLE", "UTF8_STRING", "STRING"} <= set(clip.pasted("TARGETS").decode().split())
    assert int(clip.pasted("TIMESTAMP")) > 0

    clip.use("clipboard_write", text="好")
    assert "STRING" not in clip.pasted("TARGETS").decode().split()
    with pytest.raises(subprocess.CalledProcessError):
        clip.pasted("image/png")


def test_several_formats_are_returned_at_once(clip: Clip) -> None:
    clip.use("clipboard_write", text="好")
    with closing(Connection(clip.desktop.display)) as display:
        atom = display.atom
        window = display.create_window(Region(0, 0, 1, 1), {})
        asked = [atom("UTF8_STRING"), atom("ONE"), xproto.Atom.STRING, atom("TWO"), atom("TIMESTAMP"), atom("THREE")]
        display.set_property(window, "ALL", "ATOM_PAIR", asked)
        display.core.ConvertSelection(window, atom("CLIPBOARD"), atom("MULTIPLE"), atom("ALL"), xcffib.CurrentTime)
        answer = clip.desktop.control.until(display.next_event, CAP_S)

        assert isinstance(answer, xproto.SelectionNotifyEvent)
        assert answer.property == atom("ALL")
        assert list(display.numbers(window, "ALL")) == [*asked[:3], 0, *asked[4:]]
        assert display.text(window, "ONE") == "好"
        assert display.property(window, "TWO") is None


def test_the_last_text_replaces_the_one_before(clip: Clip) -> None:
    before = threading.active_count()
    for text in ("one", "two", "three"):
        clip.use("clipboard_write", text=text)
        assert clip.pasted() == text.encode()
    assert threading.active_count() == before + 1

    with clip.copied(b"theirs"):
        assert clip.use("clipboard_read").data == {"text": "theirs"}
        assert clip.desktop.control.until(lambda: threading.active_count() == before, CAP_S)
        clip.use("clipboard_write", text="ours again")
        assert clip.pasted() == b"ours again"


def test_the_primary_selection_is_left_alone(clip: Clip) -> None:
    with clip.copied(b"marked", selection="primary"):
        clip.use("clipboard_write", text="copied")
        assert clip.use("clipboard_read").data == {"text": "copied"}
        assert clip.pasted(selection="primary") == b"marked"


def test_a_lone_surrogate_is_refused_and_the_clipboard_kept(clip: Clip) -> None:
    clip.use("clipboard_write", text="before")

    problem = clip.use("clipboard_write", text="ab\ud83d").error

    assert problem
    assert (problem.code, problem.message) == ("INVALID_ARGS", "Position 2 of the text is half a character.")
    assert clip.pasted() == b"before"


def test_text_is_pasted_into_an_editor_and_copied_back(clip: Clip, tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.touch()
    desktop = clip.desktop
    desktop.launch(["mousepad", "--disable-server", str(file)])
    assert desktop.control.until(lambda: any(window.active for window in desktop.windows()), CAP_S)
    text = "one 好 line\n" * 30_000
    clip.use("clipboard_write", text=text)

    def pressed(*combinations: str) -> None:
        for keys in combinations:
            clip.use("press", keys=keys)
            desktop.attend(CAP_S)

    def saved() -> bool:  # a long text comes in pieces, and the editor does not wait for them before it saves
        pressed("ctrl+s")
        return file.read_text(encoding="utf-8") == text

    pressed("ctrl+v")
    assert desktop.control.until(saved, CAP_S)
    pressed("ctrl+a", "ctrl+c")
    assert desktop.control.until(lambda: not desktop._offer or not desktop._offer._thread.is_alive(), CAP_S)
    assert clip.use("clipboard_read").data == {"text": text}


# Reading -----------------------------------------------------------------------------------------------------------


def test_text_copied_by_programs_is_read(clip: Clip) -> None:
    for text in (UNICODE, "", long_text(3_000_000)):
        with clip.copied(text.encode()):
            assert clip.use("clipboard_read").data == {"text": text}


def test_latin_1_text_of_an_old_program_is_read(clip: Clip) -> None:
    with clip.copied(b"na\xefve", "-t", "STRING"):
        assert clip.use("clipboard_read").text == "naïve"


def test_an_empty_clipboard_is_reported(clip: Clip) -> None:
    seen = clip.use("clipboard_read")

    assert seen.ok
    assert (seen.text, seen.data) == ("Nothing is on the clipboard: no application offers anything.", {"text": None})

    with clip.copied(b""):
        assert clip.use("clipboard_read").text == "On the clipboard is an empty text."


def test_an_image_is_not_text(clip: Clip) -> None:
    with clip.copied(b"\x89PNG", "-t", "image/png"):
        problem = clip.use("clipboard_read").error

    assert problem
    assert (problem.code, problem.message) == ("TARGET_NOT_FOUND", "The clipboard holds no text, but image/png.")


def test_pasting_unreadable_content_asks_and_ends_no_run(clip: Clip) -> None:
    asked: list[str] = []

    def approve(approval: Approval) -> Answer:
        asked.append(approval.why)
        return Answer("once" if len(asked) == 1 else "no")

    paste = action("press", keys="ctrl+v")
    with clip.copied(b"\x89PNG", "-t", "image/png") as program:
        brain = ScriptedBrain([paste, paste, action("fail", reason="That was all.")])
        desktop = clip.desktop
        agent = AgentCore(
            brain, clip.belt, desktop, oversight=Oversight(guard=Guard(DEFAULT), approve=approve, detect_loops=False)
        )
        for event in agent.run("paste the picture"):
            if event.event == "step" and len(asked) == 1:
                program.send_signal(signal.SIGSTOP)

    errors = [step.observation.error for step in agent.world_model]
    assert [error and error.code for error in errors] == [None, "DENIED", None]
    unread = 'The clipboard content "(what was copied)" appears in neither the goal nor an answer.'
    assert asked == [unread] * 2


def test_a_program_that_hangs_is_a_timeout(clip: Clip) -> None:
    with clip.copied(b"never given") as program:
        program.send_signal(signal.SIGSTOP)
        problem = clip.use("clipboard_read").error
        program.send_signal(signal.SIGCONT)
        assert clip.use("clipboard_read").data == {"text": "never given"}

    assert problem
    assert (problem.code, problem.message) == (
        "TIMEOUT",
        "The program that owns the clipboard did not answer in 5 s.",
    )


def test_a_stop_works_while_a_program_hangs(clip: Clip) -> None:
    with clip.copied(b"never given") as program:
        program.send_signal(signal.SIGSTOP)
        stopping = threading.Timer(0.2, clip.desktop.control.stop)
        stopping.start()
        with pytest.raises(Halt):
            clip.desktop.read_clipboard()
        stopping.join()


# The end -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("display")
def test_closing_the_desktop_ends_the_offer(control: Control) -> None:
    before = threading.active_count()
    with closing(VirtualDesktop(Size(640, 480), control)) as desktop:
        desktop.write_clipboard("text")
        assert threading.active_count() == before + 1
    assert threading.active_count() == before


@pytest.mark.parametrize("text", [UNICODE, "x" * (PIECE_BYTES + 1)], ids=["unicode", "long"])
def test_what_is_on_the_clipboard_outlives_the_agent(clip: Clip, text: str) -> None:
    """On the desktop of a person; with a virtual one, its clipboard goes as well."""
    agent = LiveDesktop(clip.desktop.display, Control())
    agent.write_clipboard(text)
    agent.close()

    assert clip.pasted() == text.encode()
    (keeper,) = keepers(clip.desktop)
    with clip.copied(b"other"):
        assert clip.pasted() == b"other"
    assert clip.desktop.control.until(lambda: not keeper.exists(), CAP_S)


def test_what_somebody_copied_since_is_left_on_the_clipboard(clip: Clip) -> None:
    agent = LiveDesktop(clip.desktop.display, Control())
    agent.write_clipboard("text")
    with clip.copied(b"other"):
        assert clip.pasted() == b"other"
        agent.close()
        assert clip.pasted() == b"other"


@pytest.mark.usefixtures("display")
def test_a_lost_display_ends_the_offer_and_is_reported(control: Control) -> None:
    with closing(VirtualDesktop(Size(640, 480), control)) as desktop:
        desktop.write_clipboard("text")
        assert desktop._offer
        for pid in processes_with(f"{MARK}={desktop._environment[MARK]}"):
            if Path(f"/proc/{pid}/comm").read_text().strip() == "Xvfb":
                os.kill(pid, signal.SIGKILL)

        desktop._offer._thread.join(CAP_S)
        assert not desktop._offer._thread.is_alive()
        with pytest.raises(DesktopError):
            desktop.write_clipboard("more")
        with pytest.raises(DesktopError, match="went away"):
            desktop.read_clipboard()


@pytest.mark.usefixtures("display")
def test_a_text_that_cannot_be_offered_opens_no_connection() -> None:
    with pytest.raises(ToolFailure, match="half a character"):
        Offer(":4711", "\udc00")
    with pytest.raises(DesktopError, match=":4711"):
        Offer(":4711", "text")
