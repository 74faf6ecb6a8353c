"""Print the table of docs/licences.md: the licence of each package that MARK-I needs, from the packages' own metadata.

Run it where everything is installed: .venv/bin/python scripts/licences.py
"""

import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT: Final = "mark-i"
DECLARED: Final[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
)["project"]
EXTRAS: Final = tuple(name for name in DECLARED["optional-dependencies"] if name not in {"all", "dev"})
HEADER: Final = "| package | licence | needed by |\n|---|---|---|"
# What a classifier says at length, by its SPDX name.
CLASSIFIERS: Final = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "GNU General Public License v2 or later (GPLv2+)": "GPL-2.0-or-later",
    "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
    "GNU Lesser General Public License v2 or later (LGPLv2+)": "LGPL-2.1-or-later",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 1.1 (MPL 1.1)": "MPL-1.1",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
# What authors write into the field, by its SPDX name.
WRITTEN: Final = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "BSD 3-Clause OR Apache-2.0": "BSD-3-Clause OR Apache-2.0",
    "GPLv2": "GPL-2.0-only",
    "GPLv3+": "GPL-3.0-or-later",
    "BSD 3-Clause License": "BSD-3-Clause",
    "MIT License": "MIT",
}
LONGEST: Final = 60  # characters; a longer field is the whole text of a licence
UNTOLD: Final = "untold"


def table() -> dict[str, tuple[str, str]]:
    """Map each package to its licence and to the parts of MARK-I that need it."""
    parts: dict[str, list[str]] = {}
    for part in ("", *EXTRAS):
        for name in needed(part):
            parts.setdefault(name, []).append(part or "a plain install")
    return {name: (licence(distribution(name)), _shortest(parts[name])) for name in sorted(parts)}


def needed(extra: str) -> set[str]:
    """Return what a plain install brings, directly or not, or what an extra brings beyond it."""
    found = _closure(f"{PROJECT}[{extra}]" if extra else PROJECT)
    return found - needed("") if extra else found


def elsewhere() -> set[str]:
    """Return the packages that some requirement names only for another system or another Python."""
    names = {*needed(""), PROJECT}.union(*map(needed, EXTRAS))
    requirements = (Requirement(line) for name in names for line in _lines(name))
    return {canonicalize_name(one.name) for one in requirements if one.marker and "extra" not in str(one.marker)}


def _lines(name: str, extra: str = "") -> list[str]:
    """Return what a package requires; of this project, what pyproject.toml says today."""
    if name != PROJECT:
        return distribution(name).requires or []
    lines: list[str] = DECLARED["optional-dependencies"][extra] if extra else DECLARED["dependencies"]
    return lines


def licence(package: Distribution) -> str:
    """Return the licence that a package's metadata declares, by its SPDX name where there is one."""
    metadata = package.metadata
    if "License-Expression" in metadata:
        return str(metadata["License-Expression"])
    classifiers = [one.rpartition(" :: ")[2] for one in metadata.get_all("Classifier") or () if "License ::" in one]
    named = [CLASSIFIERS.get(one, one) for one in classifiers if one != "OSI Approved"]
    if named:
        return " OR ".join(named)
    written = " ".join(" ".join(metadata.get_all("License") or ()).split())
    return WRITTEN.get(written, written) if 0 < len(written) <= LONGEST else UNTOLD


def _closure(requirement: str) -> set[str]:
    """Return the names of everything that a requirement brings on this system, without itself."""
    seen: set[tuple[str, str]] = set()
    waiting = [(canonicalize_name(one.name), extra) for one in [Requirement(requirement)] for extra in _extras(one)]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        waiting += [(canonicalize_name(one.name), wanted) for one in _required(name, extra) for wanted in _extras(one)]
    return {name for name, _ in seen} - {PROJECT}


def _extras(requirement: Requirement) -> list[str]:
    return ["", *sorted(requirement.extras)]


def _required(name: str, extra: str) -> Iterator[Requirement]:
    for line in _lines(name, extra):
        one = Requirement(line)
        if one.marker is None or one.marker.evaluate({"extra": extra}):
            yield one


def _shortest(parts: list[str]) -> str:
    return parts[0] if parts[0] == "a plain install" else ", ".join(parts)


def rendered() -> str:
    """Return the table as it stands in docs/licences.md."""
    rows = (f"| {name} | {licence} | {parts} |" for name, (licence, parts) in table().items())
    return "\n".join((HEADER, *rows))


if __name__ == "__main__":
    print(rendered())
