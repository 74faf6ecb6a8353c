"""The WorldModel: everything that the agent has done and seen in one run, in order."""

import json
from collections.abc import Iterator
from typing import Literal

from world_model.steps import Observation, Step

Format = Literal["text", "json", "markdown"]


class WorldModel:
    """The steps of one run, oldest first. Steps are added and never changed."""

    def __init__(self) -> None:
        self._steps: list[Step] = []

    def remember(self, step: Step) -> None:
        """Add the newest step; its index must be the next number."""
        if step.index != len(self._steps) + 1:
            raise ValueError(f"step {step.index} cannot follow step {len(self._steps)}")
        self._steps.append(step)

    def __len__(self) -> int:
        return len(self._steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(tuple(self._steps))

    def __getitem__(self, index: int) -> Step:
        """The step with that index; the first is 1."""
        if not 1 <= index <= len(self._steps):
            raise IndexError(f"there is no step {index}; there are {len(self._steps)}")
        return self._steps[index - 1]

    def format(self, form: Format = "text", last: int | None = None) -> str:
        """The scratchpad: Thought, Action and Observation of all steps, or of the `last` ones."""
        steps = self._steps if last is None else self._steps[max(0, len(self._steps) - last) :]
        if form == "json":
            return json.dumps([step.to_dict() for step in steps], ensure_ascii=False, indent=2)
        if form == "markdown":
            return "\n---\n\n".join(f"### Step {step.index}\n{_lines(step, '**{}:** {}')}\n" for step in steps)
        return "\n\n".join(_lines(step, f"{{}} {step.index}: {{}}") for step in steps)


def _lines(step: Step, line: str) -> str:
    call = f"{step.action.tool}({json.dumps(dict(step.action.args), ensure_ascii=False)})"
    name = "Observation" if step.observation.ok else "Error"
    told = describe(step.observation)
    return "\n".join(
        (line.format("Thought", step.thought.text), line.format("Action", call), line.format(name, told)),
    )


def describe(observation: Observation) -> str:
    """An observation in words: the result or the error with its hints, then what the screen did."""
    said = [observation.text] if observation.text else []
    if error := observation.error:
        said = [f"{error.code}: {error.message}", *error.hints]
    if screen := observation.screen:
        if not screen.changed:
            said.append("Nothing changed on the screen.")
        if screen.appeared:
            said.append(f"Appeared: {_quoted(screen.appeared)}.")
        if screen.vanished:
            said.append(f"Vanished: {_quoted(screen.vanished)}.")
        if not screen.settled:
            said.append("The screen is still moving.")
    return " ".join(said)


def _quoted(texts: tuple[str, ...]) -> str:
    return ", ".join(json.dumps(text, ensure_ascii=False) for text in texts)
