"""Words that ask for nothing but that a run stops, waits or goes on, in the most used languages."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final, Literal, get_args

ControlWord = Literal["stop", "pause", "resume"]
_REASON: Final = re.compile(
    r"(?:i|i'm|i'll|i've|let me|we|he|she|they|the|my|some(?:one|body)|that's|thats|that is|this is|there|ich|lass mich"
    r"|je|yo|io|eu|ik)\b",
    re.IGNORECASE,
)
# What tells that a clause says more than why: "I want to look" is a reason, "I want pears" is none.
_LOOKING: Final = r"to\s+(?:look|see|check|read|do|try|keep|know|go|think|answer)\b"
_WISH: Final = re.compile(
    rf"\b(?:wants?(?!\s+{_LOOKING})|wanted|prefer|rather|should|must|instead|ha(?:ve|s)\s+to(?!\s+(?:look|see|check|read|do|try|keep|know|go|think|answer)\b)"
    rf"|needs?(?!\s+(?:(?:it|them|that|this)\b|{_LOOKING}))|add|put|write|type|click|press|saved?|saving|change|make|call|name"
    r"|rename|skip|leave|replace|delete|remove|stop|wait|but)\b|[\x02-\x04]",
    re.IGNORECASE,
)
_MEANWHILE: Final = re.compile(
    r"\b(?:think|thinking|look|looking|see|check|checking|read|reading|decide|ask|asking|answer|find|talk|know|sure|busy"
    r"|back|phone|call|calling|door|time|moment|second|minute|nachdenken|überlegen|schauen|réfléchir|pensar|pensare)\b",
    re.IGNORECASE,
)
_NEEDLESS: Final = re.compile(r"\b(?:do|does|did|have|need)\s+not\b|\bdon'?t\s+need\b", re.IGNORECASE)
# Where a run is to go on, which is always where it stopped: "carry on where you left off", "finish the job".
_WHERE: Final = re.compile(
    r"\b(?:(?:from |right )*where (?:you|we|it|i) (?:\w+ )?(?:stopped|left (?:it )?off|left it|were|was)"
    r"|from there|what (?:you|we) (?:were doing|had begun|began|started)|what(?: is|'s| was) left"
    r"|(?:with )?(?:the|that|this|your|my)(?: rest of)?(?: the| that| this| my)? (?:rest|run|job|task|work))"
    r"(?:\W+(?:please|now|then|thanks))*\W*\Z",
    re.IGNORECASE,
)
_ENDING: Final = frozenset({"finish", "complete", "do"})  # which alone may mean anything
_CLAUSE: Final = re.compile(r"[,.;!]\s+|\s+(?:and|but|then)\s+", re.IGNORECASE)
KINDS: Final[tuple[ControlWord, ...]] = get_args(ControlWord)


def control_word(text: str) -> ControlWord | None:
    """Return what a text asks for, if it asks for nothing else."""
    clause, *rest = re.split(r"[,.;!\u2013\u2014-]+\s+", text.strip(), maxsplit=1)
    asked = control_word(rest[0]) if rest else None
    if asked == "resume" and control_word(clause):
        return asked  # "never mind, just go on"
    if rest and (_is_why(control_word(clause), rest[0]) or (asked and asked == control_word(clause))):
        text = clause  # "one moment, I need to look"
    if found := next((kind for kind in KINDS if not _forms(text).isdisjoint(_known()[kind])), None):
        return found
    where = _WHERE.search(text)
    return "resume" if where and not _forms(text[: where.start()]).isdisjoint(_known()["resume"] | _ENDING) else None


def _forms(text: str) -> set[str]:
    said = re.findall(r"\w+", text.casefold())
    return {"".join(said), "".join(word for word in said if word not in _known()["polite"])}


def _is_why(asked: ControlWord | None, clause: str) -> bool:
    """Return whether a clause says only why the run should stop, or what the person does while it waits.

    A run that stops loses nothing of what else was meant; one that waits would: "hold on, I meant margarine".
    """
    is_reason = _REASON.match(clause) is not None and not tells_wish(clause)
    return is_reason and (asked == "stop" or _MEANWHILE.search(clause) is not None)


def tells_wish(clause: str) -> bool:
    """Return whether a clause says what is to be done, and not only why."""
    return _WISH.search(_NEEDLESS.sub("don't", clause)) is not None


def goes_on(text: str) -> bool:
    """Return whether a text asks a run to go on, beside something else: "go on, but leave out the last line"."""
    clauses = [clause for clause in _CLAUSE.split(text) if _letters(clause) not in {"", *_known()["polite"]}]
    return bool(clauses) and "resume" in {control_word(clauses[0]), control_word(clauses[-1])}


@cache
def _known() -> dict[str, frozenset[str]]:
    data = tomllib.loads(files("mark_i").joinpath("control_words.toml").read_text(encoding="utf-8"))
    return {name: frozenset(map(_letters, texts)) for name, texts in data.items()}


def _letters(text: str) -> str:
    return "".join(re.findall(r"\w+", text.casefold()))
