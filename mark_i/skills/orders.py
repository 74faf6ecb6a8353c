"""An order in plain words: "do the expense report for October" names a skill and the values of its parameters."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from mark_i.brains.offline.instructions import NotUnderstood, parse_instructions
from mark_i.skills.skill import PLACEHOLDER, Parameter, Skill, fault

VERB: Final = r"(?:(?:run|do|use|repeat|perform|execute|carry\s+out)\s+)"
CALLED: Final = rf"\s*(?:please\s+)?(?P<verb>{VERB})?(?:(?:the|my|an?)\s+)?(?:skill\s+)?"
AFTER: Final = r"(?:\s+skill)?(?:\s+again)?"
JOINS: Final = r"(?:with|for|using|where|to|of|in|on|at|from|about)"
QUOTED: Final = re.compile(r'"((?:[^"]|"")*)"|\u201c([^\u201d]*)\u201d')  # `""` within is a quotation mark
LEADING: Final = re.compile(  # to the name of a parameter: `, and with the `
    rf"\s*(?:[,;]\s*(?:and\b\s*)?|\band\b\s*)?(?:\b(?:{JOINS}|the)\b\s*)*\Z", re.IGNORECASE
)
BETWEEN: Final = re.compile(r"\s*(?:[,;]|\band\b)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ordered:
    """A skill that a goal names, and the values that it gives.

    Attributes:
        unclear: what of the goal is no value of any parameter, or of one that cannot be told.
    """

    skill: Skill
    folder: Path
    values: Mapping[str, str] = field(default_factory=dict)
    unclear: str = ""


def ordered(goal: str, skills: Sequence[tuple[Skill, Path]]) -> list[Ordered]:
    """Return the skills that a goal orders; several if it may mean any of them, and none if it means something else.

    A name after `run` or `do` is a skill's, even if it could be that of a program. Any other goal that is a plain
    instruction stays one.
    """
    known = parse_instructions(goal)
    is_plain = bool(known) and not any(isinstance(one, NotUnderstood) for one in known)
    for reading in (partial(_by_phrase, is_plain=is_plain), *(() if is_plain else (_by_sentence,))):
        if found := [one for skill, folder in skills for one in reading(goal, skill, folder)]:
            return found
    return []


def plain_name(name: str) -> str:
    """Return a name as words, so that `expense-report` and `Expense Report` are the same."""
    return " ".join(re.split(r"[\s_-]+", name.strip().casefold()))


def _by_phrase(goal: str, skill: Skill, folder: Path, *, is_plain: bool) -> Iterator[Ordered]:
    """Yield the skill if the goal has its name or its description, and then nothing but values."""
    phrases = [skill.name, *([] if PLACEHOLDER.search(skill.description) else [skill.description.strip(". ")])]
    for phrase in filter(None, phrases):
        words = r"[\s_-]+".join(map(re.escape, plain_name(phrase).split()))
        pattern = rf"{CALLED}[\"']?{words}[\"']?{AFTER}(?P<rest>\s*[:,]?\s+{JOINS}\b.*|\s*[:,]\s.*|\s*[.!]?\s*)"
        if (match := re.fullmatch(pattern, goal, re.IGNORECASE | re.DOTALL)) and (match["verb"] or not is_plain):
            yield _with_values(match["rest"], skill, folder)
            return


def _by_sentence(goal: str, skill: Skill, folder: Path) -> Iterator[Ordered]:
    """Yield the skill if the goal is its own or its description, with values in place of the parameters."""
    for sentence in (skill.goal, skill.description):
        if not (sentence and PLACEHOLDER.search(sentence)):
            continue
        match = re.fullmatch(_pattern(sentence), " ".join(goal.split()).rstrip(".! "), re.IGNORECASE)
        if match:
            yield Ordered(skill, folder, {name: _unquoted(value) for name, value in match.groupdict().items()})
            return


def _pattern(sentence: str) -> str:
    """Return what matches a sentence with any values in place of its placeholders; the same one twice is the same."""
    pattern, at, seen = "", 0, set[str]()
    text = " ".join(sentence.split()).rstrip(".! ")
    for one in PLACEHOLDER.finditer(text):
        pattern += re.escape(text[at : one.start()])
        if one[2]:  # the last part of a path
            pattern += ".+?"
        else:
            pattern += f"(?P={one[1]})" if one[1] in seen else f"(?P<{one[1]}>.+?)"
            seen.add(one[1])
        at = one.end()
    return rf"(?:please )?{VERB}?(?:the )?" + pattern + re.escape(text[at:])


def _with_values(rest: str, skill: Skill, folder: Path) -> Ordered:
    """Return the order of a skill, with the values in the rest of the goal: named ones, and one without a name."""
    rest = rest.removesuffix("!") if rest.strip() == "!" else rest
    masked = QUOTED.sub(lambda found: "\0" * len(found[0]), rest)
    names = "|".join(re.escape(one.name).replace("_", "[ _]") for one in skill.parameters) or r"(?!)"
    label = re.compile(rf"\b({names})\b\s*(?:[=:]|(?:is|as|to)\b)?\s*", re.IGNORECASE)
    labels = list(label.finditer(masked))
    values: dict[str, str] = {}
    labelled = [re.sub(r"\s", "_", one[1].casefold()) for one in labels]
    twice = next((name for name in labelled if labelled.count(name) > 1), "")
    unclear = f"{twice} is there twice: put quotation marks around the values." if twice else ""
    for at, (name, one) in enumerate(zip(labelled, labels, strict=True)):
        is_last = at + 1 == len(labels)
        given = rest[one.end() :] if is_last else _joined(rest[one.end() : labels[at + 1].start()])
        if _value(given) or QUOTED.search(given):  # a text may be empty
            values[name] = _value(given)
    alone = _value(_joined(rest[: labels[0].start()]) if labels else rest)
    if not alone:
        return Ordered(skill, folder, values, unclear)
    placed = _placed(alone, [one for one in skill.parameters if one.name not in values])
    return Ordered(skill, folder, placed | values, unclear or ("" if placed else f'"{alone}" can be several of them.'))


def _placed(alone: str, left: Sequence[Parameter]) -> dict[str, str]:
    """Return values without names by their parameters: the only one, or each of the only type that it fits."""
    if len(left) == 1:
        return {left[0].name: alone}
    found: dict[str, str] = {}
    for value in map(_unquoted, BETWEEN.split(alone)):
        fits = [one.name for one in left if one.type != "text" and not fault(one, value)]
        if len(fits) != 1 or fits[0] in found:
            return {}
        found[fits[0]] = value
    return found


def _joined(text: str) -> str:
    """Return what stands before the name of a parameter, without what joins it to that name."""
    return LEADING.sub("", text)


def _value(text: str) -> str:
    """Return a value without what leads to it, its quotation marks, and the full stop of the sentence."""
    text = re.sub(rf"\A[\s,:;]*(?:(?:and|{JOINS})\b\s*)*", "", text, flags=re.IGNORECASE).strip()
    return _unquoted(text if QUOTED.fullmatch(text) else text.removesuffix("."))


def _unquoted(text: str) -> str:
    match = QUOTED.fullmatch(text.strip())
    return text.strip() if match is None else (match[1] or match[2] or "").replace('""', '"')
