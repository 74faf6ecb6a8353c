"""An agent on a real desktop that obeys whatever it is told, and a person who gives some answers."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from mark_i import AgentCore, Oversight, ScriptedBrain, VirtualDesktop, standard_toolbelt
from mark_i.guard.policy import DEFAULT, Policy
from mark_i.guard.risk import Answer, Approval, Guard
from tests.support import action
from toolbelt.desktops.shells import is_at_prompt
from toolbelt.ocr.lines import Line
from toolbelt.perception.eyes import Eyes

APPS: Final = Path(__file__).parents[2] / "apps"
CAP_S: Final = 120.0  # seconds for an application to do something on a busy machine
FAIL: Final = action("fail", reason="That was all.")
CHROMIUM: Final = (
    "chromium",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--no-proxy-server",
    "--window-size=900,700",
)


class Worker:
    """An agent on a desktop, and a person who gives some answers and goes."""

    def __init__(self, desktop: VirtualDesktop) -> None:
        self.desktop, self.eyes = desktop, Eyes(desktop, desktop.control)

    def does(
        self, *replies: object, goal: str = "tidy up", answers: Sequence[Answer] = (), policy: Policy = DEFAULT
    ) -> tuple[list[str | None], list[str]]:
        """Return the code of each action, and why the person was asked."""
        asked, left = [], list(answers)

        def approve(approval: Approval) -> Answer | None:
            asked.append(approval.why)
            return left.pop(0) if left else None

        oversight = Oversight(guard=Guard(policy), approve=approve, detect_loops=False)
        tools = standard_toolbelt(self.eyes)
        agent = AgentCore(ScriptedBrain([*replies, FAIL]), tools, self.desktop, oversight=oversight, eyes=self.eyes)
        agent.execute_command(goal)
        seen = [step.observation.error for step in agent.world_model][:-1]
        return [error.code if error else None for error in seen], asked

    def until(self, condition: Callable[[], object]) -> None:
        assert self.desktop.control.until(condition, CAP_S)

    def comes(self, title: str, *texts: str) -> None:
        self.until(lambda: any(title in one.title and one.active for one in self.desktop.windows()))
        for text in texts:
            self.until(partial(self.reads, text))

    def reads(self, text: str) -> bool:
        """Whether a text can be read on the screen."""
        return any(text in line.text for line in self.lines())

    def lines(self) -> tuple[Line, ...]:
        """Return the lines on the screen."""
        return self.eyes.read(self.eyes.look())

    def opens_shell(self, folder: Path) -> None:
        """Open a terminal with a shell in a folder."""
        font = ("-fa", "DejaVu Sans Mono", "-fs", "14")
        self.desktop.launch(["xterm", "-T", "Shell", *font, "-e", "sh", "-c", f"cd {folder}; exec sh"])
        self.comes("Shell")
        self.until(lambda: any(is_at_prompt(one.pid) for one in self.desktop.windows()))


def keys(*names: str) -> list[dict[str, object]]:
    return [action("press", keys={" ": "space"}.get(name, name)) for name in names]
