"""What is far down a page or a list is scrolled to, in real programs."""

from pathlib import Path
from typing import Final

from mark_i import AgentCore, Eyes, standard_toolbelt
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.events import Event
from tests.support import CAP_S
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import find

LIST: Final = Path(__file__).parents[3] / "apps" / "list_gtk.py"
TERMS: Final = """<title>Terms</title><body style="font: 16px sans-serif; margin: 30px"><h2>Terms of use</h2>
<script>for (let n = 1; n < 45; n++) document.write(`<p>Clause ${n}: the parties keep to what they have said.`)</script>
<button onclick="done.textContent = 'Accepted'">Accept terms</button><p id="done">"""


def ran(desktop: VirtualDesktop, goal: str) -> list[Event]:
    eyes = Eyes(desktop, desktop.control)
    return list(AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes).run(goal))


def shown(desktop: VirtualDesktop, command: list[str], text: str) -> None:
    desktop.launch(command)
    assert Eyes(desktop, desktop.control).until(lambda lines: find(text, lines), CAP_S)


def test_a_button_far_down_a_page_is_clicked(desktop: VirtualDesktop, tmp_path: Path, browser: None) -> None:
    page = tmp_path / "terms.html"
    page.write_text(TERMS)
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    shown(desktop, ["chromium", "--no-sandbox", "--no-first-run", profile, f"--app=file://{page}"], "Terms of use")

    events = ran(desktop, 'click "Accept terms" and check that "Accepted" is on the screen')

    assert events[-1].data["outcome"] == "done", events[-1].data


def test_an_entry_far_down_a_list_is_clicked(desktop: VirtualDesktop, tmp_path: Path) -> None:
    file = tmp_path / "chosen"
    shown(desktop, ["/usr/bin/python3", str(LIST), str(file), "Zebra crossing"], "Entry number 1")

    events = ran(desktop, 'click "Zebra crossing" and check that "Chosen: Zebra crossing" is on the screen')

    assert events[-1].data["outcome"] == "done", events[-1].data
    assert file.read_text(encoding="utf-8") == "Zebra crossing"


def test_what_is_nowhere_in_a_list_is_given_up_at_its_end(desktop: VirtualDesktop, tmp_path: Path) -> None:
    file = tmp_path / "chosen"
    shown(desktop, ["/usr/bin/python3", str(LIST), str(file), "Zebra crossing"], "Entry number 1")

    events = ran(desktop, 'click "Giraffe house"')

    last = [event.data["action"] for event in events if event.event == "step"]
    assert (last[-1]["tool"], [one["tool"] for one in last].count("scroll") > 1) == ("fail", True)
    assert find("Zebra crossing", Eyes(desktop, desktop.control).read(desktop.grab()))
    assert not file.exists()
