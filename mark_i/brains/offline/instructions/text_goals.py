"""Find the words of a text in a goal that asks for one in a person's own way, as an example of how it is said here.

It is never carried out: "a list with ten films" gives no words, and nobody can tell it from a list that does.
"""

import re
from typing import Final

from mark_i.brains.offline.instructions.advice import ANY, quoted
from mark_i.brains.offline.instructions.dictation import LINES, lines_of
from mark_i.brains.offline.instructions.splitting import mask

_DET: Final = r"(?:(?:an?|the|my|our|your|this|that|these|those|some|new|short|little) )*"
_NEW: Final = r"(?:an?|my|our|some|new|another) "
_KIND: Final = (
    r"(?:note|memo|reminder|list|letter|message|e-?mail|text|file|document|agenda|plan|poem|invitation|card)s?"
)
_GIVEN: Final = (
    r"(?:make|create|prepare|take|leave|start|put together|add|i need|i want|we need|i'd like)(?: (?:me|us))?"
)
_WRITTEN: Final = r"(?:write|draft|compose)(?: (?:me|us|down|up|out))*"
_NOTED: Final = r"(?:(?:note|jot)(?: (?:me|us))? down|remind (?:me|us)(?: (?:to|that|about|of))?)"
_NAME: Final = r"[\w-]+\.(?:txt|text|md|rtf|odt|docx?|html?|csv|log)(?![\w.])"  # what holds a text
_SAID: Final = r"(?:with|of|that|which|saying|says?|containing|about|the (?:words?|text|items?|lines?|following))"

_POLITE: Final = re.compile(
    r"(?:(?:hello|hi|hey|please|kindly|(?:can|could|would|will) you|(?:i want|i'd like)(?: you)? to"
    r"|help me(?: to)?)[\s,!]+)*",
    re.IGNORECASE,
)
_EDITOR: Final = re.compile(
    r"(?:(?:open|start|launch|use|in) )?(?:an? |the |my )?(?:(?:text )?editor|notepad)\b[\s,:;.]*"
    r"(?:(?:and|then|to)\s+)*",
    re.IGNORECASE,
)
_SAVED: Final = re.compile(  # at the end: "..., save it as a.txt"
    r"[\s,;.?!)]+(?:(?:and|then) )*(?:please )?(?:(?:save|store)\b[^.\n]*?\s|file(?: ?name)?: ?)"
    rf"(?P<file>{_NAME})(?: please)?[\s.!]*\Z",
    re.IGNORECASE,
)
_WITHIN: Final = re.compile(  # "a list called a.txt", "in a.txt"
    rf"(?:\b(?:in|on|into|to|as|under) )?(?:{_DET}(?:[\w-]+ )?{_KIND} )?(?:(?:called|named) )?(?P<file>{_NAME})",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    rf"{_WRITTEN}\b|{_NOTED}\b|(?:{_GIVEN} )?{_NEW}(?:\S+ ){{0,2}}?{_KIND}\b|(?:[\w-]+ ){{0,2}}{_KIND}: ?"
    rf"|put .+ (?:on|in|into|onto) {_NEW}(?:\S+ )?{_KIND}\b|(?:save|put) \x02",
    re.IGNORECASE,
)
_HEAD: Final = re.compile(  # what stands before the words: "make me a shopping list for Monday with"
    rf"(?:(?:{_GIVEN}|{_WRITTEN}|{_NOTED}|put|save|type|enter)\b ?)?"
    rf"(?:{_DET}(?:\S+ ){{0,2}}?{_KIND}\b(?: (?:for|to) {_DET}[\w-]+(?= ?:| {_SAID}\b))?[ ,]*)?"
    rf"(?:{_SAID}(?:: ?| )|(?:[\w-]+ )?(?:things|items|points|lines)(?=:)|: ?)*",
    re.IGNORECASE,
)
_BY_LINE: Final = re.compile(
    r"[\s,;.]*\b(?:one|each)(?: one| item)? (?:per|on its own|on a|in a) (?:new )?line\b[\s,;.]*", re.IGNORECASE
)
_QUOTED: Final = re.compile("\x02\x03*")


def text_example(goal: str) -> str | None:
    """Return plain instructions that may be what a goal asks for; None if it asks for no text."""
    said = goal.strip(" \n?!")
    said = said[_POLITE.match(said).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    in_editor = _EDITOR.match(said)
    said = said[in_editor.end() :] if in_editor else said
    saved = _SAVED.search(mask(said))
    if not (saved or in_editor or _ASKS.match(mask(said))):
        return None
    is_list = LINES.search(said) is not None
    words = said
    if named := saved or _WITHIN.search(mask(said)):
        words = said[: named.start()] if saved else f"{said[: named.start()]} {said[named.end() :]}"
    lines = [one for one in _lines(words, is_list=is_list) if re.search(r"\w", one)]
    if not (lines or named or re.search(rf"\b{_KIND}\b", said, re.IGNORECASE)):
        return None
    typed = ", press enter, ".join(f"type {quoted(one)}" for one in lines)
    example = f"open the text editor, {typed}" if typed else ANY
    return f"{example}, then save it as {named['file']}" if named else example


def _lines(words: str, *, is_list: bool) -> list[str]:
    """Return the lines that are to be typed: what stands in quotes, or else what follows the words that ask for it."""
    if texts := [words[one.start() : one.end()] for one in _QUOTED.finditer(mask(words))]:
        return texts
    by_line = _BY_LINE.search(words)
    words = re.sub(r"[ \t]+", " ", _BY_LINE.sub(" ", words)).strip()
    head = _HEAD.match(words)
    words = words[head.end() :].strip(" ,;:.()\n") if head else words
    return lines_of(words) if by_line or is_list else words.split("\n")
