"""A page that notes in its title what was done on it, and an agent without a model in front of it."""

import json
from typing import Any, Final

from mark_i import Limits, Oversight
from mark_i.agent import AgentCore
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.budget import Budget
from mark_i.events import Outcome
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt

CAP_S: Final = 120.0
CHROMIUM: Final = ("chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-component-update")


class Shop:
    """The page, and an agent without a model in front of it."""

    def __init__(self, desktop: VirtualDesktop, control: Control) -> None:
        self.desktop, self.control = desktop, control
        self.eyes = Eyes(desktop, control)

    def told(self, goal: str) -> Outcome:
        belt = standard_toolbelt(self.eyes)
        limits = Budget(steps=20, seconds=600)
        brain = OfflineBrain()
        agent = AgentCore(
            brain, belt, self.desktop, limits=Limits(limits), oversight=Oversight(detect_loops=False), eyes=self.eyes
        )
        return agent.execute_command(goal)

    @property
    def noted(self) -> dict[str, Any] | None:
        titles = [one.title for one in self.desktop.windows() if one.title.startswith("Shop ")]
        return json.loads(titles[0].removeprefix("Shop ")) if titles else None

    def comes_to(self, expected: dict[str, Any]) -> bool:
        return bool(self.control.until(lambda: self.noted == expected, CAP_S))
