"""Leave out a part of a line: one of the things that it enumerates, or the words that say when, where or with whom."""

import re
from collections.abc import Iterable
from typing import Final

from mark_i.brains.offline.corrections.meant import names
from mark_i.brains.offline.corrections.readings import bare
from mark_i.brains.offline.instructions.splitting import NO_TITLE

_LABELLED: Final = re.compile(
    r"(?:(?:the|my|our)\s+)?(?P<label>\w+(?:\s\w+)?)\s+(?:is|are|should\s+be|must\s+be)\s+(?=.+\bnot\b)", re.IGNORECASE
)
_JOINT: Final = re.compile(r",\s+(?:(?:and|or)\s+)?|\s+(?:and|or|&)\s+", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"\A(?:the|an?|some|my|our|and|also)\s+(?=\S)", re.IGNORECASE)
_DETERMINER: Final = re.compile(r"(?<!\w)(?:the|an?|some|my|our|your|his|her|their)\s+\Z", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"(?:i|we|you|he|she|it|they|there|that|let's|please)(?:'\w+)?\s", re.IGNORECASE)
_NAMED: Final = re.compile(r"[A-Z]\w*(?:\s+[A-Z]\w*)*|\d+(?:[:.]\d\d)?(?:\s?[ap]m)?")
_BEHIND: Final = r"(?<=\S)\s+(?:on|at|in|with|from|by|until)\s+{}(?=[.,;!?]?\Z|\s+(?:on|at|in|with|for|from|by|to)\b)"
_SENTENCE_END: Final = re.compile(rf"{NO_TITLE}(?<=[.!?])\s+")
_PLACE: Final = re.compile(r"(?:on|at|in|with|for|from|to|by|until|till|near|about)\s+\S", re.IGNORECASE)


def without_label(lines: Iterable[str], text: str) -> str:
    """Return a change without the label of a line that it names first: "Responsible is Tamara, not Thomas"."""
    if not (said := _LABELLED.match(text)):
        return text
    label = bare(said["label"]).casefold()
    found = [line for line in lines if line.casefold().startswith(f"{label}:")]
    return text[said.end() :] if len(found) == 1 else text


def without_part(line: str, what: str) -> str:
    """Return a line without a part of it; empty if the words name no such part."""
    said = bare(what)
    if _PLACE.match(said) and (found := re.search(rf"(?<=\S)\s+{re.escape(said)}(?!\w)", line, re.IGNORECASE)):
        return line[: found.start()] + line[found.end() :]
    if _NAMED.fullmatch(said) and (found := re.search(_BEHIND.format(re.escape(said)), line, re.IGNORECASE)):
        return line[: found.start()] + line[found.end() :]
    cuts = [*_JOINT.finditer(line)]
    if len(cuts) <= 1 and not any(re.search(r"\w|&", cut[0]) for cut in cuts):
        return ""  # "Kind regards, Ann" enumerates nothing
    starts, stops = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(line)]
    items = [line[start:stop] for start, stop in zip(starts, stops, strict=True)]
    if any(map(_CLAUSE.match, items[1:])):
        return ""  # "I have a cold and we meet at 7" says two things, and enumerates none
    for name in dict.fromkeys([said, _ARTICLE.sub("", said)]):
        found_at = [at for at in range(len(items)) if _around(items, at, name) is not None]
        if len(found_at) == 1:
            return _left(items, [cut[0] for cut in cuts], found_at[0], _around(items, found_at[0], name) or ("", ""))
    return ""


def without_sentence(line: str, what: str) -> str:
    """Return a line without its only sentence about what is named; empty if it has none, or no other sentence."""
    sentences = _SENTENCE_END.split(line)
    about = [one for one in sentences if names(what, one)]
    return " ".join(one for one in sentences if one is not about[0]) if len(about) == 1 < len(sentences) else ""


def without_words(line: str, words: str) -> str:
    """Return a line without the only place where some words stand in it; empty if there is none, or nothing else."""
    found = [*re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", line, re.IGNORECASE)]
    if len(found) != 1:
        return ""
    before, after = line[: found[0].start()].rstrip(), line[found[0].end() :].lstrip()
    return f"{before}{after}" if after[:1] in {*",.;:!?"} else f"{before} {after}".strip()


def _around(items: list[str], at: int, name: str) -> tuple[str, str] | None:
    """Return what stands before an item that is named, and after it: only the first and the last have any of that."""
    named = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", items[at], re.IGNORECASE)
    if named is None:
        return None
    before, after = items[at][: named.start()], items[at][named.end() :]
    if (before and at) or (after.strip(".!?") and at < len(items) - 1):
        return None
    return before, after


def _left(items: list[str], joints: list[str], at: int, around: tuple[str, str]) -> str:
    """Return the other items; the joint before the last one, which may be an "and", stays there."""
    before, after = around
    left = [*items[:at], *items[at + 1 :]]
    if not at and _ARTICLE.match(left[0]):
        before = _DETERMINER.sub("", before)  # of the first thing alone: "your laptop, a pen"
    left[0], left[-1] = before + left[0], left[-1] + after
    return "".join(part for pair in zip(left, [*joints[1:], ""], strict=True) for part in pair)
