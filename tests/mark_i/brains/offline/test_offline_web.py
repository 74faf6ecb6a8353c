"""The brain without a model on a real page: what it is told in English is what the page notes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mark_i.brains.offline.noting_page import CAP_S, CHROMIUM, Shop
from tests.x_servers import Servers
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from world_model import Size

PAGE = Path(__file__).parents[3] / "apps" / "shop.html"


def opened(desktop: VirtualDesktop, page: Path, profile: Path) -> None:
    window = ["--no-proxy-server", "--window-position=0,0", "--window-size=900,800", f"--app={page.as_uri()}"]
    desktop.launch([*CHROMIUM, f"--user-data-dir={profile}", *window])


@pytest.fixture
def shop(browser: None, x_servers: Servers, control: Control, tmp_path: Path) -> Iterator[Shop]:
    with x_servers.desktop(Size(900, 800), control) as desktop:
        opened(desktop, PAGE, tmp_path / "profile")
        shop = Shop(desktop, control)
        assert shop.comes_to({})
        shown = shop.eyes.until(lambda lines: any(line.text == "Bread" for line in lines), CAP_S)
        assert any(line.text == "Bread" for line in shown)
        yield shop


@pytest.mark.parametrize(
    ("goal", "noted"),
    [
        ("tick Flour and Eggs", {"Flour": True}),
        ("untick Eggs", {"Eggs": False}),
        ("tick all boxes", {"Flour": True, "Salt": True, "Colour": "Blue"}),
        ("check the box to the right of Red", {"Colour": "Blue"}),
        ("select Large from the Size dropdown", {"Size": "Large"}),
        ('type "Ann" into Name, type "a@b.c" into the field under Email', {"Name": "Ann", "Email": "a@b.c"}),
        ('type "Ann Ross" into Name, fill in Name with "Bob"', {"Name": "Bob"}),
        ('type "Ann" into Name, set Name to "Bob", type "by" into Name', {"Name": "Bobby"}),
        ("enter the value of Colour into Name", {}),
        ("click the second Delete link", {"Deleted": "Bread"}),
        ("click Delete beside Milk", {"Deleted": "Milk"}),
        ("click Zebra", {"Sent": "yes"}),
        ("scroll down until Zebra is visible, then click the Zebra button", {"Sent": "yes"}),
        ("click Delete", {}),
        ("click the field under Zip", {}),
    ],
)
def test_what_is_said_is_done_and_nothing_else(shop: Shop, goal: str, noted: dict[str, Any]) -> None:
    outcome = shop.told(goal)

    assert shop.comes_to(noted), (shop.noted, outcome)
    assert (outcome.name == "done") is bool(noted), outcome


def test_a_tab_shows_its_page(shop: Shop) -> None:
    outcome = shop.told('click the Details tab, check that "Second page" is shown')

    assert outcome.name == "done", outcome


def test_what_stands_in_a_table_is_told(shop: Shop) -> None:
    outcome = shop.told("tell me the price of Milk, and tell me the stock of Bread")

    assert outcome.summary == "price of Milk: 2.50; stock of Bread: 4"


def test_what_is_there_is_counted_and_told(shop: Shop) -> None:
    outcome = shop.told("how many Delete links are there?")

    assert (outcome.name, outcome.summary) == ("done", 'There are 2 links with the text "Delete".')


MARKET = """<title>Shop {}</title><style>body { font: 20px sans-serif } div { padding: 20px; width: 200px }</style>
<p>Price: <span id="price">99</span></p><button>Buy</button>
<div draggable="true" style="background: #cde">notes.txt</div><div id="work" style="background: #ecd">Work</div>
<script>
const note = (what) => { document.title = "Shop " + JSON.stringify({ Done: what }); };
const price = document.querySelector("#price"), work = document.querySelector("#work");
document.querySelector("button").onclick = () => note("bought at " + price.textContent);
document.querySelector("div").ondragstart = (event) => { event.dataTransfer.setData("text", "notes.txt"); };
work.ondragover = (event) => event.preventDefault();
work.ondrop = (event) => {
  event.preventDefault();
  work.textContent = "1 file";
  note("moved " + event.dataTransfer.getData("text"));
};
</script>"""
FALLS = '<script>setTimeout(() => { document.querySelector("#price").textContent = "59"; }, 6000)</script>'


@pytest.mark.parametrize(
    ("goal", "happens", "done"),
    [
        ("when the price is below 60, click Buy", FALLS, "bought at 59"),
        ("drag notes.txt to the folder Work", "", "moved notes.txt"),  # what changes by itself may pass for the drag
    ],
)
def test_a_number_is_waited_for_and_a_thing_dragged(
    browser: None, x_servers: Servers, control: Control, tmp_path: Path, goal: str, happens: str, done: str
) -> None:
    page = tmp_path / "page.html"
    page.write_text(MARKET + happens, encoding="utf-8")
    with x_servers.desktop(Size(900, 800), control) as desktop:
        opened(desktop, page, tmp_path / "profile")
        shop = Shop(desktop, control)
        assert shop.comes_to({})
        assert shop.eyes.until(lambda lines: any("Work" in line.text for line in lines), CAP_S)

        outcome = shop.told(goal)

        assert shop.comes_to({"Done": done}), (shop.noted, outcome)
        assert outcome.name == "done", outcome


def test_what_is_far_down_a_page_is_scrolled_to(
    browser: None, x_servers: Servers, control: Control, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    rows = "".join(f"<p>Paragraph {number} says what the others say.</p>" for number in range(60))
    note = "document.title = 'Shop ' + JSON.stringify({Sent: 'yes'})"
    page.write_text(f'<title>Shop {{}}</title>{rows}<button onclick="{note}">I agree</button>', encoding="utf-8")
    with x_servers.desktop(Size(900, 800), control) as desktop:
        opened(desktop, page, tmp_path / "profile")
        shop = Shop(desktop, control)
        assert shop.comes_to({})
        assert shop.eyes.until(lambda lines: any("Paragraph 3" in line.text for line in lines), CAP_S)

        assert shop.told("click I agree").name == "done"
        assert shop.comes_to({"Sent": "yes"})
        desktop.press("ctrl+home")
        assert "is not on the screen" in shop.told("click I refuse").summary
