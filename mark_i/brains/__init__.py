"""The brains that come with MARK-I, by name."""

import difflib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

from mark_i.brain import Brain
from mark_i.brains.access import Access
from mark_i.brains.providers import PROVIDERS as PROVIDERS, Provider as Provider
from world_model import UsageError

# Brains that are reached over a network, by name: the module, loaded on demand, and its function that makes one.
REMOTE: Final = {
    "gemini": ("gemini", "gemini"),
    "gemini-computer": ("gemini", "gemini_computer"),
    "gemini-legacy": ("gemini_legacy", "gemini_legacy"),
    "openai": ("openai", "openai"),
    "anthropic": ("anthropic", "anthropic"),
}
NAMES: Final = (*REMOTE, "offline", "scripted", "replay")
FORMS: Final = (
    "gemini[:MODEL], gemini-computer[:MODEL], gemini-legacy[:MODEL], openai[:MODEL], anthropic[:MODEL], offline, "
    "scripted:FILE, replay:RUN, and your own as module:Class"
)


def _no_runs(name: str) -> Path:
    raise UsageError(f"The run {name} cannot be looked up here.")


def brain_named(name: str, access: Access | None = None, find_run: Callable[[str], Path] = _no_runs) -> Brain:
    """Return the brain for a name such as `offline`, `scripted:FILE`, `gemini:MODEL` or `my_module:MyBrain`.

    Args:
        name: one of `FORMS`.
        access: how to reach models.
        find_run: returns the folder of a past run.

    Raises:
        UsageError: there is no such brain, its file cannot be read, or its SDK is not installed.
        ModelError: a brain that needs a key has none.
    """
    kind, colon, rest = name.partition(":")
    match kind:
        case "offline" if not rest:
            from mark_i.brains.offline.brain import OfflineBrain  # noqa: PLC0415 - each brain loads only what it needs

            return OfflineBrain()
        case "scripted":
            from mark_i.brains.scripted import ScriptedBrain  # noqa: PLC0415

            return ScriptedBrain.from_file(rest)
        case "replay":
            from mark_i.brains.replay import ReplayBrain  # noqa: PLC0415

            return ReplayBrain(find_run(rest))
        case _ if kind in REMOTE:
            module, function = REMOTE[kind]
            made: Brain = getattr(import_module(f"mark_i.brains.{module}"), function)(rest, access or Access())
            return made
    if kind == "offline":
        raise UsageError(f"The offline brain has no models: write offline, not {name}.")
    near = _near(kind)
    if colon and rest.isidentifier():
        from mark_i.brains.own import has_module, own_brain  # noqa: PLC0415

        if not near or has_module(kind):
            return own_brain(kind, rest)
    raise _unknown(kind)


def models_of(provider: str, access: Access) -> tuple[str, ...]:
    """Ask a service for the models that can be chosen; each is a MODEL in `provider:MODEL`.

    Args:
        provider: one of `REMOTE`.
        access: how to reach it; with an address, `openai` is whatever listens there.

    Raises:
        UsageError: its SDK is not installed.
        ModelError: there is no list; the message says why and what to do.
    """
    from mark_i.brains.remote import RemoteBrain  # noqa: PLC0415

    brain = brain_named(provider, access)
    if not isinstance(brain, RemoteBrain):
        raise UsageError(f"The brain {provider} has no models.")
    return brain.models()


def check_brain(name: str) -> None:
    """Check that the name may be that of a brain, without making one.

    Raises:
        UsageError: it is not.
    """
    kind, colon, _ = name.partition(":")
    if kind not in NAMES and not colon:
        raise _unknown(kind)


def _unknown(kind: str) -> UsageError:
    hint = f" Did you mean {near[0]}?" if (near := _near(kind)) else ""
    return UsageError(f"There is no brain named {kind!r}.{hint} There are {FORMS}.")


def _near(kind: str) -> list[str]:
    return difflib.get_close_matches(kind, NAMES, n=1, cutoff=0.6)
