"""Steps as text: for prompts, for people, and for files."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from world_model.steps import Action, Observation, Problem, ScreenChange, Step

Format = Literal["text", "json", "markdown"]
MAX_NESTING: Final = 3  # levels of data that are laid out in lines; deeper ones stay JSON


def told(steps: Iterable[Step], form: Format = "text", longest: int | None = None) -> str:
    """Format Thought, Action and Observation of each step.

    Args:
        steps: in order.
        form: the format.
        longest: maximum characters of each text of a step; the rest is cut.
    """
    if form == "json":
        return json.dumps([step.to_dict() for step in steps], ensure_ascii=False, indent=2)
    if form == "markdown":
        return "\n---\n\n".join(f"### Step {step.index}\n{_lines(step, '**{}:** {}', longest)}\n" for step in steps)
    return "\n\n".join(_lines(step, f"{{}} {step.index}: {{}}", longest) for step in steps)


def _lines(step: Step, line: str, longest: int | None) -> str:
    seen = step.observation
    named = (
        ("Thought", cut(step.thought.text, longest)),
        ("Action", call(step.action, longest)),
        ("Observation" if seen.ok else "Error", describe(seen, longest)),
    )
    return "\n".join(line.format(name, words) for name, words in named)


def call(action: Action, longest: int | None = None) -> str:
    """Format an action as one line: `click({"target": "Save"})`."""
    return f"{action.tool}({cut(json.dumps(dict(action.args), ensure_ascii=False), longest)})"


def describe(observation: Observation, longest: int | None = None) -> str:
    """Format an observation: the result, or the error with its hints, then what changed on the screen."""
    said = [cut(observation.text, longest)] if observation.text else []
    if error := observation.error:
        said = [cut(problem(error), longest)]
    if screen := observation.screen:
        appeared = [_quoted(text) for text in screen.appeared]
        if screen.appeared_at:
            appeared = [f"{text} at {at.x}, {at.y}" for text, at in zip(appeared, screen.appeared_at, strict=True)]
        texts = (("Appeared", appeared), ("Vanished", [_quoted(text) for text in screen.vanished]))
        said += effects(screen, [f"{name}: {cut(', '.join(texts), longest)}." for name, texts in texts if texts])
    came, did = "".join(said[:1]), " ".join(said[1:])
    apart = " " if came.endswith((".", "!", "?")) else "\n"  # after a list, or the output of a program
    return apart.join(filter(None, (came, did)))


def effects(screen: ScreenChange, texts: Sequence[str] = ()) -> list[str]:
    """Say what an action did, in sentences; `texts` say which texts appeared and vanished."""
    windows = _windows(screen)
    said = [*windows, *texts]
    if screen.changed and screen.scrolled:
        way = "down" if screen.scrolled > 0 else "up"
        said.insert(len(windows), f"What is shown moved {way} by {abs(screen.scrolled)} pixels.")
    elif screen.changed and screen.settled and not (said or screen.became):
        said.append("The screen changed.")
    if screen.became:
        role, name, state = screen.became
        said.append(f'The {role} "{name}" is {state} now.' if name else f"The {role} is {state} now.")
    if not screen.settled:
        said.append("The screen is still moving.")
    if screen.copied:
        said.append("Something was copied to the clipboard.")
    if screen.shown and not screen.changed:
        said.append("The screen looks as it did before, and shows this text.")
    return said if said or screen.unseen else ["Nothing changed on the screen."]


def _windows(screen: ScreenChange) -> list[str]:
    """Say what came of the windows."""
    said = [f'The window "{title}" opened{" in front" * (title == screen.front)}.' for title in screen.opened]
    said += [f'The window "{title}" closed.' for title in screen.closed]
    if screen.front and screen.front not in screen.opened:
        said.append(f'The window "{screen.front}" is in front now.')
    if screen.retitled:
        said.append(f'The title of the window in front is "{screen.retitled}" now.')
    return said


def problem(error: Problem) -> str:
    """Format an error: its code, what happened, and the hints."""
    return " ".join((f"{error.code}: {error.message}", *error.hints))


def cut(text: str, longest: int | None) -> str:
    """Return the text; if it is too long, its beginning and an ellipsis."""
    return text if longest is None or len(text) <= longest else text[:longest] + "…"


def structured(data: Any) -> str:  # noqa: ANN401 - JSON values have no narrower type
    """Format the data of a tool for reading: one line for each value of a mapping or a list."""
    if data in ({}, []):
        return "(empty)"
    return "\n".join(_laid_out(data, 0)) if isinstance(data, Mapping | list) else _scalar(data)


def verbatim(data: Any) -> str:  # noqa: ANN401 - as above
    """Format the data of a tool as JSON."""
    return json.dumps(data, ensure_ascii=False, indent=2)


def _laid_out(data: Any, depth: int) -> list[str]:  # noqa: ANN401 - as above
    indent = "  " * depth
    if isinstance(data, Mapping):
        lines = []
        for name, value in data.items():
            count = f" ({len(value)})" if isinstance(value, list) else ""
            lines += _entry(f"{indent}{name}{count}:", value, depth)
        return lines
    return [line for value in data for line in _entry(f"{indent}-", value, depth)]


def _entry(label: str, value: Any, depth: int) -> list[str]:  # noqa: ANN401 - as above
    if isinstance(value, Mapping) and all(not isinstance(one, Mapping | list) for one in value.values()):
        return [f"{label} " + ", ".join(f"{name}: {_scalar(one)}" for name, one in value.items())]
    if not isinstance(value, Mapping | list) or not value:
        return [f"{label} {_scalar(value) if value not in ({}, []) else '(none)'}"]
    if depth >= MAX_NESTING:
        return [f"{label} {json.dumps(value, ensure_ascii=False)}"]
    return [label, *_laid_out(value, depth + 1)]


def _scalar(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
