"""Modifier keys that are held while the mouse acts."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Annotated

from pydantic import AfterValidator, Field

from toolbelt.desktops.base import Desktop
from toolbelt.desktops.keysyms import MODIFIERS, parse_keys
from toolbelt.parameters import Held
from world_model import ToolFailure


def _modifiers(keys: str) -> str:
    if others := [name for name in parse_keys(keys) if name not in MODIFIERS]:
        raise ToolFailure("INVALID_ARGS", f"Only modifiers can be held: {', '.join(MODIFIERS)}; not {others[0]}.")
    return keys


Modifiers = Annotated[
    str, Held, AfterValidator(_modifiers), Field(description="Modifiers to hold, such as `ctrl+shift`.")
]


@contextmanager
def held(desktop: Desktop, keys: str | None) -> Iterator[None]:
    """Hold modifiers, such as `ctrl+shift`, and release them in reverse order whatever happens."""
    with ExitStack() as stack:
        for name in parse_keys(keys) if keys else ():
            desktop.key_down(name)
            stack.callback(desktop.key_up, name)
        yield
