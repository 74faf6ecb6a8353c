"""The report of a run, in a real browser: it shows everything, and what stood on the screen does nothing there."""

import base64
import io
import json
import re
import shutil
import stat
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest
from PIL import Image
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from gui.kit import style
from mark_i.config.paths import runs_folder
from mark_i.guard.secrets import NO_SECRETS
from mark_i.report.page import report
from mark_i.runs.store import running
from tests.mark_i.report.made_runs import NAME, asked, screen, step, told, written
from tests.support import Run, action, script
from world_model import JournalError

pytestmark = pytest.mark.skipif(shutil.which("chromedriver") is None, reason="Chromium's driver is not installed")

CAP_S: Final = 120.0
# Each would set `ran` if it were more than text: in a script's, a style's, an attribute's, a template's place.
EVIL: Final = (
    "<script>window.ran = 1</script>"
    "</script></style></title></pre></svg><script>window.ran = 1</script>"
    "\"'><img src=x onerror='window.ran = 1'><svg onload='window.ran = 1'>"
    "{{ 7 * 7 }}{% raw %}<!--]]>\x00\x1b[31m"
)
SHOWN: Final = EVIL.replace("\x00", "␀").replace("\x1b", "␛")
HELD: Final = re.compile(r'<image id="(\w+)"')


def seen_by(browser: webdriver.Chrome, page: Path) -> str:
    """Open the page anew; all the text that is on it, also where it is folded up."""
    browser.get("about:blank")
    complaints(browser)
    browser.get(page.as_uri())
    return str(browser.execute_script("return document.body.textContent"))


def complaints(browser: webdriver.Chrome) -> list[dict[str, Any]]:
    """What its console says since it was asked last."""
    return list(browser.get_log("browser"))  # type: ignore[no-untyped-call]


def ran(browser: webdriver.Chrome) -> object:
    return browser.execute_script("return window.ran ?? null")


def where(browser: webdriver.Chrome) -> str:
    """The step that is shown, as the page says and as it is."""
    shown = [one.get_attribute("id") for one in browser.find_elements(By.CSS_SELECTOR, ".step") if one.is_displayed()]
    label = browser.find_element(By.TAG_NAME, "output").text
    assert len(shown) == 1
    assert label.startswith(f"Step {str(shown[0]).removeprefix('step-')} of ")
    return str(shown[0])


def press(browser: webdriver.Chrome, *keys: str) -> None:
    ActionChains(browser).send_keys(*keys).perform()


def middle_of(browser: webdriver.Chrome, number: int) -> tuple[int, int, int]:
    """The colour in the lower right of the picture with that number, of those that are shown, once it is drawn."""
    found = [one for one in browser.find_elements(By.CSS_SELECTOR, ".screen") if one.is_displayed()]
    with Image.open(io.BytesIO(found[number].screenshot_as_png)) as image:
        red, green, blue = image.convert("RGB").getpixel((image.width * 9 // 10, image.height * 9 // 10))  # type: ignore[misc]
    return red, green, blue


# The whole way -----------------------------------------------------------------------------------------------------


def test_a_run_full_of_script_is_shown_and_runs_nothing(browser: webdriver.Chrome, mark_i: Run, tmp_path: Path) -> None:
    text = "<script>window.ran=1</script><img src=x onerror=window.ran=1>"
    brain = script(
        tmp_path / "brain.jsonl",
        action("open_app", name="xterm", args=["-e", "cat"]),
        action("type_text", text=f"{text}\n{text}\n"),
        action("click", target={"x": 320, "y": 240}),
        action("fail", reason=text),
    )
    done = mark_i("run", f"Write {text}", "--virtual", "640x480", "--brain", brain, "--yes")
    assert done.returncode == 1, done.stdout
    made = mark_i("runs", "report", "last")
    page = Path(made.stdout.removeprefix("Report: ").strip())

    shown = seen_by(browser, page)

    assert page.parent.parent == runs_folder()
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert shown.count(text) > 4
    assert ran(browser) is None
    assert complaints(browser) == []
    assert where(browser) == "step-1"
    press(browser, Keys.ARROW_RIGHT)
    assert where(browser) == "step-2"
    frames = [one for one in browser.find_elements(By.CSS_SELECTOR, ".now .screen") if one.is_displayed()]
    assert len(frames) == 2
    with Image.open(io.BytesIO(frames[1].screenshot_as_png)) as drawn:
        assert len(drawn.convert("L").getcolors(256) or range(256)) > 20  # the terminal, and not an empty frame
    assert browser.execute_script("return document.querySelectorAll('.now .part').length") >= 1


# In the browser ----------------------------------------------------------------------------------------------------


def test_whatever_stands_in_a_journal_is_only_text(browser: webdriver.Chrome, tmp_path: Path) -> None:
    told([step(index, screen(1), screen(2), EVIL) for index in (1, 2, 3)], EVIL)
    with (runs_folder() / NAME / "decisions.jsonl").open("a") as file:
        file.write(json.dumps({"index": 4, "tool": EVIL, "args": {EVIL: EVIL}}) + "\n")

    shown = seen_by(browser, written(tmp_path))

    assert ran(browser) is None
    assert complaints(browser) == []
    assert shown.count(SHOWN) > 20
    assert browser.title == f"{SHOWN} · MARK-I"
    assert browser.execute_script("return document.images.length + document.scripts.length") == 1


def test_the_page_can_neither_load_nor_run_anything_else(browser: webdriver.Chrome, tmp_path: Path) -> None:
    asked_for = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked_for.append(self.path)

        def log_message(self, *_arguments: object) -> None:
            pass

    told([step(1, screen(1), screen(2))])
    seen_by(browser, written(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        refused = browser.execute_async_script(
            """
            const [address, done] = arguments, refused = [];
            document.addEventListener("securitypolicyviolation", (event) => {
              refused.push(event.effectiveDirective);
              if (refused.length === 4) done(refused.sort());
            });
            const add = (name, values) => document.body.append(Object.assign(document.createElement(name), values));
            add("script", { textContent: "window.ran = 1" });
            add("img", { src: address });
            add("style", { textContent: "body { display: none }" });
            fetch(address).catch(() => 0);
            """,
            address,
        )
        server.shutdown()

    assert refused == ["connect-src", "img-src", "script-src-elem", "style-src-elem"]
    assert (asked_for, ran(browser)) == ([], None)
    assert browser.find_element(By.TAG_NAME, "h1").is_displayed()


def test_keys_buttons_scrubber_and_charts_go_through_the_steps(browser: webdriver.Chrome, tmp_path: Path) -> None:
    told([step(index, screen(index), screen(index + 1)) for index in range(1, 9)])
    seen_by(browser, written(tmp_path))

    visited = [where(browser)]
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.END, Keys.ARROW_RIGHT, Keys.HOME, Keys.LEFT):
        press(browser, key)
        visited.append(where(browser))
    browser.find_element(By.CSS_SELECTOR, "[data-go='1']").click()
    visited.append(where(browser))
    scrubber = browser.find_element(By.CSS_SELECTOR, ".scrub input")
    cell = scrubber.size["width"] / 8
    ActionChains(browser).move_to_element_with_offset(scrubber, round(2.2 * cell), 0).click().perform()
    visited.append(where(browser))
    press(browser, Keys.ARROW_LEFT)  # the scrubber has the focus now
    visited.append(where(browser))
    bar = browser.find_elements(By.CSS_SELECTOR, ".chart a .part-1")[3]
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", bar)
    bar.click()
    visited.append(where(browser))

    assert [int(one.removeprefix("step-")) for one in visited] == [1, 2, 3, 2, 8, 8, 1, 1, 2, 7, 6, 4]
    assert browser.current_url.endswith("#step-4")
    browser.refresh()
    assert where(browser) == "step-4"
    assert complaints(browser) == []


def test_each_step_has_its_pictures_with_the_windows_marks(browser: webdriver.Chrome, tmp_path: Path) -> None:
    told([step(1, screen(40), screen(120)), step(2, screen(120), screen(200))])
    seen_by(browser, written(tmp_path))

    shades = [middle_of(browser, 0), middle_of(browser, 1)]
    press(browser, Keys.ARROW_RIGHT)
    shades.append(middle_of(browser, 1))
    ring = browser.find_element(By.CSS_SELECTOR, ".now .ring")
    part = browser.find_element(By.CSS_SELECTOR, ".now .screen .part")

    for shade, wanted in zip(shades, (40, 120, 200), strict=True):
        assert all(abs(value - wanted) < 6 for value in shade)
    assert (ring.get_attribute("cx"), ring.get_attribute("cy")) == ("50", "30")  # in the picture, not on the desktop
    assert [part.get_attribute(name) for name in ("x", "y", "width", "height")] == ["10", "10", "20", "20"]


def test_a_picture_is_shown_large_and_compared_by_space(browser: webdriver.Chrome, tmp_path: Path) -> None:
    told([step(1, screen(40), screen(120))])
    seen_by(browser, written(tmp_path))
    large = browser.find_element(By.TAG_NAME, "dialog")

    browser.find_element(By.CSS_SELECTOR, ".now .screen").send_keys(Keys.ENTER)
    words = [large.text]
    press(browser, " ")
    words.append(large.text)
    press(browser, Keys.ESCAPE)

    assert [line.partition(".")[0] for line in words] == ["The screen before step 1", "The screen after step 1"]
    assert not large.is_displayed()
    assert where(browser) == "step-1"


@pytest.mark.parametrize("width", [1280, 420])
def test_it_fits_a_window_and_a_telephone(browser: webdriver.Chrome, tmp_path: Path, width: int) -> None:
    told([step(1, screen(40), screen(120), "a word that is " + "very " * 40 + "l" * 300 + "ong")])
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    seen_by(browser, written(tmp_path))

    wide = browser.execute_script("return document.documentElement.scrollWidth")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    assert wide <= width


def test_on_paper_every_step_is_there_and_nothing_to_press(browser: webdriver.Chrome, tmp_path: Path) -> None:
    told([step(index, screen(index), screen(index + 1)) for index in range(1, 5)])
    seen_by(browser, written(tmp_path))

    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    steps = [one.is_displayed() for one in browser.find_elements(By.CSS_SELECTOR, ".step")]
    player = browser.find_element(By.CSS_SELECTOR, ".player").is_displayed()
    paper = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    assert (steps, player) == ([True] * 4, False)
    assert paper.startswith(b"%PDF-")


@pytest.mark.parametrize(("scheme", "number"), [("light", 0), ("dark", 1)])
def test_it_has_the_colours_of_the_window(browser: webdriver.Chrome, tmp_path: Path, scheme: str, number: int) -> None:
    told([step(1, screen(1), screen(2))])
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    seen_by(browser, written(tmp_path))

    names = {
        "ground": style.BACKGROUND,
        "surface": style.SURFACE,
        "sunken": style.SUNKEN,
        "border": style.BORDER,
        "field": style.FIELD_BORDER,
        "text": style.TEXT,
        "muted": style.MUTED,
        "accent": style.ACCENT,
        "busy": style.TONES["busy"],
        "warn": style.TONES["unverified"],
        "done": style.TONES["done"],
        "bad": style.TONES["failed"],
        "stopped": style.TONES["stopped"],
    }
    used = "return getComputedStyle(document.documentElement).getPropertyValue('--' + arguments[0])"
    assert {name: browser.execute_script(used, name).strip() for name in names} == {
        name: color[number] for name, color in names.items()
    }


def test_what_was_sent_stands_under_its_step(browser: webdriver.Chrome, tmp_path: Path) -> None:
    told([step(1, screen(1), screen(2)), step(2, screen(2), screen(3))])
    seen_by(browser, written(tmp_path))
    press(browser, Keys.ARROW_RIGHT)

    browser.find_elements(By.CSS_SELECTOR, ".now summary")[1].click()
    sent = browser.find_element(By.CSS_SELECTOR, ".now details[open]")
    words = sent.text
    browser.find_element(By.LINK_TEXT, "Instructions 1").click()

    assert "Sent to Save" in words
    assert "and this image: 40 × 30 pixels" in words
    assert "1,200 tokens in (200 of them cached), 30 out: about 0.0100 USD." in words
    instructions = browser.find_element(By.ID, "system-1")
    WebDriverWait(browser, CAP_S).until(lambda _: instructions.is_displayed())


# The file ----------------------------------------------------------------------------------------------------------


def test_a_picture_is_in_the_file_once_however_often_it_was_seen() -> None:
    folder = told([step(index, screen(index % 2), screen((index + 1) % 2)) for index in range(1, 301)])
    for file in (folder / "frames").glob("*.jpg"):
        file.unlink()

    page = report(folder, NO_SECRETS).decode()

    assert HELD.findall(page) == ["p0", "p1"]
    assert page.count('<use href="#p0"/>') == page.count('<use href="#p1"/>') == 300
    assert page.count('class="missing">An image was sent too') == 300


def test_a_secret_that_was_saved_after_the_run_is_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told([step(1, screen(1), screen(2), "correct horse battery")], "correct horse battery")
    monkeypatch.setenv("MARK_I_SECRET_BANK", "correct horse battery")

    page = written(tmp_path).read_text(encoding="utf-8")

    assert "horse" not in page
    assert "{{secret:bank}}" in page


def test_a_killed_run_says_so_and_names_what_was_in_flight(tmp_path: Path) -> None:
    folder = told([step(1, screen(1), screen(2))], outcome=None)
    with (folder / "decisions.jsonl").open("a") as file:
        file.write(json.dumps({"index": 2, "tool": "press", "args": {"keys": "enter"}}) + "\n")
    with (folder / "steps.jsonl").open("a") as file:
        file.write('{"index": 2, "thou')

    page = written(tmp_path).read_text(encoding="utf-8")

    assert "<strong>Killed</strong>" in page
    assert "The run was killed, so it has no outcome." in page
    assert "<code>press({&#34;keys&#34;: &#34;enter&#34;})</code>. It may have been executed." in page
    assert page.count('<section class="step ') == 1


@pytest.mark.parametrize(("outcome", "count"), [("done", 0), ("done_unverified", 1)])
def test_why_a_piece_proves_nothing_is_told_unless_others_prove_it(tmp_path: Path, outcome: str, count: int) -> None:
    told([], outcome=outcome)

    page = written(tmp_path).read_text()

    assert page.count("It is old.") == page.count("It is only typed.") == count
    assert page.count("Not verified") == 1 + count  # a step that proves nothing hides no success
    assert "It is nothing." not in page
    assert "what step" not in page


def test_a_run_that_goes_on_is_told_as_far_as_it_is(tmp_path: Path) -> None:
    folder = told([step(1, screen(1), screen(2))], outcome=None)

    with running(folder):
        page = written(tmp_path).read_text(encoding="utf-8")

    assert "<strong>Running</strong>" in page
    assert "This run is still running." in page


def test_runs_without_steps_or_without_a_screen_have_reports(browser: webdriver.Chrome, tmp_path: Path) -> None:
    folder = told([], desktop=None)
    shown = seen_by(browser, written(tmp_path))
    assert "No step was completed." in shown
    assert complaints(browser) == []

    folder.rename(folder.with_name("20250101-000000-000000"))
    told([step(1, None, None)], desktop=None)
    seen_by(browser, written(tmp_path))

    assert where(browser) == "step-1"
    assert [one for one in browser.find_elements(By.CSS_SELECTOR, ".shots") if one.is_displayed()] == []


def test_a_picture_that_is_gone_or_is_none_of_the_run_is_told(tmp_path: Path) -> None:
    folder = told([step(1, screen(1), screen(2))])
    for file in (folder / "frames").glob("*.png"):
        file.write_bytes(file.read_bytes()[:50])
    private = tmp_path / "private.jpg"
    Image.new("RGB", (8, 8)).save(private)
    lines = (folder / "prompts.jsonl").read_text()
    (folder / "prompts.jsonl").write_text(re.sub(r"frames/\w+\.jpg", str(private), lines))

    page = written(tmp_path).read_text(encoding="utf-8")

    assert HELD.findall(page) == []
    assert page.count("This image is missing from the run's folder.") == 2
    assert "An image was sent too; it is missing from the run's folder." in page


def test_an_end_that_only_a_newer_version_knows_is_named(tmp_path: Path) -> None:
    told([step(1, screen(1), screen(2))], outcome="abducted")

    page = written(tmp_path).read_text(encoding="utf-8")

    assert "<strong>abducted</strong>" in page
    assert "which this version of MARK-I does not know" in page


def test_a_journal_of_a_newer_version_is_one_clear_line() -> None:
    folder = told([step(1, screen(1), screen(2))], versions={"mark-i": "9.0"})
    (folder / "steps.jsonl").write_text('{"index": 1, "shape": "new"}\n')

    done = asked()

    assert isinstance(done.exception, JournalError)
    assert re.search(r"line 1, .+ It was written by MARK-I 9\.0; this is ", str(done.exception))
    assert "\n" not in str(done.exception)


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    told([step(1, screen(1), screen(2))])

    done = asked("--out", str(tmp_path / "nowhere" / "report.html"))

    assert isinstance(done.exception, JournalError)
    assert "nowhere/report.html cannot be written: No such file or directory" in str(done.exception)
