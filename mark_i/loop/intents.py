"""What a goal asks for: to be shown data, or that something is done. Decided by words, never by parts of words."""

import re
from collections.abc import Collection
from itertools import pairwise
from typing import Final


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


POLITE: Final = _set(
    "please can could would will you kindly now just i want need like to me us id help lets let try the a an my your"
)
SHOWING: Final = _set("list show see display read print get fetch retrieve")
ASKING: Final = _set("what which")
QUESTIONS: Final = ASKING | _set("who when where why how")
TELLING: Final = SHOWING | QUESTIONS | _set("tell say answer explain describe summarise summarize is")
OWNED: Final = _set("my our there have has open due left")  # "which files are there", "what tasks do I have"
FILLING: Final = _set("all any of in from at on do i we am are is that this there have has content contents text whole")
LEADING: Final = _set("in inside on with using from within after")  # "in Firefox, click Save"
QUOTED: Final = re.compile(r"[\"'`“«].+?[\"'`”»](?!\w)")
SENTENCES: Final = re.compile(r"[.;!?]\s+|,\s*(?:and\s+|then\s+)*|\b(?:and\s+then|then|and)\b|\n", re.IGNORECASE)
ADDRESS: Final = re.compile(r"\s*(?:[-*•]\s+|\d+[.)]\s+)?(?:[\w -]{1,20}:\s+)?")  # "- ", "2. ", "MARK-I: "
DEEDS: Final = _set(
    """accept activate add adjust append apply approve archive assign attach back book bring build buy cancel
    change check-in clean clear click close commit compose configure convert copy correct create crop
    cut deactivate decline decrease delete deny deploy disable dismiss download draft drag draw drop duplicate
    edit email empty enable encrypt ensure enter erase execute export extract fill fix focus follow format
    forward generate go grant hide import increase insert install invite join kill launch lock log lower
    mail make mark maximise maximize merge minimise minimize modify mount move mute navigate open order organise
    organize overwrite paint paste pause pay pin play post press produce publish put quit raise rearrange reboot
    reduce refresh refund register reject reload remove rename reopen repair replace reply reserve reset resize
    restart restore restrict resume revert rewrite rotate run save schedule scroll select send set
    share shut sign sort split start stop store submit subscribe swap switch sync tick tidy toggle touch
    transfer trash turn type uncheck undo unfollow uninstall unlock unmute unpack unsubscribe untick update
    upgrade upload use vote wipe withdraw write zip"""
)
VANISHING: Final = _set("delete remove erase trash uninstall")  # whose proof is that something is not there any more
REACHING: Final = _set("open go navigate use")  # on the way to an answer no deed of their own
MAKING: Final = _set("write make create compose draw draft generate produce")
INTO: Final = _set("to as into in named called")
LONG: Final = 3  # letters of a word of which another may be a form: save, saved
WORKS: Final = _set(
    "summary haiku poem story joke essay list sentence paragraph answer explanation overview translation"
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


def only_about(goal: str, known: Collection[str]) -> bool:
    """Whether the goal asks for nothing that is not in the known words: "the first line of x" is not just x."""
    asked = set(re.findall(r"[\w]+", goal.casefold())) - POLITE - SHOWING - ASKING - FILLING - {"please"}
    held = {word for text in known for word in re.findall(r"[\w]+", text.casefold())}
    return all(word in held or _singular(word) in {_singular(one) for one in held} for word in asked)


def wants_deed(goal: str) -> bool:
    """Whether the goal is that something is done: "create the file x", "open the editor and type hello"."""
    clauses = _clauses(goal)
    verbs = {words[0] for words in clauses}
    deeds = {words[0] for words in clauses if words[0] in DEEDS and not _is_told(words) and not _is_noun(words)}
    if goal.rstrip().endswith("?") and "you" not in re.findall(r"\w+", goal.casefold()):
        return False  # a question, as in "Type of the file x?"
    return bool(deeds - REACHING if verbs & TELLING else deeds)


def wants_answer(goal: str) -> bool:
    """Whether the goal is a question."""
    return goal.rstrip().endswith("?") or any(words[0] in QUESTIONS for words in _clauses(goal))


def wants_gone(goal: str) -> bool:
    """Whether the goal is that something is not there any more."""
    return any(words[0] in VANISHING for words in _clauses(goal))


def related(goal: str, texts: Collection[str]) -> bool:
    """Whether any of the texts speaks of something that the goal speaks of, in the same or nearly the same words."""
    asked = {word for word in re.findall(r"\w+", goal.casefold()) if word not in POLITE | FILLING | LEADING}
    said = {word for text in texts for word in re.findall(r"\w+", text.casefold())}
    return bool(asked & said) or any(
        min(len(one), len(other)) > LONG and (one.startswith(other) or other.startswith(one))
        for one in asked
        for other in said
    )


def _is_told(words: list[str]) -> bool:
    """Whether what is to be made are words to be told: "write a haiku", but not "write a haiku to poem.txt"."""
    told = words[0] == "convert" or (words[0] in MAKING and bool(WORKS & set(words[1:5])))
    placed = any(before in INTO and "." in word for before, word in pairwise(words))
    return told and not placed and not {"file", "editor", "quoted"} & set(words)


def _is_noun(words: list[str]) -> bool:
    """Whether it begins with a thing, as in "order of the planets"."""
    return words[1:2] == ["of"]


def _singular(word: str) -> str:
    return word.removesuffix("s")


def _clauses(goal: str) -> list[list[str]]:
    """The words of each clause; what is quoted counts as one word."""
    bare = re.sub(r"\bget rid of\b", "remove", QUOTED.sub("quoted", goal), flags=re.IGNORECASE)
    return [words for part in SENTENCES.split(bare) if (words := _words(ADDRESS.sub("", part, count=1)))]


def _words(part: str) -> list[str]:
    """The words of a clause from its verb on: what is only polite, or says where, is left out at the beginning."""
    words = re.findall(r"(?<![\w'.-])[\w'.-]*\w", part.casefold().replace("'d", "d").replace("'s", "s"))
    while words and words[0] in POLITE:
        del words[0]
    if words and words[0] in LEADING:
        place = next((index for index, word in enumerate(words[:5]) if word in DEEDS), 0)
        del words[:place]
    return words
