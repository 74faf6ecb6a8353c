"""The end of a run: what counts as done, and in which words it is told."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from mark_i.events import Outcome, Style
from mark_i.evidence import Known, checked
from mark_i.intents import SHOWING, subjects, wants_data, wants_deed
from mark_i.replies import parse
from toolbelt.tool import Ending
from world_model import Observation, Problem, ReplyError, Step, verbatim

LABELS: Final[Mapping[Style, str]] = {
    "default": "Conversational mode",
    "summary": "Conversational mode",
    "strict": "Strict data mode",
    "verbatim": "Strict data mode",
}
NO_DATA: Final = "No observation holds data that could answer this."
FIGURE: Final = re.compile(r"\d+(?:[.,:/-]\d+)*")
NAME: Final = re.compile(
    r"(?<![.!?:;\"“(\n] )(?<!^)(?<!\n)\b[^\W\d_a-z]\w+"
)  # capital letter, not at the start of a sentence


def shown(step: Step, known: Known, style: Style) -> Outcome | None:
    """The outcome where the goal was to be shown just what this step returned; it then goes to the person as it is."""
    seen = step.observation
    wanted = style != "summary" and wants_data(known.goal) and bool(seen.text)
    if not wanted or not known.looked(step):
        return None
    asked = subjects(known.goal)
    given = json.dumps(dict(step.action.args), ensure_ascii=False)
    named = [word for word in known.goal.split()[1:] if re.search(r"\w[./~\d]|\w[A-Z]", word)]
    strings = [value for value in step.action.args.values() if isinstance(value, str)]
    fits = (
        (bool(named) or bool(asked & set(step.action.tool.split("_")) - SHOWING))
        and all(word.strip("\"'.,?!") in given for word in named)
        and all(value in known.goal or not re.search(r"\w", value) for value in strings)
    )
    if not fits:
        return None
    evidence = ({"observation": step.index, "confirmed": True},)
    return Outcome("done", seen.text, evidence, "verbatim", ({"step": step.index, "text": seen.text},), direct=True)


def premature(ending: Ending, known: Known) -> Observation | None:
    """What the agent is told where it calls done what nothing was done for."""
    if not ending.done or not wants_deed(known.goal) or known.deeds():
        return None
    hint = "Do it with a tool, or use fail and say why it cannot be done."
    return Observation(
        ok=False, text="", error=Problem("NO_CHANGE", "The goal asks for a deed, and nothing was done yet.", (hint,))
    )


def concluded(ending: Ending, known: Known, style: Style) -> Outcome:
    """How the run ended. Only evidence that was seen to be true makes it `done`; a deed must have been done as well."""
    if not ending.done:
        return Outcome("failed", ending.summary, answer=ending.summary)
    evidence = checked(ending.evidence, known)
    confirmed = bool(evidence) and all(piece["confirmed"] for piece in evidence)
    done = confirmed and not premature(ending, known)
    sources = tuple(_sources(ending, known, style)) if style in {"strict", "verbatim"} else ()
    summary = (
        ending.summary if style in {"default", "summary"} else "\n".join(one["text"] for one in sources) or NO_DATA
    )
    return Outcome(
        "done" if done else "done_unverified",
        summary,
        tuple(evidence),
        style,
        sources,
        tuple(unsupported(summary, known)) if style in {"default", "summary"} else (),
        ending.summary,
    )


def last_answer(text: str) -> str:
    """The answer in a reply to the last question.

    Raises:
        ReplyError: there is none; an action is none.
    """
    action = parse(text).action
    if action.tool != "finish" or not action.args.get("summary"):
        raise ReplyError("The reply gives no answer.")
    return str(action.args["summary"])


def plain_words(text: str) -> str:
    """Words that were asked for as they are, also where a model put them into a reply's form.

    Raises:
        ReplyError: there are none.
    """
    words = text.strip()
    if words.startswith("{"):
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
    yield from FIGURE.findall(answer)
    yield from NAME.findall(answer)


def _told(step: Step) -> str:
    seen = step.observation
    changes = (*seen.screen.appeared, *seen.screen.vanished) if seen.screen else ()
    return " ".join((str(step.index), seen.text, json.dumps(seen.data, ensure_ascii=False), *changes))


def _sources(ending: Ending, known: Known, style: Style) -> Iterator[dict[str, Any]]:
    """What the answer is made of, each line with its step: the steps that were named, or all that only looked."""
    named = {piece["observation"] for piece in ending.evidence if isinstance(piece, Mapping) and "observation" in piece}
    steps = [step for step in known.worked() if (step.index in named if named else known.looked(step))]
    for step in steps:
        seen = step.observation
        text = verbatim(seen.data) if style == "verbatim" and seen.data is not None else seen.text
        for line in [text] if style == "verbatim" else text.splitlines():
            if line.strip():
                yield {"step": step.index, "text": line}
