"""A message by which a run goes on, beside what else it says: "sorry, go on with it and save it"."""

from typing import Final

from mark_i.brains.offline.corrections import beginnings, is_text, lead_end, saved_in_passing, says_where
from mark_i.brains.offline.instructions import NotUnderstood, parse_instructions
from mark_i.control_words import control_word

AT_END: Final = "then "  # how what is done at the end begins


def resumed(text: str) -> str | None:
    """Return what a message says besides that the run goes on; None if it does not say that.

    What comes after that, and is not typed, is done at the end: "go on and save it" saves the whole text.
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
    plain = [one for one in given if not isinstance(one, NotUnderstood)]
    saving = saved_in_passing(plain)
    is_typed = any(is_text(one) and one.text not in saving for one in plain)
    return (
        said
        if len(plain) < len(given) or is_typed or any(map(says_where, plain))
        else f"{AT_END}{said.removeprefix(AT_END)}"
    )
