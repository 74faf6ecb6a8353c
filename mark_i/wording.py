"""How an action and its evidence read to a person: the terminal, the window and the report show the same sentences."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from string import Formatter
from typing import Any, Final

from world_model import cut

SENTENCE_CHARS: Final = 140  # of an action in words; its details can be shown
VALUE_CHARS: Final = 44  # of one value in it
HIDDEN: Final = "***"  # in place of a text that may be a password
EVIDENCE_CHARS: Final = 100  # of one text in a piece of evidence
CHECKED, UNVERIFIED = "Checked", "Not verified"
ELLIPSIS: Final = "…"

SENTENCES: Final[Mapping[str, str]] = {
    "click": "Click on {target}",
    "double_click": "Double-click on {target}",
    "triple_click": "Click three times on {target}",
    "right_click": "Right-click on {target}",
    "middle_click": "Click with the middle button on {target}",
    "move": "Move the pointer to {target}",
    "drag": "Drag from {start} to {end}",
    "type_text": "Type {text}",
    "press": "Press {keys}",
    "hold": "Hold down {keys}",
    "tick": "Check or uncheck {target}",
    "select": "Select {options}",
    "open_app": "Open {name}",
    "clipboard_write": "Put {text} on the clipboard",
    "write_file": "Write the file {path}",
    "remember": "Remember {fact}",
    "python_repl": "Run Python code",
    "run_command": "Run the command {program}",
    "mouse_down": "Press the {button} mouse button",
    "mouse_up": "Release the {button} mouse button",
    "key_down": "Hold down {key}",
    "key_up": "Release {key}",
    "scroll": "Scroll {direction}",
    "clipboard_read": "Read the clipboard",
    "marks": "Number what can be clicked",
    "read_screen": "Read the screen",
    "read_value": "Read the value of {label}",
    "screenshot": "Look at the screen",
    "zoom": "Look closer at {target}",
    "wait": "Wait {seconds} seconds",
    "wait_for": "Wait for {text}",
    "wait_for_change": "Wait until the screen changes",
    "wait_until_still": "Wait until the screen is still",
    "close_window": "Close the window",
    "focus_window": "Bring the window {title} to the front",
    "list_windows": "List the windows",
    "describe_tools": "Look up the tools {names}",
    "finish": "Finish",
    "fail": "Give up",
    "end_skill": "End the skill {skill}",
    "resume_skill": "Go on with step {step} of the skill {skill}",
    "list_files": "List the files in {path}",
    "read_file": "Read the file {path}",
    "fetch_page": "Open the page {url}",
    "search_web": "Search the web for {query}",
    "ask_user": "Ask: {question}",
    "recall": "Recall {query}",
}
MORE: Final[Mapping[str, str]] = {  # arguments that may be left out
    "into": " into {into}",
    "replace": " over what is there",
    "enter": " and press Enter",
    "via": " via {via}",
    "times": " {times} times",
    "holding": " with {holding} held",
}
BARE: Final = frozenset(  # arguments that read best without quotes
    {"keys", "key", "button", "direction", "holding", "name", "names", "path", "program", "question", "url"}
)

ABOUT_PIECE: Final = frozenset({"confirmed", "idle", "path", "reason", "saved", "shown"})  # what the checks say of one
NOTHING_SHOWS: Final = "nothing on the screen shows that the goal is reached; look at it yourself"
WHAT_IT_SHOWS: Final = "what step {index} shows"
IN_FILE: Final = frozenset({"kept", "named"})  # how a file shows what a step typed, whatever that proves

OF_TEXT: Final[Mapping[str, str]] = {  # how a text was found
    "title": "is shown in the title of a window",
    "screen": "is shown on the screen",
    "result": "is what a tool returned",
    "file": "is a file",
}
OF_STEP: Final[Mapping[str, str]] = {  # what came of a step
    "opened": "{windows} opened",
    "closed": "{windows} closed",
    "became": "{name} became {state}",
    "appeared": "{texts} appeared",
    "result": "step {index} returned {texts}",
    "changed": "step {index} changed the screen",
    "kept": "the file {file} has what {steps} typed",
    "named": "the file {file} is there",
}


def action_sentence(tool: str, args: Mapping[str, Any], window: str | None = None, at: str = "") -> str:
    """Say an action as a person would: `Click on "Pay now" at 300, 200 in Checkout`.

    Args:
        tool: what is used.
        args: as the model gave them.
        window: the title of the window that it acts on.
        at: the place where it acts.
    """
    values = {name: _value(name, value) for name, value in args.items()}
    try:
        sentence = SENTENCES[tool].format_map(values)
    except KeyError:  # a plugin's tool, or a missing argument
        sentence = " ".join((f"Use {tool}:", *(f"{name} {value}" for name, value in values.items()))).rstrip(":")
    more = "".join(words.format_map(values) for name, words in MORE.items() if args.get(name))
    place = f" at {at}" if at and not any(_is_point(value) for value in args.values()) else ""
    where = f" in {_cut(window)}" if window else ""
    return _line(f"{sentence}{more}{place}{where}", SENTENCE_CHARS)


def action_call(tool: str, args: Mapping[str, Any], longest: int | None = None) -> str:
    """Format an action as code, `click(target="Save")`, with each value cut to `longest` characters."""
    values = ((name, cut(json.dumps(value, ensure_ascii=False), longest)) for name, value in args.items())
    return f"{tool}({', '.join(f'{name}={value}' for name, value in values)})"


def says_all(tool: str, args: Mapping[str, Any]) -> bool:
    """Whether the sentence of an action has all of its arguments in it, uncut."""
    template = SENTENCES.get(tool)
    named = {*args} if template is None else {name for _, name, _, _ in Formatter().parse(template) if name}
    given = {name for name, value in args.items() if value not in (None, False, "")}
    return given <= named | {*MORE} and ELLIPSIS not in action_sentence(tool, args)


def evidence_lines(pieces: Sequence[Mapping[str, Any]], *, why: bool) -> tuple[str, ...]:
    """Say in a line what was checked, and in another what was not verified; the arguments are those of `weighed`."""
    return tuple(f"{title}: {'; '.join(said)}." for title, said in weighed(pieces, why=why).items())


def weighed(pieces: Sequence[Mapping[str, Any]], *, why: bool) -> dict[str, list[str]]:
    """Say each thing that was checked, and each that was not verified, without periods, by these titles.

    A person cannot use that a step says nothing of the goal: where that is all, they are told to look.

    Args:
        pieces: the evidence of an outcome.
        why: whether to say why a piece proves nothing; else a step that does so is left out.
    """
    pieces = [*most_telling(pieces)]
    kept = {file for how, texts in map(_shown, pieces) if how == "kept" for file in texts}
    good = [{**one, "confirmed": True} for one in pieces if one.get("confirmed") or _shown(one)[0] in IN_FILE]
    good = [one for one in good if _is_there(one) not in kept]
    bad = [one for one in pieces if not one.get("confirmed")]
    left = [one for one in bad if not one.get("idle") and (why or not one.keys() <= {"observation", *ABOUT_PIECE})]
    checked, unverified = _told(good, why=why), _told(left, why=why)
    if why and bad and not left:
        unverified = [NOTHING_SHOWS]
    return {title: said for title, said in ((CHECKED, checked), (UNVERIFIED, unverified)) if said}


def most_telling(pieces: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the pieces without those that others tell: a changed screen, and what appeared in a text that is told."""
    good = [one for one in pieces if one.get("confirmed")]
    less = {"changed", "appeared"} if any("was" in one for one in good) else {"changed"}
    if any(_shown(one)[0] not in less for one in good):
        good = [one for one in good if _shown(one)[0] not in less]
    yield from (one for one in pieces if not one.get("confirmed") or one in good)


def _is_there(piece: Mapping[str, Any]) -> str | None:
    """Return the file of which a piece says no more than that it is there."""
    how, texts = _shown(piece)
    if how == "named":
        return texts[0]
    return str(piece.get("path", piece["file"])) if "file" in piece and piece.keys() <= {"file", *ABOUT_PIECE} else None


def evidence_sentence(piece: Mapping[str, Any], *, why: bool) -> str:
    """Say one piece of evidence, without a period: `"letter.txt" is shown in the title of a window`."""
    if piece.get("confirmed"):
        return " and ".join(_claims(piece)) or _subject(piece)
    reason = str(piece.get("reason") or "").strip() if why else ""
    return (reason or _subject(piece)).rstrip(".")


def _told(pieces: Sequence[Mapping[str, Any]], *, why: bool) -> list[str]:
    """Say each piece once; steps of which nothing else is known together, and those whose text is in the same file."""
    told: dict[str, None] = {}
    bare: dict[str, None] = {}  # the steps of which nothing else is known
    kept: dict[str, dict[str, None]] = {}  # the steps whose text is in each file
    for piece in pieces:
        said, step = evidence_sentence(piece, why=why), str(piece.get("observation"))
        match _shown(piece):
            case "kept", [file] if piece.get("confirmed"):
                kept.setdefault(file, {})[step] = None
            case _ if said == WHAT_IT_SHOWS.format(index=step):
                bare[step] = None
            case _:
                told[said] = None
    typed = [OF_STEP["kept"].format(file=_short(file), steps=_steps([*steps])) for file, steps in kept.items()]
    return [*told, *typed, *([f"what {_steps([*bare])} {'show' if len(bare) > 1 else 'shows'}"] if bare else [])]


def _steps(indexes: Sequence[str]) -> str:
    """`step 3`, `steps 3, 4 and 9`."""
    *others, last = indexes
    return f"steps {', '.join(others)} and {last}" if others else f"step {last}"


def _claims(piece: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a piece that was confirmed says; one may be of a file and of a step at once."""
    text, file, step = piece.get("text"), piece.get("file"), piece.get("observation")
    if file is not None:
        yield _of_file(str(file), piece)
    if step is not None:
        yield _of_step(step, None if file is not None else text, _shown(piece))
    elif file is None and text is not None:
        yield _of_text(str(text), piece)


def _of_file(name: str, piece: Mapping[str, Any]) -> str:
    text = piece.get("text")
    if piece.get("exists") is False:
        return f"the file {_short(name)} is gone"
    if text is None:
        return f"the file {_short(name)} is there"
    return f"the file {_short(name)} has {_quoted(text)}" if text else f"the file {_short(name)} is empty"


def _of_text(text: str, piece: Mapping[str, Any]) -> str:
    if state := piece.get("state"):
        return f"{_quoted(text)} is {state}"
    if (old := piece.get("was")) is not None:
        return f"the text is now {_quoted(text)}" if text.strip() else f"{_quoted(old)} is gone from the text"
    return f"{_quoted(text)} {OF_TEXT.get(_shown(piece)[0], 'was found')}"


def _of_step(index: object, text: object, shown: tuple[str, Sequence[str]]) -> str:
    """Say what a step showed: the window that it opened is what a person remembers of it, not its number."""
    how, texts = shown
    if text is not None:
        return f"step {index} shows {_quoted(text)}"
    template = OF_STEP[how] if how in OF_STEP and (texts or how == "changed") else WHAT_IT_SHOWS
    return template.format(
        index=index,
        steps=f"step {index}",
        file=_short(texts[0]) if texts else "",
        texts=" and ".join(map(_quoted, texts)),
        windows=" and ".join(f"the window {_quoted(title)}" for title in texts),
        name=_quoted(texts[0]) if texts else "",
        state=texts[-1] if texts else "",
    )


def _shown(piece: Mapping[str, Any]) -> tuple[str, Sequence[str]]:
    """Return how and with which texts a piece was confirmed; a journal of an earlier version does not say."""
    match piece.get("shown"):
        case {"how": str(how), "texts": [*texts]}:
            return how, [str(one) for one in texts]
        case {"how": str(how)}:
            return how, []
    return "", []


def _subject(piece: Mapping[str, Any]) -> str:
    """Name what a piece is about, whatever it is worth."""
    if doubt := piece.get("doubt"):
        return str(doubt)
    if (file := piece.get("file")) is not None:
        return f"the file {_short(str(file))}"
    if (text := piece.get("text")) is not None:
        return _quoted(text)
    if (step := piece.get("observation")) is not None:
        return WHAT_IT_SHOWS.format(index=step)
    return ", ".join(f"{name} {value}" for name, value in piece.items() if name not in ABOUT_PIECE)


def _value(name: str, value: Any) -> str:  # noqa: ANN401 - an argument as the model gave it
    match value:
        case {}:
            return _place(value)
        case str() if name in BARE:
            return _cut(value)
        case str():
            return f'"{_cut(value)}"'
        case [*parts]:
            return ", ".join(_value(name, part) for part in parts)
    return _cut(str(value))


def _is_point(value: object) -> bool:
    return isinstance(value, Mapping) and "x" in value and "y" in value


def _place(target: Mapping[str, Any]) -> str:
    """`the point 512, 300`, `the button "Delete" number 2 beside "Milk"`."""
    match target:
        case {"x": x, "y": y}:
            return f"the point {x}, {y}"
        case {"mark": number}:
            return f"mark {number}"
        case {"image": str(file)}:
            return f"the image {PurePath(file).name}"
        case {"text": _} | {"role": _} | {"kind": _}:
            return _described(target)
    return _cut(str(target))


def _described(target: Mapping[str, Any]) -> str:
    role, text, beside = target.get("role", target.get("kind")), target.get("text"), target.get("beside")
    said = [f"the {role}" if role else "", f'"{_cut(str(text))}"' if text else ""]
    said.append(f"number {target['nth']}" if target.get("nth") else "")
    said.append(f'beside "{_cut(str(beside))}"' if beside else "")
    return " ".join(filter(None, said))


def _quoted(text: object) -> str:
    """Quote a text; one with quotes in it gets other ones."""
    short = _short(str(text))
    return f"“{short}”" if '"' in short else f'"{short}"'


def _short(text: str) -> str:
    return _line(text, EVIDENCE_CHARS)


def _cut(text: str) -> str:
    return _line(text, VALUE_CHARS)


def _line(text: str, longest: int) -> str:
    """Put a text into one line, with `?` for half a character, which neither Tk nor a terminal can show."""
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return line if len(line) <= longest else f"{line[:longest].rstrip()}{ELLIPSIS}"
