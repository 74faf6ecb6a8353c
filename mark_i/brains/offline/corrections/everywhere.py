"""Put something else in the place of some words wherever they are typed: "Annika instead of Anna in both places"."""

import re

from mark_i.brains.offline.corrections.from_start import typed_at_end
from mark_i.brains.offline.corrections.meant import DONE_BEFORE
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.readings import bare
from mark_i.brains.offline.corrections.text_lines import is_text
from mark_i.brains.offline.corrections.wordings import ends, patterns
from mark_i.brains.offline.corrections.written import NOT_YET, rewrite
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.splitting import mask


def replace_everywhere(plan: Plan, text: str) -> bool:
    """Replace some words wherever they are typed, if a text asks for that.

    Raises:
        UnclearError: not all is typed yet, or not all lines are seen in one text.
    """
    tail = ends("everywhere", text)
    said = text[: tail.start()] if tail else ""
    match = next((found for one in patterns("replaced") if (found := one.fullmatch(mask(said)))), None)
    if not match:
        return False
    new, old = (bare(said[slice(*match.span(name))]) for name in ("new", "old"))
    was = typed_at_end(plan.every[: plan.done])
    words = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
    if not (first := words.search(was)):
        return False
    if any(map(is_text, plan.every[plan.done :])):
        raise UnclearError(NOT_YET)
    if not plan.is_whole and "\n" in was[first.start() :]:
        raise UnclearError(DONE_BEFORE)
    rewrite(plan, words.sub(lambda _: new, was).split("\n"), first.start())
    return True
