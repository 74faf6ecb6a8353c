"""Private files: those that hold keys, passwords, sessions or what was typed, whatever folder may be used."""

import re
from collections.abc import Iterable
from fnmatch import translate
from functools import cache
from pathlib import Path, PurePath
from typing import Final

# What programs append to the name of a copy that they keep
_COPY: Final = re.compile(r"(?:~|\.(?:bak|old|orig|save|sw[op]))+$")
# Where a name may end in a text
_SEPARATORS: Final = re.compile(r"[\s\"'`<>|*?;,()\[\]{}=]+")
_FILE: Final = re.compile(r"[./\\_]")  # a bare word, such as "cookies", is rather a word than a file


def is_private(path: PurePath | str) -> bool:
    """Whether a path names a private file or something in a private folder."""
    names = [_COPY.sub("", name.casefold()) or name for name in re.split(r"[/\\]+", str(path)) if name]
    private, harmless = _patterns()
    inside = "/".join(names)
    if names and harmless.fullmatch(names[-1]) and not private.search(f"/{'/'.join(names[:-1])}/"):
        return False
    return private.search(f"/{inside}/") is not None


def private_paths(text: str) -> list[str]:
    """Return the names and paths of private files in a text."""
    words = (word.rstrip(".:!") for word in _SEPARATORS.split(text) if _FILE.search(word))
    return list(dict.fromkeys(word for word in words if is_private(word)))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what matches a private part of a path between slashes, and what the exceptions match."""
    lines = Path(__file__).with_name("private_files.txt").read_text(encoding="utf-8").splitlines()
    patterns = [line.strip().casefold() for line in lines if line.strip() and not line.startswith("#")]
    private = _joined(one for one in patterns if not one.startswith("!"))
    return re.compile(f"/(?:{private})/"), re.compile(_joined(one[1:] for one in patterns if one.startswith("!")))


def _joined(patterns: Iterable[str]) -> str:
    return "|".join("/".join(map(_part, pattern.split("/"))) for pattern in patterns)


def _part(glob: str) -> str:
    """Return a glob for one name as an expression."""
    expression = translate(glob)  # (?s:...)\Z
    return expression.removeprefix("(?s:").removesuffix(r")\Z").replace(".*", "[^/]*")
