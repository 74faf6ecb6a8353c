"""Roles: what an element of the screen is, in the words of ARIA."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Role: TypeAlias = Literal[
    "button",
    "checkbox",
    "radio",
    "switch",
    "textbox",
    "combobox",
    "listbox",
    "option",
    "link",
    "tab",
    "menuitem",
    "slider",
    "image",
    "text",
]

CHECKABLE: Final = frozenset[Role]({"checkbox", "radio", "switch"})
"""The roles of what can be ticked; pixels do not tell one from another."""

FIELDS: Final = frozenset[Role]({"textbox", "combobox"})
"""The roles of what holds a text."""

ROLE_OF_KIND: Final[Mapping[str, Role]] = MappingProxyType(
    {"field": "textbox", "box": "checkbox", "list": "combobox", "icon": "image", "button": "button", "link": "link"}
)
"""The roles of the `kind` that targets and lists of marks had before; older runs and scripts still say it."""
