"""The end of a run: what counts as done, and in which words it is told."""

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mark_i.events import STRICT, Outcome, OutcomeName, Style
from mark_i.loop.evidence import Known, checked
from mark_i.loop.intents import only_about, wants_data, wants_deed
from mark_i.replies import parse
from toolbelt.tool import Ending
from world_model import Observation, Problem, ReplyError, Step, verbatim

NO_DATA: Final = "No observation holds data that could answer this."
FIGURE: Final = re.compile(r"\d+(?:[.,:/-]\d+)*")
INNER: Final = re.compile(r"(?<![.!?:;\"“(\n] )(?<!^)(?<!\n)\b[^\W\d_]\w+")  # words within a sentence
CITED: Final = re.compile(r"\b(?:observations?|steps?)\s+\d+(?:(?:,|\s+and)\s+\d+)*", re.IGNORECASE)


def shown(step: Step, known: Known, style: Style) -> Outcome | None:
    """The outcome where the goal was to be shown just what this step returned; it then goes to the person as it is."""
    seen = step.observation
    wanted = style != "summary" and bool(seen.text) and wants_data(known.goal)
    if not wanted or not known.looked(step):
        return None
    given = [value for value in step.action.args.values() if isinstance(value, str)]
    tool = step.action.tool.replace("_", " ")
    asked_for = all(value in known.goal or not re.search(r"\w", value) for value in given)
    if not asked_for or not only_about(known.goal, [tool, *given]):
        return None
    evidence = ({"observation": step.index, "confirmed": True},)
    return Outcome("done", seen.text, evidence, "verbatim", ({"step": step.index, "text": seen.text},), direct=True)


def premature(ending: Ending, known: Known) -> Observation | None:
    """What the agent is told where it calls done what nothing was done for."""
    if not ending.done or not _undone(known):
        return None
    hint = "Do it with a tool, or use fail and say why it cannot be done."
    return Observation(
        ok=False, text="", error=Problem("NO_CHANGE", "The goal asks for a deed, and nothing was done yet.", (hint,))
    )


def _undone(known: Known) -> bool:
    return wants_deed(known.goal) and not known.deeds()


def concluded(ending: Ending, known: Known, style: Style) -> Outcome:
    """How the run ended. Only what was seen to be true makes it `done`; a deed must have been done as well."""
    if not ending.done:
        return Outcome("failed", ending.summary, answer=ending.summary)
    strict = style in STRICT
    sources = tuple(_sources(ending.evidence, known, style)) if strict else ()
    summary = _joined(sources) if strict else ending.summary
    evidence = checked(ending.evidence, known, summary)
    confirmed = bool(evidence) and all(piece["confirmed"] for piece in evidence)
    doubtful = () if strict else tuple(unsupported(summary, known))
    if sources and not evidence:
        confirmed = True  # it says nothing but what was found
    done = confirmed and not _undone(known) and (not doubtful or wants_deed(known.goal))
    name: OutcomeName = "done" if done else "done_unverified"
    return Outcome(name, summary, tuple(evidence), style, sources, doubtful, ending.summary)


def best_so_far(known: Known, style: Style, limit: str, answer: str | None) -> Outcome:
    """The outcome at the last step: the best answer, in a strict style only what was found."""
    if style in STRICT:
        sources = tuple(_sources((), known, style))
        return Outcome("limit_steps", f"{limit}\n{_joined(sources)}", style=style, sources=sources)
    if answer is None:
        return Outcome("limit_steps", limit, style=style)
    doubtful = tuple(unsupported(answer, known))
    told = f"{limit} The best answer so far: {answer}"
    return Outcome("limit_steps", told, style=style, unsupported=doubtful, answer=answer)


def _joined(sources: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(one["text"] for one in sources) or NO_DATA


def last_answer(text: str) -> str:
    """The answer in a reply to the last question.

    Raises:
        ReplyError: there is none; an action is none.
    """
    if (answer := parse(text).answer) is None:
        raise ReplyError("The reply gives no answer.")
    return answer


def plain_words(text: str) -> str:
    """Words that were asked for as they are, also where a model put them into a reply's form.

    Raises:
        ReplyError: there are none.
    """
    words = text.strip()
    if words.startswith("{"):
        with contextlib.suppress(ReplyError):
            words = last_answer(words)
    if not words:
        raise ReplyError("The reply is empty.")
    return words


def unsupported(answer: str, known: Known) -> Iterator[str]:
    """The figures and names in an answer that no observation holds, nor the screen, nor the goal itself."""
    said = set(_facts(answer))
    if not said:
        return
    held = " ".join((known.goal, *(line.text for line in known.lines), *map(_told, known.worked())))
    facts = {*FIGURE.findall(held), *re.findall(r"\w+", held.casefold())}
    yield from sorted(fact for fact in said if fact not in facts and fact.casefold() not in facts)


def _facts(answer: str) -> Iterator[str]:
    """The figures and names; a word with a capital at the beginning of a sentence may be any word."""
    told = CITED.sub("", answer)
    yield from FIGURE.findall(told)
    yield from (word for word in INNER.findall(told) if word[0].isupper())


def _told(step: Step) -> str:
    seen = step.observation
    changes = (*seen.screen.appeared, *seen.screen.vanished) if seen.screen else ()
    return " ".join((seen.text, json.dumps(seen.data, ensure_ascii=False), *changes))


def _sources(evidence: Sequence[Any], known: Known, style: Style) -> Iterator[dict[str, Any]]:
    """What the answer is made of, each line with its step: the steps that were named, or all that found something."""
    named = {piece["observation"] for piece in evidence if isinstance(piece, Mapping) and "observation" in piece}
    steps = [step for step in known.worked() if known.found(step) and (not named or step.index in named)]
    for step in steps:
        seen = step.observation
        text = verbatim(seen.data) if style == "verbatim" and seen.data is not None else seen.text
        for line in [text] if style == "verbatim" else text.splitlines():
            if line.strip():
                yield {"step": step.index, "text": line}
