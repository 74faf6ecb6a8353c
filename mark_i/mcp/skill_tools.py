"""The kept skills of the profile as tools of the server; clients are told when one comes, goes or changes."""

import contextlib
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import anyio
from anyio.to_thread import run_sync
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ToolsListChanged

from mark_i.skills.calls import skill_tool, values_of
from mark_i.skills.skill import Skill, values_for
from mark_i.skills.store import stamps, usable
from toolbelt.tool import Tool

POLL_S: Final = 1.0  # between two looks for new skills


@dataclass(frozen=True, slots=True)
class SkillCall:
    """A skill, its folder, and the values that a client gave."""

    skill: Skill
    folder: Path
    values: Mapping[str, str]


class SkillTools:
    """What a client can use besides the tools that are there from the start.

    Args:
        profile: whose skills they are.
        taken: the names of other tools, and of what is switched off.
        say: receives what is wrong with a skill, once.
    """

    def __init__(self, profile: str, taken: Collection[str], say: Callable[[str], None]) -> None:
        self.bus = InMemorySubscriptionBus()
        self._profile, self._taken, self._say = profile, taken, say
        self._told: set[str] = set()
        self._listening: list[ServerSession] = []  # those that have a list that may become old

    def tools(self) -> list[Tool]:
        """Return the tools of the skills that are kept now. Unlike in a run, a call does all of it."""
        return [replace(skill_tool(skill), risk="danger") for skill, _ in self._kept()]

    def called(self, name: str, args: Mapping[str, Any]) -> SkillCall | None:
        """Return what a call does; None if there is no such skill.

        Raises:
            ToolFailure: an argument is missing, or of a wrong type.
            UsageError: a value is not of its type.
        """
        for skill, folder in self._kept():
            if skill.name == name:
                given = values_of(skill_tool(skill).validated(args))
                return SkillCall(skill, folder, values_for(skill, given))
        return None

    def listed(self, session: ServerSession) -> None:
        """Note that a client has the list as it is now."""
        self._listening.append(session)

    @contextlib.asynccontextmanager
    async def watched(self, _server: object) -> AsyncIterator[dict[str, Any]]:
        """Tell clients, as long as the server works, that the list has changed."""
        known = await run_sync(stamps, self._profile)
        async with anyio.create_task_group() as watching:
            watching.start_soon(self._watch, known)
            try:
                yield {}
            finally:
                watching.cancel_scope.cancel()

    async def _watch(self, known: dict[str, float]) -> None:
        while True:
            await anyio.sleep(POLL_S)
            if (now := await run_sync(stamps, self._profile)) != known:
                known = now
                await self.bus.publish(ToolsListChanged())
                listening, self._listening = self._listening, []
                for session in listening:  # clients of before 2026; to others this says nothing
                    await session.send_tool_list_changed()

    def _kept(self) -> list[tuple[Skill, Path]]:
        found, faults = usable(self._profile)
        for fault in faults:
            self._tell(fault)
        kept = [(skill, folder) for skill, folder in found if skill.state == "kept"]
        for skill, _ in kept:
            if skill.name in self._taken:
                self._tell(f"The skill {skill.name} is left out: there is another tool of that name.")
        return [(skill, folder) for skill, folder in kept if skill.name not in self._taken]

    def _tell(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._say(text)
