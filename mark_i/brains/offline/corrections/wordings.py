"""How people say that what is left to do should change: the patterns of `wordings.toml`, beside quoted texts."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from mark_i.brains.offline.instructions.phrases import compiled
from mark_i.brains.offline.instructions.splitting import mask


@cache
def patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns of a kind of change."""
    parts, changes = _table()
    return tuple(compiled(phrase, parts) for phrase in changes[name])


@cache
def _table() -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the parts, of which some are in others, and the phrases of each kind."""
    source = files("mark_i.brains.offline.corrections").joinpath("wordings.toml").read_text(encoding="utf-8")
    table = tomllib.loads(source)
    plain = table["parts"]
    return {name: re.sub(r"\{([a-z]\w*)\}", lambda part: plain[part[1]], one) for name, one in plain.items()}, table[
        "changes"
    ]


def fits(name: str, text: str) -> dict[str, str] | None:
    """Return the parts that a text names, if it is as a whole that kind of change; None if it is not."""
    return next(all_fits(name, text), None)


def all_fits(name: str, text: str) -> Iterator[dict[str, str]]:
    """Yield the parts that a text names, for each way in which it is as a whole that kind of change."""
    for pattern in patterns(name):
        if match := pattern.fullmatch(mask(text)):
            yield {part: text[slice(*match.span(part))].strip() for part, one in match.groupdict().items() if one}


def other_file(text: str) -> str:
    """Return the name that is given for a file, in answer to the question whether another is replaced; else nothing."""
    said = without_tails(text[lead_end(text) :])
    named = fits("elsewhere", said) or fits("renamed", said)
    if named:
        return named["new"].strip("\"'")
    files = _FILE.findall(text)
    return files[0] if len(files) == 1 else ""


def is_unsaved(text: str) -> bool:
    """Return whether a text says that nothing is to be saved; a "no" alone does, too, where a name is asked for."""
    said = without_tails(text)
    return (
        fits("unsaved", said[lead_end(said) :]) is not None
        or re.fullmatch(r"\W*(?:no(?:pe)?|cancel)\W*", text, re.IGNORECASE) is not None
    )


def begins(name: str, text: str) -> re.Match[str] | None:
    """Return where a text begins with a pattern."""
    return patterns(name)[0].match(mask(text))


def ends(name: str, text: str) -> re.Match[str] | None:
    """Return where a text ends with a pattern."""
    return patterns(name)[0].search(mask(text))


_FILE: Final = re.compile(r"(?<![\w.])[\w./~-]*\w\.[A-Za-z]\w{0,4}(?!\w)")  # a name with its ending
_PLACE_FIRST: Final = re.compile(
    r"(?P<line>\b(?:add|put|insert|write|type|append)(?: (?:an?|another|one more) (?:new )?line)?),? "
    r"(?P<place>(?:at|on|in|to) (?:the )?(?:very )?(?:top|bottom|end|beginning|start)|below)(?:,? (?=\w)|(?=:))"
    r"(?:(?P<says>that says|which says|saying|reading|that reads|with):?|(?<=\w):) (?P<text>[^\"]+?|\"[^\"]*\")\Z",
    re.IGNORECASE,
)
_LINE_BESIDE: Final = re.compile(  # "add a line after the greeting: ..."
    r"\b(?:add|put|insert|write|type) (?:an?|another|one more|the) (?:new )?(?:line|sentence|item|entry),? "
    r"(?P<place>(?:right |just |directly )?(?:before|after|above|below|under|underneath) [^:\"]+?)"
    r"(?::| (?:saying|(?:that|which) (?:says|reads)|reading):?) (?P<text>[^\"]+?|\"[^\"]*\")\Z",
    re.IGNORECASE,
)
_POSTSCRIPT: Final = re.compile(
    r"\A(?:(?:and|also|please|add|write|put|include)\s+)*(?:an?\s+|the\s+)?(?:p\.?\s?s\.?|postscript)(?=[\s:])"
    r"(?:\s+(?:at the (?:very )?end|saying|that says))*:?\s+(?!(?:about|with|for|on)\b)",
    re.IGNORECASE,
)
_ADDED_LINE: Final = re.compile(r"(?P<line>\b(?:add|append) (?:an?|another|one more) (?:new )?line): ?", re.IGNORECASE)
_NOTED: Final = re.compile(r"\b(?:note|jot|write) down(?: that)?: ?", re.IGNORECASE)
_A_LINE: Final = re.compile(  # "put a line Feed the fish above the plants"
    r"\b(?P<verb>put|write|type|insert) (?:an?|the|another|one more) (?:new |extra )?line:? "
    r"(?!(?:saying|that|which|reading|with|about|of|for|in|at|on|to|from|above|below|before|after|under|between|as|like)\b)"
    r"(?=\S.* (?:above|below|before|after|under|underneath|beneath) )",
    re.IGNORECASE,
)
_THERE: Final = re.compile(  # "we need sugar too, put it right after the flour"
    r"(?P<added>[^,.;\x02-\x04]+)[,.;]? (?:and )?(?:please )?(?:put|write|insert|add|type) (?:it|that|them) "
    r"(?:in |right |just |directly |in right )?"
    r"(?P<place>(?:after|before|above|below|under) (?!(?:it|that|this|everything|all)\b).+)",
    re.IGNORECASE,
)
_HEADED: Final = re.compile(
    r"\b(?:add|put|insert|write|type) (?:an?|the) (?:new )?(?:title|heading|headline)"
    r"(?:(?: saying| called| that says)?:? (?=\")|: )(?P<text>[^\"]+?|\"[^\"]*\")"
    r"(?: (?:at|on|to) (?:the )?(?:very )?top)?\Z",
    re.IGNORECASE,
)
_ORDERS: Final = re.compile(
    r"[,.;] (?:and |then |please )*(?:save|close|add|put|remove|delete|change)\b", re.IGNORECASE
)
_POLITE_END: Final = re.compile(r"[\s,.]+(?:please|thanks|thank you)\W*\Z", re.IGNORECASE)
_SECONDS: Final = (
    (r"(\d+) ?(?:secs?|s)\b", r"\1 seconds"),
    (r"(\d+) ?mins?\b", r"\1 minutes"),
    (r"\bhalf a minute\b", "30 seconds"),
    (r"\b(?:a|one)(?: whole)? minute\b", "60 seconds"),
    (r"(\d+ (?:seconds|minutes)) (?:there|right now)", r"\1"),
    (r"\A(?:hold|hang) on (?=\d+ (?:seconds|minutes))", "wait "),
    (r"\A(?:give (?:it|them|that)|allow) (?=\d+ (?:seconds|minutes))", "wait "),
)


def lead_end(text: str) -> int:
    """Return where a text begins after what people say first: "oh wait, could you please"."""
    match = begins("lead", text)
    return match.end() if match else 0


def without_tails(text: str) -> str:
    """Return a text without what people say last, and that changes nothing: "please", "and go on"."""
    text = text.rstrip(" .!,")
    if re.match(r"(?:\w+,? )?(?:can|could|would|will|may|might) (?:you|i|we)\b", text, re.IGNORECASE):
        text = text.rstrip("?")
    while (tail := ends("tail", text)) and tail.start():
        text = text[: tail.start()].rstrip(" .!,")
    return text


def with_orders(text: str) -> str:
    """Return a message with spans of time, and with the places of lines, as changes name them."""
    return _with_place_last(_with_seconds(text))


def _with_place_last(text: str) -> str:
    """Return "put X at the top" for "add a line at the top that says X", and "add a line saying X" for the bottom."""
    text = _NOTED.sub("add a line saying ", _ADDED_LINE.sub(r"\g<line> saying ", text))
    text = _POSTSCRIPT.sub('add a line "P.S. ', text) + '"' if _POSTSCRIPT.match(text) and '"' not in text else text
    text = _A_LINE.sub(r"\g<verb> ", text)
    text = _HEADED.sub(r"put \g<text> at the top", text)
    if (beside := _LINE_BESIDE.search(text)) and not _ORDERS.search(beside["text"]):
        line = _POLITE_END.sub("", beside["text"]).strip('"')
        return f'{text[: beside.start()]}put "{line}" {beside["place"]}'
    there = _THERE.fullmatch(text)
    if there and (added := fits("added", there["added"].strip())) and added.get("text"):
        return f"put {added['text']} {there['place']}"
    said = _PLACE_FIRST.search(text)
    if not said:
        return text
    is_top = re.search(r"top|beginning|start", said["place"], re.IGNORECASE)
    told = f"put {said['text']} {said['place']}" if is_top else f"add a line {said['says'] or 'saying'} {said['text']}"
    return text[: said.start()] + told


def _with_seconds(text: str) -> str:
    """Return a text, whose quoted texts stay, with spans of time as instructions name them."""
    for pattern, said in _SECONDS:
        masked = mask(text)
        for match in reversed([*re.finditer(pattern, masked, re.IGNORECASE)]):
            text = text[: match.start()] + match.expand(said) + text[match.end() :]
    return text


def says_nothing(text: str, *, at_end: bool = False) -> bool:
    """Return whether a message only says that all is well; where nothing is left to do, also that this is all."""
    last = without_tails(text)
    readings = text, text[lead_end(text) :], last, last[lead_end(last) :]
    kinds = ("content", "all_said") if at_end else ("content",)
    return any(fits(kind, one.rstrip(" .!")) is not None for one in readings for kind in kinds)
