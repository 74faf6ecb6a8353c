"""The brains that come with MARK-I, by name."""

import difflib
from typing import Final

from mark_i.brain import Brain
from world_model import UsageError

NAMES: Final = ("gemini", "offline", "scripted")
REMOTE: Final = ("gemini",)  # those that are reached over a network


def brain_named(name: str, *, base_url: str | None = None, key: str | None = None) -> Brain:
    """The brain for `offline`, `scripted:FILE`, `gemini` or `gemini:MODEL`.

    Raises:
        UsageError: there is no such brain; or a scripted file cannot be read.
        ModelError: a brain that needs a key has none.
    """
    kind, _, rest = name.partition(":")
    match kind:
        case "offline" if not rest:
            from mark_i.brains.offline import OfflineBrain  # noqa: PLC0415 - each brain loads only what it needs

            return OfflineBrain()
        case "scripted":
            from mark_i.brains.scripted import ScriptedBrain  # noqa: PLC0415

            return ScriptedBrain.from_file(rest)
        case "gemini":
            from mark_i.brains.gemini import GeminiBrain  # noqa: PLC0415 - the SDK takes a second to import

            return GeminiBrain(key=key, model=rest or None, base_url=base_url)
    if kind == "offline":
        raise UsageError(f"The offline brain has no models: write offline, not {name}.")
    near = difflib.get_close_matches(kind, NAMES, n=1, cutoff=0.4)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise UsageError(f"There is no brain named {kind!r}.{hint} There are gemini[:MODEL], offline and scripted:FILE.")
