"""A program on a virtual desktop that shows the pages of MiniWoB++ in a real Chromium, at twice their size.

    python -m mark_i.bench.miniwob_page begin PAGE SEED GOAL   begin an episode, and leave Chromium to the agent
    python -m mark_i.bench.miniwob_page check                  exit with 0 if that episode has the full reward
    python -m mark_i.bench.miniwob_page goals FILE SEEDS PAGE...   write the goals of many episodes as a CSV table

Chromedriver begins an episode, reads its goal and its reward, and hides the scores beside the page, which are not for
the agent. An episode lasts some 10 seconds, which is meant for learning; the page's own variable extends it. Only the
part of the reward that does not depend on time counts. All that is started here ends with the desktop.
"""

import csv
import http.client
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from mark_i.bench.apps.fields import CHROMIUM
from toolbelt.control import Control
from world_model import DesktopError, MarkIError
from world_model.journal import write_whole

SESSION: Final = Path("session.json")  # in the folder of the run: `check` asks the Chromium that `begin` started
SCALE: Final = 2
EPISODE_MAX_S: Final = 120
START_MAX_S: Final = 30.0  # for Chromium to start
REWARD_MAX_S: Final = 1.0  # for the page to register the last click
FULL_REWARD: Final = 1
TASK_ALONE: Final = ("--kiosk", f"--force-device-scale-factor={SCALE}", "--force-renderer-accessibility")  # no toolbar
# Both end once the desktop asks the shell to, or the driver ends. What they kept is removed then, and not before.
DRIVER: Final = """
trap : TERM
TMPDIR="$0" setsid chromedriver --port=0 &
wait
trap "" TERM
kill -s KILL -- -$!
until rm -rf "$0"; do :; done
"""
PORT: Final = re.compile(rb"started successfully on port (\d+)")
SAID_MAX_BYTES: Final = 10_000  # of chromedriver
# Some pages also return the values in the goal separately; the agent receives only the text.
GOAL: Final = "const told = core.getUtterance(); return told.utterance || told"
BEGIN: Final = """
const style = document.createElement("style");
style.textContent = "#reward-display, #click-canvas { visibility: hidden }";
document.head.append(style);
Math.seedrandom(arguments[0]); core.EPISODE_MAX_TIME = arguments[1]; core.startEpisodeReal();
const painted = arguments[2]; requestAnimationFrame(() => requestAnimationFrame(painted));
"""  # until then the cover of the last episode is on the screen


@dataclass(frozen=True, slots=True)
class Browser:
    """A Chromium that chromedriver drives: where the driver listens, and the name of its session."""

    port: int
    session: str

    @classmethod
    def started(cls) -> Self:
        """Start Chromium without a toolbar and with an empty profile.

        Raises:
            DesktopError: It does not start.
        """
        folder = tempfile.mkdtemp(prefix="mark-i-")
        arguments = [*CHROMIUM, *TASK_ALONE, f"--user-data-dir={folder}/profile"]
        chrome = {"args": arguments, "excludeSwitches": ["enable-automation"]}  # it shows an info bar
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": chrome}}}
        port = _driver(folder)
        return cls(port, _asked(port, "/session", wanted)["sessionId"])

    def begin(self, page: str, seed: str) -> str:
        """Begin an episode; a seed always gives the same one. Returns its goal."""
        self._ask("url", url=page)
        self._ask("execute/async", script=BEGIN, args=[seed, EPISODE_MAX_S * 1000])
        return str(self.run(GOAL))

    def run(self, script: str) -> Any:  # noqa: ANN401 - what JavaScript returns
        """Run JavaScript in the page, and return its result."""
        return self._ask("execute/sync", script=script, args=[])

    def _ask(self, what: str, **about: object) -> Any:  # noqa: ANN401 - what WebDriver returns
        return _asked(self.port, f"/session/{self.session}/{what}", about)


def begin(page: str, seed: str, goal: str) -> None:
    """Begin an episode for the agent.

    Raises:
        DesktopError: Chromium does not start, or the page shows another goal than the one that the agent is given.
    """
    browser = Browser.started()
    shown = browser.begin(page, seed)
    if shown != goal:
        raise DesktopError(f"The page shows another goal: {shown}")
    SESSION.write_text(json.dumps(asdict(browser)), encoding="utf-8")


def check() -> None:
    """Check that the episode has ended with the full reward.

    Raises:
        DesktopError: It has not, or Chromium is gone.
    """
    browser = Browser(**json.loads(SESSION.read_text(encoding="utf-8")))
    if not Control().until(lambda: browser.run("return WOB_DONE_GLOBAL"), REWARD_MAX_S):
        raise DesktopError("The episode has not ended")
    reward = browser.run("return WOB_RAW_REWARD_GLOBAL")
    if reward < FULL_REWARD:
        raise DesktopError(f"The reward is {reward:g}")


def goals(file: Path, seeds: int, pages: Sequence[str]) -> None:
    """Write the goals of the first seeds of some pages: a row for each seed, and a column for each page."""
    browser, table = Browser.started(), io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(["seed", *(column_of(Path(page).stem) for page in pages)])
    rows.writerows([seed, *(browser.begin(page, str(seed)) for page in pages)] for seed in range(seeds))
    write_whole(file, table.getvalue().encode())


def column_of(task: str) -> str:
    """Return what the column with the goals of a task is called."""
    return task.replace("-", "_")


def _driver(folder: str) -> int:
    """Start chromedriver, which keeps its files in the folder, and return the port on which it listens."""
    with tempfile.TemporaryFile() as said:
        driver = subprocess.Popen(  # noqa: S603 - our own script
            ["sh", "-c", DRIVER, folder],  # noqa: S607 - where the system has it
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )

        def port() -> re.Match[bytes] | None:
            return PORT.search(os.pread(said.fileno(), SAID_MAX_BYTES, 0))

        found = Control().until(lambda: port() or driver.poll() is not None, START_MAX_S)
    if not isinstance(found, re.Match):
        raise DesktopError("chromedriver did not start: sudo apt-get install chromium-driver")
    return int(found[1])


def _asked(port: int, path: str, about: object) -> Any:  # noqa: ANN401 - what WebDriver returns
    """Ask chromedriver, and return the value of its answer.

    Raises:
        DesktopError: It is gone, or has no value.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_MAX_S)
    try:
        connection.request("POST", path, json.dumps(about).encode())
        answer = connection.getresponse()
        value = json.load(answer)["value"]
    except (OSError, http.client.HTTPException) as error:
        raise DesktopError(f"Chromium does not answer: {error}") from error
    finally:
        connection.close()
    if answer.status != http.HTTPStatus.OK:
        raise DesktopError(f"Chromium did not do that: {value['message']}")
    return value


def main() -> None:
    """Do what the arguments say."""
    try:
        match sys.argv[1:]:
            case ["begin", page, seed, goal]:
                begin(page, seed, goal)
            case ["goals", file, seeds, *pages]:
                goals(Path(file), int(seeds), pages)
            case _:
                check()
    except MarkIError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
