"""Split a goal into instructions: mask quotes, and find the verbs and the separators."""

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from mark_i.brains.offline.instructions.keys import KEYS, MODIFIERS

VERBS: Final = {
    **dict.fromkeys(["open", "open up", "start", "start up", "launch", "run"], "open"),
    **dict.fromkeys(["click", "left click", "tap", "focus", "expand", "collapse"], "click"),
    **dict.fromkeys(["select", "choose", "pick"], "select"),
    **dict.fromkeys(["tick", "turn on", "switch on", "enable"], "tick"),
    **dict.fromkeys(["untick", "uncheck", "turn off", "switch off", "disable"], "untick"),
    "drag": "drag",
    **dict.fromkeys(["when", "once", "as soon as"], "when"),
    **dict.fromkeys(["double click", "doubleclick"], "double click"),
    **dict.fromkeys(["right click", "rightclick"], "right click"),
    **dict.fromkeys(["type", "write"], "type"),
    "enter": "enter",
    **dict.fromkeys(["fill", "fill in", "fill out"], "fill"),
    "put": "put",
    "set": "set",
    **dict.fromkeys(["press", "hit"], "press"),
    "scroll": "scroll",
    "wait": "wait",
    **dict.fromkeys(["check", "verify", "make sure", "confirm", "ensure"], "check"),
    **dict.fromkeys(["tell me", "what is", "what's", "how much is"], "tell"),
    **dict.fromkeys(["close", "quit", "exit"], "close"),
}
_ANY_VERB = "|".join(verb.replace(" ", r"[\s-]+") for verb in sorted(VERBS, key=len, reverse=True))
NO_TITLE: Final = r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)"  # whose dot ends no sentence
VERB: Final = re.compile(rf"(?P<verb>{_ANY_VERB})(?![\w'-]):?\s*", re.IGNORECASE)

# What else a person may order after "and", a deed with its object: a piece of its own, though perhaps not understood.
_DEED: Final = re.compile(
    r"""(?:(?:copy|cut|paste|save|undo|submit)(?=\s*(?:\Z|[.,;!?]|(?:and|then|when)\s))
    |(?:add|ask|book|buy|calculate|change|compose|compute|copy|count|create|cut|delete|describe|do|download|draft|draw|edit
    |email|empty|execute|explain|fetch|find|format|forward|get|give|go|increase|insert|install|let|list|locate|log|look|make
    |mark|move|navigate|order|paste|play|print|read|remove|rename|replace|reply|search|send|share|show|sort|summari[sz]e|tell
    |translate|undo|update|upload|use|visit|watch|work)
    \s+(?:it|this|that|them|the|an?|my|me|your|all|everything|to|for|with|out|back|what|how|[\x02\d(])
    |save\s+(?:it|this|that|the|as|my|under|everything)|compute\s|calculate\s|go\s+(?:to|back)\s|visit\s)""",
    re.VERBOSE,
)
_LATER_DEED: Final = re.compile(r"[a-z'-]+(?:[ \t]+\S|\s*\Z)|\d")  # after the name of an application, any word


def kind_of_verb(verb: re.Match[str]) -> str:
    """Return the kind of instruction that a match of `VERB` asks for."""
    return VERBS[re.sub(r"[\s-]+", " ", verb["verb"].lower())]


def near_verbs(word: str, cutoff: float) -> list[str]:
    """Return the verb that a word resembles, if any."""
    named = [verb for verb, kind in VERBS.items() if kind not in {"when", "tell"}]  # frequent words resemble them
    return get_close_matches(word.lower(), named, n=1, cutoff=cutoff)


# Quoted text is masked by the same number of characters that nobody types. The rest can be searched for separators and
# keywords, and every position stays the same as in the goal. The grammar uses the first two.
QUOTE, QUOTED, UNCLOSED = "\x02", "\x03", "\x04"
_BLANK: Final = str.maketrans(dict.fromkeys((QUOTE, QUOTED, UNCLOSED), " "))
_QUOTATION: Final = re.compile(
    r"""(?<![\d+])"[^"]*"   # not after a digit: 15" is a size
    | “[^”]*” | „[^“]*“ | «[^»]*»
    | (?<![\w+])`[^`]*`
    | (?<![\w+])'(?:[^']|'(?=\w))*'  # not inside a word: don't, O'Brien
    | (?<!\w)\u2018(?:[^\u2019]|\u2019(?=\w))*\u2019
    | (?P<unclosed>(?:(?<![\d+])"|[“„«]|(?<![\w+])[`'\u2018]).*)""",
    re.VERBOSE | re.DOTALL,
)
# "1. open X 2. click Y" on one line; in "click item 2. Click OK" the number belongs to the name.
_ITEM_WITHIN_LINE: Final = re.compile(rf"(?<=[ \t])(\d{{1,2}})\.(?=[ \t]+(?:{_ANY_VERB})\b)", re.IGNORECASE)


@lru_cache(maxsize=1024)
def mask(goal: str) -> str:
    """Mask quoted texts, and write a list within one line as 1) 2) 3)."""

    def cover(match: re.Match[str]) -> str:
        length = len(match[0])
        return UNCLOSED * length if match["unclosed"] else QUOTE + QUOTED * (length - 1)

    masked = _QUOTATION.sub(cover, goal.translate(_BLANK)).replace("\u2019", "'")
    return _ITEM_WITHIN_LINE.sub(r"\1)", masked) if re.match(r"\s*1\.\s", masked) else masked


# The start of a line in a list, numbered or not: "1. ", "2) ", "Step 3: ", "- ", "* [ ] ".
_ITEM: Final = r"(?:(?:[-*•+\u2013\u2014]|\(?\d{1,3}[.)]|step\s+\d{1,3}[.:)])[ \t]+(?:\[[ xX]?\][ \t]+)?)"
_SEPARATOR: Final = re.compile(
    rf"""\A\s*{_ITEM} | (?:(?<=\s)and[ \t]*)?[\r\n]\s*{_ITEM}?
    | (?<!\.)\.(?=\s|\Z)                                      # not in report.txt, nor the dots of "Save As..."
    | ;(?=\s|\Z) | \?(?=\s+\S)
    | ,(?=\s|\Z)(?!(?<=\d,)\s*-?\d+(?![\d.)]*\)\s))(?!\s*y\s*[=:])  # not in 512, 300 nor in x=512, y=300
    | (?<![\w-])(?:(?:and\s+)?(?:then|after\s+that|afterwards)|and\s+(?:finally|lastly))(?![\w-])
    | (?<=[a-z])\s+(?=(?:hit|press|click)\s+submit\b)
    | (?<![\w-])to\s+(?:find|locate)\s+and(?=\s+(?:click|tap|select|press)\b)
    | (?<=\s)\(?\d{{1,2}}\)[ \t]+(?=(?:{_ANY_VERB})\b)         # a list within one line: 1) open X 2) click Y
    | (?P<perhaps>(?<![\w-])and(?=\s)|[,;](?=\S))""",
    re.VERBOSE | re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"""(?:[\s,:]*(?:please|kindly|now|next|then|also|and|just|so|finally|afterwards|after\s+that|let'?s|try\s+to
    |(?:first|second|third|last)(?:ly)?|(?:you|we|i)\s+(?:should|must|can|have\s+to|need\s+to|want\s+(?:you\s+)?to)
    |(?:can|could|would|will)\s+you|i(?:\s+would|'d)\s+like\s+(?:you\s+)?to|go\s+ahead
    |(?:find|locate)\s+and(?=\s+(?:click|tap|select|press))|(?:hello|hi|hey)(?=\s*[,!]?\s+\w)(?!\s*[,!]?\s+(?:there|everyone|mark))
    |help\s+me(?:\s+to)?(?=\s+\w)
    |do\s+(?:this|the\s+following)(?=\s*:)|(?:the\s+)?steps(?:\s+are)?(?=\s*:))(?![\w'-])){0,9}[\s,:!?]*""",
    re.VERBOSE | re.IGNORECASE,
)


def pieces(masked: str) -> list[tuple[int, int]]:
    """Return where each instruction starts and ends, without its lead-in ("and now please")."""
    found: list[tuple[int, int]] = []
    for start, end in _parts(masked):
        if found and _goes_on(masked, found[-1], start, end):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _goes_on(masked: str, before: tuple[int, int], start: int, end: int) -> bool:
    """Return whether a part is one more name in a list to select, or says that what is saved replaces a file.

    For example "select Milk, Bread and Close", and "save it as a.txt, and replace the old one".
    """
    if _SAVES.match(masked, *before) and _REPLACES.fullmatch(masked, start, end):
        return True
    verb = VERB.match(masked, *before)
    if verb and kind_of_verb(verb) == "click" and SIGNS.fullmatch(masked, verb.end(), before[1]):
        return bool(SIGNS.fullmatch(masked, start, end))  # click 7, + and 8
    if not (verb and kind_of_verb(verb) in LISTING and _COMMA.fullmatch(masked, before[1], start)):
        return False
    if _DEED.match(masked, start, end):
        return False
    own = VERB.match(masked, start, end)
    word = _LOWER_WORD.match(masked, start, end)
    return own.end() == end if own else not (word and near_verbs(word[1], 0.8))


def _parts(masked: str) -> Iterator[tuple[int, int]]:
    cuts: list[tuple[int, int]] = []
    for match in _SEPARATOR.finditer(masked):
        verb = VERB.match(masked, _past_lead(masked, cuts[-1][1] if cuts else 0, match.start()))
        opens = verb is not None and kind_of_verb(verb) == "open"
        if not match["perhaps"] or _cuts(masked, match, opens=opens and match[0].lower() == "and"):
            cuts.append(match.span())
    starts, stops = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(masked)]
    leads_in, any_piece = "", False
    for start, stop in zip(starts, stops, strict=True):
        end = start + len(masked[start:stop].rstrip())
        begin = _past_lead(masked, start, end)
        if begin < end:
            yield begin, end
            leads_in, any_piece = "", True
        else:
            leads_in = masked[start:end].strip(" ,:!?").lower()
    # "Next, click OK" begins with a lead-in; a final "Next" may be an instruction, so it is kept. "Please" is dropped.
    if leads_in not in {"", "please"} or not any_piece:
        lost = masked[starts[-1] if any_piece else 0 :].lstrip()
        if lost:
            yield len(masked) - len(lost), len(masked.rstrip())


def _past_lead(masked: str, start: int, end: int) -> int:
    lead = _LEAD.match(masked, start, end)
    return lead.end() if lead else start


LISTING: Final = frozenset({"select", "tick", "untick"})
SIGNS: Final = re.compile(r"(?:\d|[^\w\s\x02\x03\x04]{1,2})(?:\s*(?:,|\sand\s)\s*(?:\d|[^\w\s\x02\x03\x04]{1,2}))*")
_SAVES: Final = re.compile(r"save\b", re.IGNORECASE)
_REPLACES: Final = re.compile(  # as `replace` in phrases.toml
    r"""(?:replac(?:e|ing)|overwrit(?:e|ing))
    (?:\s+(?:it|that|this|what(?:\s+is|'s)\s+there
        |(?:the|any)\s+(?:(?:old|existing|previous|other|earlier)\s+)?(?:one|file|version|copy)))?
    (?:\s+(?:if|when)\s+(?:needed|necessary|(?:it|that|one|there)(?:\s+\w+){1,3}))?""",
    re.VERBOSE | re.IGNORECASE,
)
_COMMA: Final = re.compile(r"\s*,\s*(?:and\s+)?", re.IGNORECASE)
_SEARCH: Final = re.compile(r"(?:find|locate)\s*\Z", re.IGNORECASE)
_LOWER_WORD: Final = re.compile(r"([a-z'-]+)[ \t]+\S")
_LAST_WORD: Final = re.compile(r"\S+\s*\Z")
_PREDICATE: Final = re.compile(
    r"(?:is|are|isn't|appears?|disappears?|shows\s+up|vanishes|goes\s+away|to\s+(?:dis)?appear)\b"
)
_NAME_ENDS: Final = re.compile(r"\Z|[,;>\r\n]|\.(?!\S)|(?:and|then|into|button|menu|item|tab|link|icon|field|window)\b")


def _cuts(masked: str, separator: re.Match[str], *, opens: bool) -> bool:
    """Return whether an "and", or a comma without a space, ends an instruction; otherwise it is in a name or a text.

    Args:
        masked: the goal.
        separator: what may end an instruction.
        opens: whether that instruction opens an application.
    """
    if _SEARCH.search(masked, max(0, separator.start() - 10), separator.start()):
        return False  # find and click Save
    start = _past_lead(masked, separator.end(), len(masked))
    verb = VERB.match(masked, start)
    if not verb and (_DEED.match(masked, start) or (opens and _LATER_DEED.match(masked, start))):
        return True
    if not verb:
        # A misspelt or negated verb must not become a part of the text before it.
        word = _LOWER_WORD.match(masked, start)
        return bool(word and (word[1] == "don't" or near_verbs(word[1], 0.8)))
    before = _LAST_WORD.search(masked, max(0, separator.start() - 40), separator.start())
    last = before[0].strip() if before else ""
    if KEYS.get(last.lower().rpartition("+")[2]) in MODIFIERS and verb["verb"].lower() in KEYS:
        return False  # press Ctrl and Enter
    if _PREDICATE.match(masked, verb.end()):
        return False  # wait until Save and Close appears
    capitals = last[:1].isupper() and verb["verb"][:1].isupper()
    return not (capitals and _NAME_ENDS.match(masked, verb.end()))  # click Save and Close
