"""A message by which a run goes on, beside what else it says: "sorry, go on with it and save it"."""

from typing import Final

from mark_i.brains.offline.corrections import beginnings, lead_end, saves
from mark_i.brains.offline.instructions import Close, NotUnderstood, parse_instructions
from mark_i.control_words import control_word

AT_END: Final = "then "  # how what is done at the end begins


def resumed(text: str) -> str | None:
    """Return what a message says besides that the run goes on; None if it does not say that.

    What only saves or closes, and comes after that, is done at the end: "go on and save it" saves the whole text.
    """
    if control_word(text) == "resume":
        return ""
    found = (one for said in dict.fromkeys((text[lead_end(text) :], text)) for one in _beside(said))
    return next(found, None)


def _beside(text: str) -> list[str]:
    if control_word(text) == "resume":
        return [""]
    after = [_at_end(last) for first, last in beginnings(text) if control_word(first) == "resume"]
    return after or [first for first, last in beginnings(text) if control_word(last) == "resume"]


def _at_end(said: str) -> str:
    given = parse_instructions(said)
    saving = {one.text for one in given if not isinstance(one, NotUnderstood) and saves(one)}
    is_last = bool(given) and all(isinstance(one, Close) or one.text in saving for one in given)
    return f"{AT_END}{said.removeprefix(AT_END)}" if is_last else said
