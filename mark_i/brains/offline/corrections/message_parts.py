"""Take a message apart: a change, or several in order, and the reasons that people give for them."""

import re
from collections.abc import Iterator
from typing import Final

from mark_i.brains.offline.corrections.wordings import begins, ends, fits, lead_end
from mark_i.brains.offline.instructions.splitting import NO_TITLE, VERB, mask
from mark_i.control_words import control_word, tells_wish

_SUBJECT: Final = (
    r"i|i'm|im|i'll|ill|i'd|we'll|he'll|she'll|they'll|i've|ive|we|we're|we've|he|he's|she|she's|they|they're|theyre"
    r"|it's|its|that's|thats|there's|theres|nobody|otherwise"
)
_SAVE: Final = re.compile(r"save(?: (?:it|that|this|as)\b|\Z)", re.IGNORECASE)
_CUT: Final = re.compile(
    rf"""\s*{NO_TITLE}[.;!?]+\s+
    | \s*,\s+(?:(?:and|but)\s+)? | \s+[\u2013\u2014-]+\s+ | \s*:\s+
    | \s+(?:and|but|so)\s+ | \s+(?:please|pls),?\s+
    | \s+(?=(?:because|since|cause|cos|cuz|coz|otherwise|so\s+nothing|or\s+(?:else|it|you|we)
        |before\s+i\s+forget)(?:\s|\Z))
    | \s+(?=(?:{_SUBJECT})\s)""",
    re.VERBOSE | re.IGNORECASE,
)
_SINCE: Final = re.compile(
    r"(?:because|since|as|cause|cos|cuz|coz|otherwise|so that|so nothing|or (?:else|it|you|we)|before\s+i\s+forget)"
    r"(?:\s|\Z)",
    re.IGNORECASE,
)
_OF_SOMEBODY: Final = re.compile(
    rf"(?:{_SUBJECT}|you|youre|there|found|forgot|just|already|remembered|\w+\s+(?=was|has|had|says|said))\s",
    re.IGNORECASE,
)
_OF_SOMETHING: Final = re.compile(
    r"(?:it|this|that|my|our|his|her|their|the)\s.*\b(?:is|are|was|were|isn't|has|have|had|hasn't|can't|cannot|can|will|won't|does|doesn't"
    r"|did|didn't|keeps?|takes?|comes?|coming|hates?|loves?|likes?|looks?|looked|works?|runs?|called|came|went|said|says|gets?|got|goes)\b",
    re.IGNORECASE,
)
# "It is Thursday" may be what is to be written.
_NEWS: Final = re.compile(
    r"(?:it's|its|it\s+is|that's|thats|that\s+is)\s+(?!(?:too|so|only|just|very|not|enough|wrong|fine|ok|okay|a\s+mistake|more|really|way|late|better|my\s+mistake)\b)",
    re.IGNORECASE,
)
_KNOWN: Final = re.compile(
    r"(?:it's|its|it\s+is|that's|thats|that\s+is)\s+(?:an?|the|my|his|her|our|going|on|in|at|already)\b", re.IGNORECASE
)
_TOO_MUCH: Final = re.compile(
    r"before i forget.*|[\w ]+ (?:is|are) (?:way |far |much )?too (?:long|much|short|many|late|early)", re.IGNORECASE
)
_OF_NAME: Final = re.compile(
    r"[A-Z][a-z]+\s+(?:is|was|has|had|can't|cannot|isn't|(?:did|does|could|will|would) not)\s+(?!better)[\w' ]+\Z"
)
_SENTENCE: Final = re.compile(r"[.;!?]\s")
PARTS_MAX: Final = 8
_COURTESY: Final = re.compile(r"[\s,.;!]+(?:please|pls|plz|thanks|thx|thank you|for me)\W*\Z", re.IGNORECASE)
_AFTER_COLON: Final = re.compile(
    r"(?P<order>[^:\x02-\x04]*\b(?:add|put|insert|write|type|append)\s+(?:an?|another|one\s+more|the|at|to|on|in)\s[^:\x02-\x04]*):\s*"
    r"(?P<text>[^:\x02-\x04]+)",
    re.IGNORECASE,
)


def with_quotes(text: str) -> str:
    """Return a text in which what is to be written after a colon is quoted if its end could be said by the way.

    In "add a line: see you all there", the last word belongs to the line.
    """
    said = _AFTER_COLON.fullmatch(_COURTESY.sub("", mask(text)).rstrip(" .,"))
    if not said or orders_more(said["text"]) or not ends("spoken_tail", said["text"]):
        return text
    return f'{said["order"]}: "{said["text"]}"'


def is_reason(text: str, *, is_last: bool = False) -> bool:
    """Return whether a part of a message only says why; `is_last` if it comes after a change."""
    masked = mask(text[lead_end(text) :]).strip(" .!")
    if _SENTENCE.search(masked) or control_word(text) == "stop":
        return False
    if _TOO_MUCH.fullmatch(masked) or _OF_NAME.match(text.strip()):
        return True
    if (not is_last and re.search(r"\d", masked)) or tells_wish(masked) or VERB.match(masked):
        return False
    if _SINCE.match(masked):
        return True
    is_told = _OF_SOMEBODY.match(masked + " ") or _OF_SOMETHING.match(masked)
    return bool(is_told and ((is_last and _KNOWN.match(masked)) or not _NEWS.match(masked)))


def is_order(text: str) -> bool:
    """Return whether a part of a message that is not understood asks for something by itself.

    Else it may be the rest of the part beside it, which is then not what the person means: "change tea to tea | milk".
    """
    masked = mask(text[lead_end(text) :])
    return bool(begins("last_lead", masked) or VERB.match(masked) or tells_wish(masked) or _is_change(text))


def _is_change(text: str) -> bool:
    return any(fits(kind, text) for kind in ("left_out", "replaced", "not_old", "added"))


def orders_more(text: str) -> bool:
    """Return whether something is to be changed or saved after the words that a text begins with.

    Other verbs may be a part of it: "call me, and bring Tom".
    """
    return any(_is_change(part) or _SAVE.match(part) for part in _CUT.split(mask(text))[1:])


def begins_anew(text: str) -> bool:
    """Return whether a part of a message says that all is to begin anew."""
    starts = [0, *(cut.end() for cut in _CUT.finditer(mask(text)))]
    return any(begins("anew", text[start:][lead_end(text[start:]) :]) for start in starts)


def beginnings(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text as a beginning and a rest, the longest beginning first."""
    cuts = [*_CUT.finditer(mask(text))][:PARTS_MAX]
    for cut in reversed(cuts):
        if text[: cut.start()].strip() and text[cut.end() :].strip():
            yield text[: cut.start()].strip(), text[cut.end() :].strip()
