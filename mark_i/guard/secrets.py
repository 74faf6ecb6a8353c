"""Secrets: typed by name, `{{secret:bank}}`, so that no model sees them, and redacted wherever they are written."""

import functools
import itertools
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Final, TypeVar

from mark_i.guard.one_time_codes import OneTimeCode
from toolbelt.ocr import encoded, holds_any_alike, nested, spaced, spelled, split_over
from toolbelt.parameters import Shown
from toolbelt.tool import Tool
from world_model import Action, Place, PlacedText, ToolFailure, message

T = TypeVar("T")
D = TypeVar("D", bound=Any)  # a dataclass
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
SECRET, TOTP = "secret", "totp"  # the kinds
PLACE: Final = re.compile(rf"\{{\{{\s*({SECRET}|{TOTP}):({NAME.pattern})\s*\}}\}}")
SHORTEST_CHARS: Final = 4  # a shorter secret would match inside other words
MASK: Final = "[secret]"
CACHED_MAX_CHARS: Final = 4000  # a journal repeats most of its texts at each step
LINE: Final = re.compile(r"[^\n]+")
QUOTED: Final = re.compile(r'(?<=")[^"\n]+(?=")')  # as the lines of a screen are listed, each with its place


@dataclass(frozen=True, slots=True, eq=False)  # by identity they are keys of a cache
class Secrets:
    """The secrets of one run.

    Attributes:
        named: the person's secrets by name, which the agent may type.
        keys: API keys of models and services, which nobody types.
        codes: the person's keys for one-time codes by name; the agent may type the codes.
    """

    named: Mapping[str, str] = field(default_factory=dict, repr=False)
    keys: tuple[str, ...] = field(default=(), repr=False)
    codes: Mapping[str, OneTimeCode] = field(default_factory=dict, repr=False)

    @property
    def values(self) -> tuple[str, ...]:
        """Return every text that must be redacted; one-time codes that are made later come to them."""
        made = (text for code in self.codes.values() for text in code.texts)
        return tuple(value for value in (*self.named.values(), *made, *self.keys) if len(value) >= SHORTEST_CHARS)

    @property
    def placeholders(self) -> tuple[str, ...]:
        """Return what the agent may write for each secret and each one-time code."""
        return (*map(_secret, self.named), *map(_totp, self.codes))

    def used(self, action: Action, tool: Tool | None) -> list[str]:
        """Return the secrets that an action has typed; the tool is None if it no longer exists."""
        found = _places_in(action, tool)
        secrets = [self.named[name] for kind, name in found if kind == SECRET and name in self.named]
        codes = (self.codes[name].made[-1:] for kind, name in found if kind == TOTP and name in self.codes)
        return [*secrets, *itertools.chain.from_iterable(codes)]

    def filled(self, action: Action, tool: Tool, wait: Callable[[float], None] = time.sleep) -> Action:
        """Return the action with its secrets filled in, except into arguments that are `Shown`.

        Args:
            action: what is to be done.
            tool: does it.
            wait: waits for the next one-time code, if the present one is about to expire.

        Raises:
            ToolFailure: there is no secret with that name.
        """
        found = _places_in(action, tool)
        if not found:
            return action
        for kind, name in found:
            self._check(kind, name)
        texts = {(SECRET, name): value for name, value in self.named.items()}
        texts |= {(kind, name): self.codes[name].make(wait) for kind, name in dict.fromkeys(found) if kind == TOTP}
        filled = _mapped(_fillable(action, tool), lambda text: PLACE.sub(lambda m: texts[m[1], m[2]], text))
        return Action(action.tool, {**action.args, **filled})

    def _check(self, kind: str, name: str) -> None:
        called, known = ("secret", [*self.named]) if kind == SECRET else ("one-time code", [*self.codes])
        if name not in known:
            hints = [
                f"The {called}s are: {', '.join(sorted(known)) or 'none'}.",
                "Ask the user, or give up and say why.",
            ]
            raise ToolFailure("INVALID_ARGS", f"There is no {called} named {name}.", hints)

    def redacted(self, value: T) -> T:
        """Return the value with every secret replaced by its name, even if OCR misread it a little."""
        if not self.values:
            return value
        clean: T = _mapped(value, self._clean)
        texts: list[str] = []  # a secret may be split over several, such as the lines that a tool lists

        def noted(text: str) -> str:
            texts.append(text)
            return text

        _mapped(clean, noted)
        if not (split := self._split_over(texts)):
            return clean
        at = itertools.count()
        masked: T = _mapped(clean, lambda text: MASK if next(at) in split else text)
        return masked

    def cleared(self, thing: D) -> D:
        """Return the dataclass with every secret in its texts replaced."""
        if not self.values:
            return thing
        return replace(thing, **{one.name: self._within(getattr(thing, one.name)) for one in fields(thing)})

    def _within(self, value: Any) -> Any:  # noqa: ANN401 - the fields of a dataclass
        return self.cleared(value) if is_dataclass(value) and not isinstance(value, type) else self.redacted(value)

    def _clean(self, text: str) -> str:
        return _clean_line(self, self.values, text) if len(text) <= CACHED_MAX_CHARS else self.clean(text)

    def clean(self, text: str) -> str:
        """Return a text with every secret in it replaced."""
        names = {value: _secret(name) for name, value in self.named.items()}
        names |= {value: _totp(name) for name, code in self.codes.items() for value in code.texts}
        for value in sorted(self.values, key=len, reverse=True):  # one secret may contain another
            name = names.get(value, MASK)
            for form in (spelled(value), encoded(value), spaced(value)):
                text = form.sub(name, text)
            for core in filter(text.__contains__, nested(value)):  # each with the ends of its groups
                text = re.sub(rf"[^\s\"',]{{0,4}}{re.escape(core)}[^\s\"',]{{0,4}}", name, text)
        if self._shows(text):
            text = "\n".join(self._masked(text.split("\n")))
        for pieces in (LINE, QUOTED):
            found = list(pieces.finditer(text))
            for at in sorted(self._split_over([one[0] for one in found]), reverse=True):
                text = text[: found[at].start()] + MASK + text[found[at].end() :]
        return text

    def _split_over(self, texts: Sequence[str]) -> set[int]:
        """Return which of the texts show a secret in parts."""
        return set().union(*(split_over(value, texts) for value in self.values)) if len(texts) > 1 else set()

    def _masked(self, lines: list[str]) -> list[str]:
        """Mask the lines that show a secret, even one that wraps over several lines."""
        told = [MASK if self._shows(line) else line for line in lines]
        longest = 2 * max(map(len, self.values))  # OCR may read one letter as two
        for end in range(1, len(told)):
            for start in reversed(range(end)):
                if self._shows("\n".join(told[start : end + 1])):
                    told[start : end + 1] = [MASK] * (end + 1 - start)
                    break
                if len("".join(told[start:end])) > longest:
                    break
        return told

    def _shows(self, text: str) -> bool:
        return holds_any_alike(self.values, text)


NO_SECRETS: Final = Secrets()


@functools.lru_cache(maxsize=1024)
def _clean_line(secrets: Secrets, _values: tuple[str, ...], text: str) -> str:
    return secrets.clean(text)  # of its values there are more once a one-time code was made


def _secret(name: str) -> str:
    return f"{{{{{SECRET}:{name}}}}}"


def _totp(name: str) -> str:
    return f"{{{{{TOTP}:{name}}}}}"


def names_in(action: Action, tool: Tool | None) -> list[str]:
    """Return the names of the secrets and one-time codes to fill into an action."""
    return [name for _, name in _places_in(action, tool)]


def _places_in(action: Action, tool: Tool | None) -> list[tuple[str, str]]:
    """Return the kind and the name of each: none is filled into arguments that are `Shown`."""
    return [(match[1], match[2]) for text in texts_in(_fillable(action, tool)) for match in PLACE.finditer(text)]


def _fillable(action: Action, tool: Tool | None) -> dict[str, Any]:
    return {name: value for name, value in action.args.items() if not tool or tool.role(name) is not Shown}


def texts_in(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON values have no narrower type
    """Yield every text in a value, including the keys of mappings, which `_mapped` changes too."""
    if isinstance(value, str):
        yield value
    parts = (*value, *value.values()) if isinstance(value, Mapping) else value
    if isinstance(parts, list | tuple):
        for part in parts:
            yield from texts_in(part)


def _mapped(value: Any, change: Any) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    """Return the value with every text in it changed."""
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
