"""Secrets: typed by their names, `{{secret:bank}}`, without any model seeing them; and never told or written."""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Final, TypeVar

from toolbelt.ocr import holds_alike
from toolbelt.parameters import Shown
from toolbelt.tool import Tool
from world_model import Action, Place, PlacedText, ToolFailure, message

T = TypeVar("T")
D = TypeVar("D", bound=Any)  # a dataclass
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
PLACE: Final = re.compile(rf"\{{\{{\s*secret:({NAME.pattern})\s*\}}\}}")
SHORTEST: Final = 4  # letters; what is shorter stands in other words too
MASK: Final = "[secret]"


@dataclass(frozen=True, slots=True)
class Secrets:
    """What one run may type and must not tell.

    Attributes:
        named: the person's secrets by their names.
        keys: those of models and services, which nobody types.
    """

    named: Mapping[str, str] = field(default_factory=dict, repr=False)
    keys: tuple[str, ...] = field(default=(), repr=False)

    @property
    def values(self) -> tuple[str, ...]:
        """All that must not be told."""
        return tuple(value for value in (*self.named.values(), *self.keys) if len(value) >= SHORTEST)

    def used(self, action: Action, tool: Tool | None) -> list[str]:
        """The secrets that an action types; the tool is None where there is none of that name any more."""
        return [self.named[name] for name in names_in(action, tool) if name in self.named]

    def filled(self, action: Action, tool: Tool) -> Action:
        """The action with its secrets in place; a question, an answer, and what is remembered, has their names alone.

        Raises:
            ToolFailure: there is no secret of that name.
        """
        names = names_in(action, tool)
        if not names:
            return action
        if missing := [name for name in names if name not in self.named]:
            known = ", ".join(sorted(self.named)) or "none"
            hints = [f"There are these secrets: {known}.", "Ask the user, or give up and say why."]
            raise ToolFailure("INVALID_ARGS", f"There is no secret named {missing[0]}.", hints)
        filled = _mapped(_fillable(action, tool), lambda text: PLACE.sub(lambda m: self.named[m[1]], text))
        return Action(action.tool, {**action.args, **filled})

    def redacted(self, value: T) -> T:
        """The same with every secret replaced by its name, also where a text was read a little wrong off the screen."""
        return _mapped(value, self._clean) if self.values else value

    def cleared(self, thing: D) -> D:
        """The same value with every secret in its texts replaced."""
        if not self.values:
            return thing
        return replace(thing, **{one.name: self._within(getattr(thing, one.name)) for one in fields(thing)})

    def _within(self, value: Any) -> Any:  # noqa: ANN401 - the fields of a dataclass
        return self.cleared(value) if is_dataclass(value) and not isinstance(value, type) else self.redacted(value)

    def _clean(self, text: str) -> str:
        names = {value: f"{{{{secret:{name}}}}}" for name, value in self.named.items()}
        for value in sorted(self.values, key=len, reverse=True):  # one may be a part of another
            text = _spelled(value).sub(names.get(value, MASK), text)
        if self._shows(text):
            text = "\n".join(self._masked(text.split("\n")))
        return text

    def _masked(self, lines: list[str]) -> list[str]:
        """The lines without those that show a secret, be it wrapped over several of them."""
        told = [MASK if self._shows(line) else line for line in lines]
        longest = 2 * max(map(len, self.values))  # what is read for one letter may be two
        for end in range(1, len(told)):
            for start in reversed(range(end)):
                if self._shows("\n".join(told[start : end + 1])):
                    told[start : end + 1] = [MASK] * (end + 1 - start)
                    break
                if len("".join(told[start:end])) > longest:
                    break
        return told

    def _shows(self, text: str) -> bool:
        return any(holds_alike(value, text) for value in self.values)


@functools.cache
def _spelled(value: str) -> re.Pattern[str]:
    """A text as it is, and as JSON or code writes it, also one within the other."""
    return re.compile("".join(map(_letter, value)))


def _letter(letter: str) -> str:
    if letter == "\\":
        return r"\\+"
    if letter.isascii():
        return rf"\\*{letter}" if letter in "\"'/" else re.escape(letter)
    pair = re.sub("(....)", r"\\\\+u\1", letter.encode("utf-16-be", "surrogatepass").hex())
    return rf"(?:{letter}|(?i:\\+[xu]0*{ord(letter):x}|{pair}))"


NO_SECRETS: Final = Secrets()


def names_in(action: Action, tool: Tool | None) -> list[str]:
    """The names of the secrets that are to be put into an action: none into what is shown or kept as it is."""
    return [match[1] for text in texts_in(_fillable(action, tool)) for match in PLACE.finditer(text)]


def _fillable(action: Action, tool: Tool | None) -> dict[str, Any]:
    return {name: value for name, value in action.args.items() if not tool or tool.role(name) is not Shown}


def texts_in(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON values have no narrower type
    """Every text in a value, those that name its parts too: `_mapped` changes them all."""
    if isinstance(value, str):
        yield value
    parts = (*value, *value.values()) if isinstance(value, Mapping) else value
    if isinstance(parts, list | tuple):
        for part in parts:
            yield from texts_in(part)


def _mapped(value: Any, change: Any) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    """The same value with every text in it changed."""
    if isinstance(value, PlacedText):
        return _mapped_parts(value, change)
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Place):
        return replace(value, name=change(value.name))
    if isinstance(value, Mapping):
        return {_mapped(key, change): _mapped(one, change) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_mapped(one, change) for one in value)
    return value


def _mapped_parts(text: PlacedText, change: Any) -> str:  # noqa: ANN401 - as above
    """A message with its parts changed; without its places where a change reaches over several parts."""
    whole: str = change(str(text))
    parts = message(*(_mapped(part, change) for part in text.parts))
    return parts if parts == whole else whole
