"""The MiniWoB++ benchmark: how many of its small web tasks a brain solves, in the exact words of their pages.

A real Chromium shows the pages at twice their size, as on a high-density screen; the agent reads the screen and uses
the real mouse and keyboard. Chromedriver only starts an episode and reads its goal and its reward. An episode lasts
some 10 seconds, which is meant for learning; the page's own variable extends it. Only the part of the reward that does
not depend on time counts, and only the full reward is a success.

Shi et al., World of Bits (ICML 2017); Liu et al., Reinforcement Learning on Web Interfaces (ICLR 2018).
"""

import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from mark_i.agent import AgentCore
from mark_i.assembly.run_config import RunConfig
from mark_i.bench.apps.fields import CHROMIUM
from mark_i.bench.episodes import Episode, Play
from mark_i.extras import require
from mark_i.fleet.attempt import acted
from mark_i.loop.parts import Limits, Oversight
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import warm_up
from toolbelt.perception import Eyes, Masks
from toolbelt.standard import standard_toolbelt
from world_model import DesktopError, Region, Size, UsageError

SUITED: Final = (  # for a brain that follows plain instructions
    "ascending-numbers",
    "choose-date",
    "choose-date-easy",
    "choose-date-medium",
    "choose-date-nodelay",
    "choose-list",
    "click-button",
    "click-button-sequence",
    "click-checkboxes",
    "click-checkboxes-large",
    "click-checkboxes-transfer",
    "click-collapsible",
    "click-collapsible-2",
    "click-collapsible-2-nodelay",
    "click-collapsible-nodelay",
    "click-dialog",
    "click-dialog-2",
    "click-link",
    "click-menu",
    "click-option",
    "click-scroll-list",
    "click-tab",
    "click-tab-2",
    "click-tab-2-easy",
    "click-tab-2-hard",
    "click-tab-2-medium",
    "click-test",
    "click-test-2",
    "click-test-transfer",
    "click-widget",
    "copy-paste",
    "copy-paste-2",
    "drag-circle",
    "drag-items",
    "drag-single-shape",
    "enter-date",
    "enter-password",
    "enter-text",
    "enter-text-2",
    "enter-text-dynamic",
    "enter-time",
    "find-word",
    "focus-text",
    "focus-text-2",
    "form-sequence",
    "generate-number",
    "highlight-text",
    "highlight-text-2",
    "login-user",
    "phone-book",
    "read-table",
    "read-table-2",
    "resize-textarea",
    "scroll-text",
    "scroll-text-2",
    "search-engine",
    "sign-agreement",
    "simple-algebra",
    "simple-arithmetic",
    "stock-market",
    "use-slider",
    "use-slider-2",
    "use-spinner",
)
SIZE: Final = Size(800, 600)
SCALE: Final = 2
SCORES: Final = Region(160 * SCALE, 0, SIZE.width, SIZE.height)  # beside the task; masked from the agent
EPISODE_MAX_S: Final = 120
START_MAX_S: Final = 30.0  # for Chromium to start
REWARD_MAX_S: Final = 1.0  # for the page to register the last click
STEPS: Final = 30
TASK_ALONE: Final = ("--kiosk", f"--force-device-scale-factor={SCALE}", "--force-renderer-accessibility")  # no toolbar
# Some pages also return the values in the goal separately; the agent receives only the text.
GOAL: Final = "const told = core.getUtterance(); return told.utterance || told"
BEGIN: Final = """
Math.seedrandom(arguments[0]); core.EPISODE_MAX_TIME = arguments[1]; core.startEpisodeReal();
const painted = arguments[2]; requestAnimationFrame(() => requestAnimationFrame(painted));
"""  # until then the cover of the last episode is on the screen


@contextmanager
def miniwob(tasks: Sequence[str], config: RunConfig, control: Control) -> Iterator[Play]:
    """Open the benchmark, and return a function that plays an episode; a number always gives the same episode.

    Args:
        tasks: The tasks, by the names of their pages.
        config: The brain, and the budget of an episode.
        control: A stop ends the benchmark and everything that it started.

    Raises:
        UsageError: A requirement is not installed, or there is no such task.
        DesktopError: No virtual desktop is available, or Chromium does not start.
    """
    addresses = pages(tasks)
    warm_up()
    with closing(VirtualDesktop(SIZE, control)) as desktop, _browser(desktop, control) as browser:

        def play(task: str, number: int) -> Episode:
            return _episode(desktop, browser, addresses[task], config, (task, number))

        yield play


def pages(tasks: Sequence[str] | None = None) -> dict[str, str]:
    """Return the address of each task's page; of every task if none is named.

    Raises:
        UsageError: MiniWoB++ is not installed, or it has no such task.
    """
    require("bench")
    found = find_spec("miniwob")
    folder = Path(*(found.submodule_search_locations or [""])[:1]) / "html" / "miniwob" if found else Path()
    there = {page.stem: page.as_uri() for page in sorted(folder.glob("*.html"))}
    unknown = [task for task in tasks or () if task not in there]
    if unknown:
        near = get_close_matches(unknown[0], there)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise UsageError(f"MiniWoB++ has no task {' and no '.join(unknown)}.{hint}")
    return {task: there[task] for task in tasks} if tasks else there


@contextmanager
def _browser(desktop: VirtualDesktop, control: Control) -> Iterator[Any]:
    """Start Chromium on the desktop, without a toolbar and with an empty profile, driven by chromedriver."""
    from selenium import webdriver  # noqa: PLC0415 - an extra
    from selenium.common.exceptions import WebDriverException  # noqa: PLC0415

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    desktop.launch(["chromedriver", f"--port={port}"])
    if not control.until(lambda: _listens(port), START_MAX_S):
        raise DesktopError("chromedriver did not start: sudo apt-get install chromium-driver")
    options = webdriver.ChromeOptions()
    with tempfile.TemporaryDirectory(prefix="mark-i-", ignore_cleanup_errors=True) as profile:
        for argument in (*CHROMIUM, *TASK_ALONE, f"--user-data-dir={profile}"):
            options.add_argument(argument)
        options.add_experimental_option("excludeSwitches", ["enable-automation"])  # it shows an info bar
        try:
            browser = webdriver.Remote(f"http://127.0.0.1:{port}", options=options)
        except WebDriverException as error:
            raise DesktopError(f"Chromium did not start: {error.msg}") from error
        try:
            yield browser
        finally:
            browser.quit()


def _listens(port: int) -> bool:
    with socket.socket() as door:
        return door.connect_ex(("127.0.0.1", port)) == 0


def _episode(
    desktop: VirtualDesktop,
    browser: Any,  # noqa: ANN401 - an extra
    page: str,
    config: RunConfig,
    name: tuple[str, int],
) -> Episode:
    """Play one episode on its page, and return the result."""
    control = desktop.control
    browser.get(page)
    browser.execute_async_script(BEGIN, str(name[1]), EPISODE_MAX_S * 1000)
    goal = browser.execute_script(GOAL)
    eyes = Eyes(desktop, control, Masks((SCORES,)))
    agent = AgentCore(
        config.brain,
        standard_toolbelt(eyes),
        desktop,
        limits=Limits(replace(config.budget, steps=STEPS, seconds=EPISODE_MAX_S)),
        oversight=Oversight(secrets=config.secrets),
        eyes=eyes,
    )
    told = acted(agent, goal)
    control.until(lambda: browser.execute_script("return WOB_DONE_GLOBAL"), REWARD_MAX_S)
    reward = browser.execute_script("return WOB_DONE_GLOBAL ? WOB_RAW_REWARD_GLOBAL : 0")
    return Episode(*name, solved=reward >= 1, **told)
