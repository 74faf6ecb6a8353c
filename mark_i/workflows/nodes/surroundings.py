"""The nodes around the loop: they prepare a run and process its answer.

They read the context of the run: `goal`, `session`, `history` (pairs of question and answer), `settings`, `profile`,
`person` (whether a person can be asked) and `desktop` (whether there is a desktop).
"""

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any, Final

from mark_i.workflows.format.node_type import Context, Inputs, Properties, node
from world_model import UsageError, cut

MAX_RUNS: Final = 8  # earlier runs that a search returns
MAX_MESSAGES: Final = 20  # of a conversation: a question and its answer are two
MAX_CONTEXT_CHARS: Final = 8000  # of the planner's context
THINKING: Final = re.compile(r"<(think(?:ing)?|reasoning)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
MASK: Final = "[secret]"

Outputs = dict[str, Any]
Earlier = Mapping[str, str]  # an earlier run: `goal`, `answer`, and its name in `run`


@node(outputs=("goal", "session"))
def user_input(inputs: Inputs, properties: Properties, context: Context) -> list[Any]:  # noqa: ARG001
    """Return the goal, in the person's words, and the session it belongs to."""
    return [context.get("goal"), context.get("session")]


@node(inputs=("session",), outputs=("history", "user"))
def session_context(inputs: Inputs, properties: Properties, context: Context) -> list[Any]:  # noqa: ARG001
    """Return the profile and the earlier questions and answers of the session."""
    return [_history(context, MAX_MESSAGES), _user(context)]


@node(outputs=("settings",))
def system_settings(inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG001
    """Return the settings of the profile."""
    return dict(context.get("settings") or {})


@node(inputs=("user",), outputs=("user",))
def auth_check(inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG001
    """Return the profile of the run, and whether a person can be asked."""
    return _user(context)


@node(inputs=("settings", "user", "goal"), outputs=("eligible",))
def operator_eligibility(inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG001
    """Return whether the run has a desktop, or only tools that need none."""
    desktop = bool(context.get("desktop"))
    return {"eligible": desktop, "reason": "a desktop" if desktop else "no desktop"}


@node(inputs=("session",), outputs=("history",))
def conversation_history(inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG001
    """Return the last questions and answers of the session."""
    return {"history": _history(context, _number(properties, "maxMessages", MAX_MESSAGES))}


@node(inputs=("runs", "settings", "history"), outputs=("context",))
def context_builder(inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG001
    """Collect the background that the planner reads besides the goal and the history, cut to a length."""
    runs = [run for one in inputs if isinstance(one, Mapping) for run in one.get("runs") or ()]
    most, longest = (
        _number(properties, "maxMemories", MAX_RUNS),
        _number(properties, "maxContextChars", MAX_CONTEXT_CHARS),
    )
    lines = [f"- An earlier goal: {run['goal']} Its end: {run['answer']}" for run in runs[:most]]
    return {"context": cut("\n".join(lines), longest)}


@node(inputs=("response",), outputs=("response",))
def cot_stripper(inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG001
    """Remove a model's private reasoning from the answer; results of tools stay unchanged."""
    answer = _answer(inputs)
    return answer if "verbatim" in answer else {"response": THINKING.sub("", answer["response"]).strip()}


@node(inputs=("response", "report"), outputs=("response",))
def response_refiner(inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG001
    """Pass the answer on, and say what was masked in it."""
    report = inputs[1] if len(inputs) > 1 else None
    masked = report.get("masked", 0) if isinstance(report, Mapping) else 0
    told = f"\n({masked} secrets were masked.)" if masked else ""
    answer = _answer(inputs)
    return {**answer, "response": answer["response"] + told}


@node(inputs=("response",), outputs=("response",))
def stream_writer(inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG001
    """Show the answer to the person."""
    return _answer(inputs)


@node(inputs=("goal", "response"), outputs=("entry",))
def audit_logger(inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG001
    """Write the goal and the answer to the run's journal."""
    return {"goal": context.get("goal"), "response": _response(inputs)}


class ProfileNodes:
    """The nodes that use the data of a profile.

    Args:
        secrets: texts that no answer may contain.
        keep: keeps a fact for later runs, and returns a sentence about the result.
        runs: reads the earlier runs.
    """

    def __init__(
        self, secrets: Sequence[str], keep: Callable[[str], str], runs: Callable[[], Sequence[Earlier]]
    ) -> None:
        self._secrets, self._keep, self._runs = tuple(filter(None, secrets)), keep, runs

    @node(inputs=("goal",), outputs=("runs",))
    def semantic_search(self, inputs: Inputs, properties: Properties, context: Context) -> Outputs:
        """Find earlier runs whose goals and answers share words with this goal, best first."""
        goal = inputs[0] if inputs and isinstance(inputs[0], str) else str(context.get("goal") or "")
        return {"runs": _like(goal, self._runs(), _number(properties, "maxResults", MAX_RUNS))}

    @node(inputs=("response",), outputs=("response", "safe", "masked", "report"))
    def safety_validator(self, inputs: Inputs, properties: Properties, context: Context) -> list[Any]:  # noqa: ARG002
        """Mask what must not be shown, such as keys, and count what was masked."""
        answer, masked = _answer(inputs), 0
        response = answer["response"]
        for secret in self._secrets:
            masked += response.count(secret)
            response = response.replace(secret, MASK)
        return [{**answer, "response": response}, masked == 0, masked, {"masked": masked}]

    @node(inputs=("goal", "response", "settings"), outputs=("kept",))
    def memory_capture(self, inputs: Inputs, properties: Properties, context: Context) -> Outputs:  # noqa: ARG002
        """Remember the goal and the answer for later runs."""
        return {"kept": self._keep(_storable(f"Goal: {context.get('goal')} Answer: {_response(inputs)}"))}


def _answer(inputs: Inputs) -> Outputs:
    """Return the answer in any slot, a text or an object with `response`, and keep `verbatim` if it is set."""
    for one in inputs:
        if isinstance(one, Mapping) and isinstance(one.get("response"), str):
            return {"response": one["response"], **({"verbatim": True} if one.get("verbatim") is True else {})}
    return {"response": next((one for one in inputs if isinstance(one, str)), "")}


def _response(inputs: Inputs) -> str:
    return str(_answer(inputs)["response"])


def _storable(text: str) -> str:
    """Replace lone surrogates, which a tool may have returned and no database accepts."""
    return text.encode("utf-8", "replace").decode()


def _user(context: Context) -> Outputs:
    return {"profile": context.get("profile"), "person": bool(context.get("person"))}


def _history(context: Context, messages: int) -> list[dict[str, str]]:
    pairs = list(context.get("history") or ())
    return [{"question": question, "answer": answer} for question, answer in pairs[-max(1, messages // 2) :]]


def _number(properties: Properties, name: str, usual: int) -> int:
    value = properties.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UsageError(f"{name} must be a whole number from 1, and is {value!r}.")
    return value


def _like(goal: str, runs: Sequence[Earlier], most: int) -> list[Earlier]:
    """Find similar runs by SQLite's full-text search, in memory because there are hundreds of runs, not millions."""
    words = re.findall(r"\w{3,}", goal.casefold())
    if not words or not runs:
        return []
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE runs USING fts5 (words, tokenize = 'porter unicode61')")
        rows = ((number, _storable(f"{run['goal']} {run['answer']}")) for number, run in enumerate(runs))
        database.executemany("INSERT INTO runs (rowid, words) VALUES (?, ?)", rows)
        wanted = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        found = database.execute("SELECT rowid FROM runs WHERE runs MATCH ? ORDER BY rank LIMIT ?", (wanted, most))
        return [runs[number] for (number,) in found.fetchall()]
