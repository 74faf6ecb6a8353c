"""What a piece of evidence is worth."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a piece of evidence is worth.

    Attributes:
        proves: whether it proves that the goal is reached, by itself.
        wrong: whether it is not true, or shows that the goal is not reached: no other piece makes up for it.
        reason: why it proves nothing.
        idle: whether that says nothing of the goal, so that a person has no use for it.
    """

    proves: bool
    wrong: bool = False
    reason: str = ""
    idle: bool = False


PROVES: Final = Verdict(proves=True)


def doubtful(reason: str) -> Verdict:
    """Judge a piece that may be true and proves nothing; other pieces may."""
    return Verdict(proves=False, reason=reason)


def idle(reason: str) -> Verdict:
    """Judge a piece that is true and has nothing to do with the goal; other pieces may."""
    return Verdict(proves=False, reason=reason, idle=True)


def false(reason: str) -> Verdict:
    """Judge a piece that is not true."""
    return Verdict(proves=False, wrong=True, reason=reason)


def worse(one: Verdict, other: Verdict) -> Verdict:
    """Return the worse of two verdicts on one piece."""
    return min(one, other, key=lambda verdict: (not verdict.wrong, verdict.proves))
