"""JSON objects and calls in a model's text: strict JSON if it is valid, else what `grammar.lark` reads.

Nothing is completed. Text that breaks off, or cannot be read, is rejected as a whole, with everything inside it: it may
be part of a thought, or half of what was meant.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from lark import Lark, Token, Transformer, UnexpectedInput, v_args

from world_model import ReplyError

MAX_GRAMMAR_TOKENS: Final = 20_000  # of one reply; each takes the grammar 15 µs
MAX_DEPTH: Final = 100  # levels of brackets; deeper values cannot be stored everywhere
QUOTED_CHARS: Final = 30  # of the place that cannot be read

BROKEN_OFF: Final = "The reply breaks off before its last bracket, so nothing of it was used."
UNREADABLE: Final = "The reply cannot be read from {near!r} on, so nothing of it was used."
CLOSED_EARLY: Final = "The reply has a bracket too many before its end, so nothing of it was used."
TOO_LONG: Final = "The reply is not strict JSON, and too long to be read as anything else."
TOO_DEEP: Final = f"The reply has more than {MAX_DEPTH} levels of brackets."

# A brace opens an object only if a key and a colon follow, or its end; anything else is a {curly} word.
_OPENING: Final = re.compile(
    r"""\{\s*(?:(?://[^\n]{0,200}\n|/\*[^*]{0,200}\*/)\s*){0,5}
    (?:\} | (?:"(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | [“”„][^“”\n]*[“”]
    | [\u2018\u2019][^\u2018\u2019\n]*[\u2018\u2019] | [A-Za-z_$][\w$.-]*) \s* :)""",
    re.VERBOSE,
)
_CALL: Final = re.compile(r"[A-Za-z_$][\w$.-]*[ \t]*\(")
_CONTINUES: Final = re.compile(r"""\s*,\s*(?:"[^"\n]*"|'[^'\n]*')\s*:""")
_LINE_END: Final = re.compile(r"[ \t`*;.]*(?:(?:#|//)[^\n]*)?(?:\r?\n|\Z)")
_QUOTES: Final = ('"', "'", "“", "”", "„", "\u2018", "\u2019")
_ESCAPE: Final = re.compile(
    r"""\\(?P<json>["\\/bfnrt]|u[0-9a-fA-F]{4})
    | \\(?P<quote>['“”„\u2018\u2019])
    | \\(?P<code>x[0-9a-fA-F]{2}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})
    | (?P<alone>["\\])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Found:
    """An object and its position."""

    value: Mapping[str, Any]
    start: int
    end: int


class Source:
    """A text to search for objects and calls. How much of it the grammar reads is limited."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._budget = iter(range(MAX_GRAMMAR_TOKENS))

    def opening(self, start: int = 0) -> int | None:
        """Return where the first object opens, if any does."""
        found = _OPENING.search(self.text, start)
        return found.start() if found else None

    def object_at(self, start: int) -> Found:
        """Return the object that opens there.

        Raises:
            ReplyError: it cannot be read.
        """
        try:
            value, end = _STRICT.raw_decode(self.text, start)
        except (ValueError, RecursionError):
            value, end = self._loose(start, "object")
        if _depth(value) > MAX_DEPTH:
            raise ReplyError(TOO_DEEP)
        if _CONTINUES.match(self.text, end):
            raise ReplyError(CLOSED_EARLY)
        return Found(value, start, end)

    def call_at(self, start: int) -> tuple[str, Mapping[str, Any]] | None:
        """Return the name and the arguments of the call at a position; None if there is none.

        Raises:
            ReplyError: it cannot be read.
        """
        if not _CALL.match(self.text, start):
            return None
        (name, args), end = self._loose(start, "call")
        if not _LINE_END.match(self.text, end):
            raise ReplyError(UNREADABLE.format(near=self.text[end : end + QUOTED_CHARS]))
        return name, args

    def _loose(self, start: int, rule: str) -> tuple[Any, int]:
        """Return what the grammar reads up to the closing bracket, and the end of it."""
        parser = _parser().parse_interactive(self.text[start:], rule)
        depth = 0
        try:
            for token, _ in zip(parser.iter_parse(), self._budget, strict=False):
                depth += (token in {"{", "[", "("}) - (token in {"}", "]", ")"})
                if depth > MAX_DEPTH:
                    raise ReplyError(TOO_DEEP)
                if not depth and token in {"}", ")"}:
                    parser.feed_token(token)
                    found = parser.feed_eof()  # type: ignore[no-untyped-call]  # lark gives it no type
                    return found, start + (token.end_pos or 0)
        except UnexpectedInput as error:
            rest = self.text[start + (error.pos_in_stream or 0) :]
            unclosed = rest.startswith(_QUOTES) and rest[0] not in rest[1:]
            told = BROKEN_OFF if unclosed else UNREADABLE.format(near=rest[:QUOTED_CHARS])
            raise ReplyError(told) from error
        except ValueError as error:
            raise ReplyError(f"{error}.") from error
        raise ReplyError(TOO_LONG if next(self._budget, None) is None else BROKEN_OFF)


def object_in(text: str) -> Mapping[str, Any] | None:
    """Return the object that the whole text is; None if it is something else.

    Raises:
        ReplyError: it cannot be read.
    """
    source = Source(text.strip())
    if source.opening() != 0:
        return None
    found = source.object_at(0)
    return found.value if found.end == len(source.text) else None


def _finite(text: str) -> float:
    """Parse a number that JSON can represent; NaN, Infinity and 1e999 are not."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a number")
    return number


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object, and reject duplicate names: one of the two would be ignored."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ReplyError(f'The reply gives "{next(name for name in names if names.count(name) > 1)}" twice.')
    return found


_STRICT: Final = json.JSONDecoder(strict=False, parse_float=_finite, parse_constant=_finite, object_pairs_hook=_once)


def _depth(value: object) -> int:
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return depth


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Turns the grammar's tree into Python values; one method per rule."""

    def call(self, name: Token, *args: Any) -> tuple[str, Mapping[str, Any]]:  # noqa: ANN401 - an object, or pairs
        return str(name), args[0] if args and isinstance(args[0], dict) else _once(args)

    def object(self, *pairs: tuple[str, Any]) -> dict[str, Any]:
        return _once(pairs)

    def pair(self, name: str, value: Any) -> tuple[str, Any]:  # noqa: ANN401 - JSON values have no narrower type
        return str(name), value

    def array(self, *values: Any) -> list[Any]:  # noqa: ANN401 - as above
        return list(values)

    def string(self, token: Token) -> str:
        r"""An escape that JSON does not know stands for itself, as in Python: `C:\Program Files`, `\d`."""
        text: str = _STRICT.decode(f'"{_ESCAPE.sub(_as_json, token[1:-1])}"')
        return text

    def number(self, token: Token) -> float:
        return int(token) if token.lstrip("+-").isdigit() else _finite(token)

    def constant(self, token: Token) -> bool | None:
        return {"true": True, "false": False}.get(token.lower())


def _as_json(escape: re.Match[str]) -> str:
    if escape["code"]:
        return json.dumps(chr(int(escape["code"][1:], 16)))[1:-1]
    return escape["quote"] or (escape[0] if escape["json"] else "\\" + escape["alone"])


@cache
def _parser() -> Lark:
    grammar = files("mark_i.replies").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=["object", "call"], transformer=_Builder(), maybe_placeholders=False)
