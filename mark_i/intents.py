"""What a goal asks for: to be shown data, or that something is done. Decided by words, never by parts of words."""

import re
from typing import Final


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


POLITE: Final = _set("please can could would will you kindly now just i want need like to me id us the a an my")
SHOWING: Final = _set("list show see display read print get fetch retrieve")
ASKING: Final = _set("what which")
OWNED: Final = _set("my our there have has open due left")  # "which files are there", "what tasks do I have"
QUOTED: Final = re.compile(r"[\"'`“«].+?[\"'`”»](?!\w)")
SENTENCES: Final = re.compile(r"[.;!?]\s+|,\s*(?:and\s+|then\s+)*|\b(?:and\s+then|then|and)\b", re.IGNORECASE)
DEEDS: Final = _set(
    """add append archive attach begin book build buy cancel change check-in clear click close commit compose convert
    copy create cut delete deploy disable download drag draw drop edit empty enable enter execute export extract fill
    focus format import insert install join launch log maximise maximize merge minimise minimize modify move open
    order paint paste pay pin play post press print-out publish put quit register remove rename replace reply reset
    resize restart restore run save schedule scroll select send set share sign start stop store submit subscribe switch
    tick toggle turn type uninstall unpack untick update upload use write zip"""
)


def wants_data(goal: str) -> bool:
    """Whether the goal is to be shown something and no more: "list my tasks", "show me the file notes.txt"."""
    clauses = _clauses(goal)
    if len(clauses) != 1:
        return False
    [words] = clauses
    if words[0] in ASKING:
        return len(words) > 1 and words[1] not in {"is", "are", "was", "were"} and bool(OWNED & set(words))
    return words[0] in SHOWING and len(words) > 1


def wants_deed(goal: str) -> bool:
    """Whether the goal is that something is done: "create the file x", "open the editor and type hello"."""
    return any(words[0] in DEEDS for words in _clauses(goal))


def subjects(goal: str) -> set[str]:
    """The words of a goal, each also without the `s` of a plural."""
    words = re.findall(r"\w+", goal.casefold())
    return {*words, *(word.removesuffix("s") for word in words)}


def _clauses(goal: str) -> list[list[str]]:
    """The words of each clause; what is quoted counts as one word."""
    return [words for part in SENTENCES.split(QUOTED.sub("quoted", goal)) if (words := _words(part))]


def _words(part: str) -> list[str]:
    """The words of a clause from its verb on: what is only polite is left out at the beginning."""
    words = re.findall(r"[\w'-]+", part.casefold().replace("'d", "d"))
    while words and words[0] in POLITE:
        del words[0]
    return words
