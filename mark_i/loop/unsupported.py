"""The figures and names in an answer that nothing on the screen and no observation holds."""

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mark_i.loop.answer_objections import rows
from mark_i.loop.facts import RunFacts
from mark_i.loop.text_objections import as_mapping
from world_model import Step

_FIGURE: Final = re.compile(r"\d+(?:[.,:/-]\d+)*")
_INNER_WORD: Final = re.compile(r"(?<![.!?:;\"“(\n] )(?<!^)(?<!\n)\b[^\W\d_]\w+")  # words within a sentence
_WORD: Final = re.compile(
    r"[\w-]*[^\W\d]-?\d[\w-]*|\d[\w-]*[^\W\d][\w-]*"
)  # of letters and digits; no part of it counts
_CITATION: Final = re.compile(r"\b(?:observations?|steps?)\s+\d+(?:(?:,|\s+and)\s+\d+)*", re.IGNORECASE)


def unsupported(answer: str, known: RunFacts) -> Iterator[str]:
    """The figures and names in an answer that no observation holds, nor the screen, nor the goal itself."""
    held = _held(known)
    said = set(_facts(_WORD.sub(lambda word: "x" if word[0] in held else word[0], answer)))
    facts = {*_FIGURE.findall(held), *re.findall(r"\w+", held.casefold())} if said else set()
    yield from sorted(fact for fact in said if fact not in facts and fact.casefold() not in facts)


def unsupported_in(result: Any, known: RunFacts) -> list[str]:  # noqa: ANN401 - JSON
    """Return the figures and names in a result that are nowhere; `1234.5` stands on a screen as `1,234.50`."""
    values = list(_values(result))
    texts = "\n".join(value for value in values if isinstance(value, str))
    held = {number for figure in _FIGURE.findall(_held(known)) for number in _numbers(figure)}
    numbers = (value for value in values if not isinstance(value, str))
    return [*unsupported(texts, known), *(str(value) for value in numbers if abs(value) not in held)]


def _values(result: Any) -> Iterator[str | float]:  # noqa: ANN401 - JSON
    """Yield the texts and numbers in a result."""
    if isinstance(result, Mapping):
        result = list(result.values())
    if isinstance(result, list):
        for one in result:
            yield from _values(one)
    elif isinstance(result, str | int | float) and not isinstance(result, bool):
        yield result


def _numbers(figure: str) -> Iterator[float]:
    """Yield what a figure may mean: a comma or a dot in it groups digits or begins a fraction."""
    for text in (figure, figure.replace(",", ""), figure.replace(".", "").replace(",", "."), figure.replace(",", ".")):
        with contextlib.suppress(ValueError):
            yield float(text)


def _held(known: RunFacts) -> str:
    """Return all that the goal, the screen and the observations hold."""
    return " ".join((known.goal, *(line.text for line in known.lines), *map(_told, known.worked())))


def counts(evidence: Sequence[Any], known: RunFacts) -> set[str]:
    """Return how many things the evidence lists: the pieces that are whole rows, and the words of each such row."""
    whole = {_plain(row) for row in (*rows(known.lines), *(line.text for line in known.lines))}
    listed = [text for text in (_plain(str(as_mapping(piece).get("text", ""))) for piece in evidence) if text in whole]
    return {str(len(listed)), *(str(len(text.split())) for text in listed)}


def _plain(row: str) -> str:
    """Return a row without the sign of a list before it, and with single spaces."""
    return " ".join(re.sub(r"^\W+", "", row).split())


def _facts(answer: str) -> Iterator[str]:
    """The figures and names; a word with a capital at the beginning of a sentence may be any word."""
    told = _CITATION.sub("", answer)
    yield from _FIGURE.findall(told)
    yield from (word for word in _INNER_WORD.findall(told) if word[0].isupper())


def _told(step: Step) -> str:
    seen = step.observation
    changes = (*seen.screen.appeared, *seen.screen.vanished) if seen.screen else ()
    return " ".join((seen.text, json.dumps(seen.data, ensure_ascii=False), *changes))
