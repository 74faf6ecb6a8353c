"""The rows that a skill is done for, one run after the other. No Tk here."""

from collections.abc import Sequence

from gui.agent_page.run_thread import RunRequest
from gui.kit.texts import shorten
from gui.run.choices import OFFLINE
from gui.run.skill_goal import SkillGoal


class SkillRows:
    """Calls of a skill in turn, and how those before have ended."""

    def __init__(self, goals: Sequence[SkillGoal], *, virtual: bool) -> None:
        self._goals, self._virtual = goals, virtual
        self._begun = 0
        self._endings: list[str] = []
        self._stopped = False

    def next(self) -> RunRequest | None:
        """Return the next run; None after the last, or once a person stopped one."""
        if self._begun == len(self._goals) or self._stopped:
            return None
        goal = self._goals[self._begun]
        self._begun += 1
        return RunRequest(goal.order, OFFLINE, self._virtual)

    def note(self, ending: str, *, stopped: bool) -> None:
        """Note how the newest run has ended, and whether a person stopped it."""
        self._endings.append(ending)
        self._stopped = stopped

    @property
    def told(self) -> str:
        """A line for each row: its number, how it ended, and its values; empty for a single run."""
        if len(self._goals) == 1:
            return ""
        lines = []
        for number, (goal, ending) in enumerate(zip(self._goals, self._endings, strict=False), 1):
            values = ", ".join(f"{name}={value}" for name, value in goal.values.items())
            lines.append(f"Row {number}: {ending}. {values}".rstrip())
        if left := len(self._goals) - self._begun:
            lines.append(f"{left} more {'row was' if left == 1 else 'rows were'} not begun.")
        return shorten("\n".join(lines))
