"""A run played in a real browser: in its report, by mouse and keys, and as a film."""

import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from PIL import Image
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from mark_i.guard.secrets import NO_SECRETS
from mark_i.report.pace import AFTER_MS, MOVE_MS, RING_MS, reading_ms
from mark_i.report.page import report
from tests.mark_i.report.made_runs import asked, screen, step, told, written
from world_model import Point, call

pytestmark = pytest.mark.skipif(shutil.which("chromedriver") is None, reason="Chromium's driver is not installed")

CAP_S: Final = 60.0
SIZE: Final = (320, 240)
FRAMES: Final = (
    "const [n, done] = arguments; let left = n; (function next() { left-- ? requestAnimationFrame(next) : done() })()"
)


@pytest.fixture
def page(browser: webdriver.Chrome, tmp_path: Path) -> Iterator[webdriver.Chrome]:
    """The report of three steps, each of another shade, open."""
    shades = [screen(shade, SIZE) for shade in (40, 100, 160, 220)]
    places = (Point(140, 40),), (Point(180, 80),), (Point(200, 60),)
    told([step(at + 1, shades[at], shades[at + 1], f"Thought {at + 1}", places=places[at]) for at in range(3)])
    browser.get(written(tmp_path).as_uri())
    browser.get_log("browser")  # type: ignore[no-untyped-call]
    yield browser
    assert browser.get_log("browser") == []  # type: ignore[no-untyped-call]


def one(browser: webdriver.Chrome, name: str) -> WebElement:
    return browser.find_element(By.CSS_SELECTOR, name)


def position(browser: webdriver.Chrome) -> float:
    return float(browser.execute_script("return Number(document.querySelector('.film input').value)"))


def until(browser: webdriver.Chrome, condition: Callable[[], bool]) -> None:
    WebDriverWait(browser, CAP_S, poll_frequency=0.02).until(lambda _: condition())


def at(browser: webdriver.Chrome, ms: float) -> tuple[str | None, float, float, bool]:
    """The name of the picture, where the pointer is on it, and whether it is ringed, at a time of the film."""
    script = (
        "const i = document.querySelector('.film input'); i.value = arguments[0]; i.dispatchEvent(new Event('input'))"
    )
    browser.execute_script(script, ms)
    ringed = one(browser, ".film .ring").is_displayed()
    matrix = browser.execute_script("return document.querySelector('.arrow').transform.baseVal[0].matrix")
    return one(browser, ".stage use").get_attribute("href"), matrix["e"], matrix["f"], ringed


def shade(browser: webdriver.Chrome) -> int:
    """The shade in the lower right of the stage."""
    with Image.open(io.BytesIO(one(browser, ".stage").screenshot_as_png)) as image:
        red, *_ = image.convert("RGB").getpixel((image.width // 2 + image.height // 2, image.height * 9 // 10))  # type: ignore[misc]
    return min((40, 100, 160, 220), key=lambda known: abs(known - red))


def read_ms(number: int) -> int:
    thought = f"Thought {number}"
    return reading_ms(thought + call(step(1, None, None, thought).action))


def test_play_plays_and_space_pauses(page: webdriver.Chrome) -> None:
    one(page, ".player .play").click()
    until(page, lambda: position(page) > 0)
    assert one(page, ".film .toggle").get_attribute("aria-label") == "Pause"

    ActionChains(page).send_keys(" ").perform()
    paused = position(page)
    page.execute_async_script(FRAMES, 3)
    assert position(page) == paused
    assert one(page, ".film .toggle").get_attribute("aria-label") == "Play"
    number = one(page, ".film output").text.split()[1]
    assert one(page, ".film .words").text == f"Thought {number}"
    assert one(page, ".film .does").text == f'click({{"target": "Thought {number}"}})'

    one(page, ".stage").click()
    until(page, lambda: position(page) > paused)
    one(page, ".film input").click()  # it has the focus now
    ActionChains(page).send_keys(" ").perform()
    assert one(page, ".film .toggle").get_attribute("aria-label") == "Play"


def test_the_position_is_dragged_and_the_page_follows(page: webdriver.Chrome) -> None:
    one(page, ".player .play").click()
    one(page, ".film .toggle").click()
    bar = one(page, ".film input")
    start = -bar.size["width"] // 2 + 8  # on its knob
    drag = ActionChains(page).move_to_element_with_offset(bar, start, 0).click_and_hold()
    drag.move_by_offset(bar.size["width"] // 2, 0).release().perform()

    assert one(page, ".film output").text.startswith("Step 2 of 3 · 0:0")
    assert one(page, ".film .words").text == "Thought 2"
    ActionChains(page).send_keys(Keys.ARROW_RIGHT).perform()
    assert (one(page, ".film .words").text, shade(page)) == ("Thought 3", 160)
    one(page, ".film .close").click()
    assert not one(page, ".film").is_displayed()
    assert one(page, ".player output").text.startswith("Step 3 of 3")
    assert one(page, "#step-3").is_displayed()


def test_the_pointer_glides_unless_motion_is_reduced(page: webdriver.Chrome) -> None:
    one(page, ".player .play").click()
    one(page, ".film .toggle").click()
    first = read_ms(1)
    times = (0, first + MOVE_MS / 2, first + MOVE_MS + 1, first + MOVE_MS + RING_MS + 1)

    glides = [at(page, ms) for ms in times]
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    jumps = [at(page, ms) for ms in times]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    assert glides == [("#p0", 160, 120, False), ("#p0", 100, 80, False), ("#p0", 40, 40, True), ("#p1", 40, 40, False)]
    assert jumps == [glides[0], glides[2], glides[2], glides[3]]


def test_a_run_is_played_to_its_end_and_again(page: webdriver.Chrome) -> None:
    one(page, ".player .play").click()
    one(page, ".film .toggle").click()
    failed = sum(read_ms(number) + MOVE_MS + RING_MS + AFTER_MS for number in (1, 2)) + read_ms(3)
    at(page, failed + 1)
    said = [one(page, ".film .does").text]
    end = float(str(one(page, ".film input").get_attribute("max")))
    at(page, end - 50)

    one(page, ".film .toggle").click()
    until(page, lambda: one(page, ".film .toggle").get_attribute("aria-label") == "Play")
    said += [one(page, f".film {name}").text for name in (".does", ".words")]
    ended = position(page)
    one(page, ".film .toggle").click()
    until(page, lambda: position(page) < end)

    assert ended == end
    assert said == ["TARGET_NOT_FOUND: Thought 3 Thought 3", "Done", "Save"]


def test_without_images_there_is_nothing_to_play() -> None:
    folder = told([step(1, screen(1), screen(2))])
    with_images = report(folder, NO_SECRETS).decode()
    for file in (folder / "frames").glob("*.png"):
        file.unlink()

    without = report(folder, NO_SECRETS).decode()

    assert [page.count(' class="play"') + page.count('<dialog class="film"') for page in (with_images, without)] == [
        2,
        0,
    ]


def test_a_browser_plays_the_film(browser: webdriver.Chrome, tmp_path: Path) -> None:
    told([step(1, screen(40, SIZE), screen(220, SIZE))])
    done = asked("--film", str(tmp_path / "run.mp4"))
    assert done.output == f"Film: {tmp_path / 'run.mp4'}\n", done
    (tmp_path / "page.html").write_text("<video muted src=run.mp4></video>")
    browser.get((tmp_path / "page.html").as_uri())
    script = """
        const [seconds, done] = arguments, video = document.querySelector("video");
        const told = () => done(video.error?.message ?? [video.duration, video.videoWidth, video.readyState > 1]);
        video.onseeked = video.onerror = told;
        video.currentTime = seconds;
    """
    goal, ending = reading_ms("GoalSave"), reading_ms("DoneSave")
    step_ms = reading_ms("Save" + call(step(1, None, None).action)) + MOVE_MS + RING_MS
    shades = []
    for ms in (goal + 100, goal + step_ms + 100):
        told_by = browser.execute_async_script(script, ms / 1000)
        with Image.open(io.BytesIO(one(browser, "video").screenshot_as_png)) as image:
            shades.append(image.convert("RGB").getpixel((10, 10))[0])  # type: ignore[index]

    assert told_by == [pytest.approx((goal + step_ms + AFTER_MS + ending) / 1000, abs=0.01), SIZE[0], True]
    assert shades == [pytest.approx(40, abs=6), pytest.approx(220, abs=6)]
