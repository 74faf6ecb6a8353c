"""The tools of a profile as the window lists them. No Tk here."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from gui.tools_page.arguments import Argument, arguments_of
from mark_i import Tool
from mark_i.assembly import ProfileTools
from mark_i.config import ALWAYS_ON

Risk = Literal["look", "act", "write", "danger"]
RISKS: Final[dict[Risk, str]] = {
    "look": "changes nothing",
    "act": "uses the desktop",
    "write": "writes or changes data",
    "danger": "can do harm",
}
ASKED: Final = frozenset({"write", "danger"})  # what is tried only after a question


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """One tool.

    Attributes:
        first: the first sentence of its description.
        origin: the file or package that it comes from; empty where it is built in.
        desktop: whether it needs one.
        off: whether it is disabled in runs.
        fault: what is wrong with its file since it was read.
    """

    name: str
    risk: Risk
    first: str
    description: str
    seconds: float
    arguments: tuple[Argument, ...]
    schema: str
    origin: str = ""
    desktop: bool = False
    off: bool = False
    fault: str = ""

    @property
    def fixed(self) -> bool:
        """Whether it cannot be disabled."""
        return self.name in ALWAYS_ON

    @property
    def source(self) -> str:
        """Where it comes from, in a word or two."""
        file = self.origin.endswith(".py")
        return Path(self.origin).name if file else self.origin.partition(" ")[0] or "built in"

    def has(self, search: str) -> bool:
        """Whether name, risk, description or source have every word of a search."""
        words = f"{self.name} {self.risk} {self.description} {self.source}".casefold()
        return all(word in words for word in search.casefold().split())

    def same(self, other: "ToolEntry") -> bool:
        """Whether it differs at most by its switch and the state of its file."""
        return replace(self, off=other.off, fault=other.fault) == other


@dataclass(frozen=True, slots=True)
class Catalog:
    """Every tool, what is wrong with plugins, and the folder of the profile's own tools."""

    entries: tuple[ToolEntry, ...] = ()
    faults: tuple[str, ...] = ()
    folder: str = ""

    def entry(self, name: str | None) -> ToolEntry | None:
        """The tool of that name."""
        return next((one for one in self.entries if one.name == name), None)


def catalog_of(known: ProfileTools, off: Collection[str], folder: Path) -> Catalog:
    """List what is known now; file names in faults are relative to the folder."""
    origins = known.plugins.origins
    faults = {name: message.replace(f"{folder}/", "") for name, message in known.plugins.complaints.items()}
    entries = (
        replace(
            entry_of(tool),
            origin=(origin := origins.get(tool.name, "")),
            desktop=tool.name in known.desktop,
            off=tool.name in off,
            fault=faults.get(origin, ""),
        )
        for tool in known.toolbelt
    )
    return Catalog(tuple(entries), tuple(faults.values()), str(folder))


def entry_of(tool: Tool) -> ToolEntry:
    """List a tool as built in and enabled."""
    description = tool.description.strip()
    paragraph = " ".join(description.split("\n\n")[0].split())
    first = re.split(r"(?<=[.!?])\s", paragraph, maxsplit=1)[0]
    schema = json.dumps(tool.schema, indent=2, ensure_ascii=False)
    return ToolEntry(tool.name, tool.risk, first, description, tool.seconds, arguments_of(tool), schema)
