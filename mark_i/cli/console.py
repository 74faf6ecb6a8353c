"""A run on the terminal: a log for a person, JSON Lines for a program."""

import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final, TextIO, cast

import click
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mark_i.catalog import builtin_tool
from mark_i.events import OUTCOME_LABELS, Event, Outcome, OutcomeName, usage_summary
from mark_i.human.person import Answers
from mark_i.human.words import Words
from mark_i.printable import CONTROLS
from mark_i.wording import action_call, evidence_lines
from toolbelt.control import Control
from toolbelt.tool import Result
from world_model import JournalError, Point, Problem, Step, cut, effects

NAMED: Final = 6  # texts listed as appeared or vanished; the journal has all of them
WIDEST_CHARS: Final = 100  # limit for one value or text in the log
# Colours that can be read on black and on white.
BLUE, BROWN, GREEN, RED, VIOLET = "color(31)", "color(130)", "color(28)", "color(160)", "color(133)"
UNTOLD: Final = frozenset({"thinking", "node"})  # events that say nothing to a person
ANSWERED: Final = frozenset({"done", "done_unverified"})  # outcomes with an answer
ABOVE: Final = "The reason is above."
UNHEARD: Final = 'You said "{}" after the last step, and it was not done. `mark-i run ... --continue` follows up.'
LABELS: Final = {
    "Thought": BLUE,
    "Action": BROWN,
    "Observation": GREEN,
    "Error": RED,
    "Notice": VIOLET,
    "Approval": VIOLET,
    "You": VIOLET,
}
OUTCOME_COLORS: Final = {
    "done": GREEN,
    "done_unverified": BROWN,
    "failed": RED,
    "stopped": BROWN,
    "limit_steps": BROWN,
    "limit_time": BROWN,
    "limit_cost": BROWN,
    "model_error": RED,
    "desktop_error": RED,
}


class Log:
    """Prints the events of a run, or of a `past` one, for a person. It can be read without colours.

    What is told in one place is not told again in another: the last step says nothing that the end says, and the end
    repeats no error.
    """

    def __init__(self, console: Console, *, past: bool = False) -> None:
        self._console = console
        self._past = past
        self._held = list[Event]()  # the step that may be the last, until it is known whether the end tells it
        self._told = set[str]()  # what went wrong, in words that the end may repeat

    def write(self, event: Event) -> None:
        """Print one event, unless it says nothing new to a person."""
        if event.event in UNTOLD:
            return
        if event.event != "thought" and self._ends(event):
            self._held.append(event)
            return
        self._release(str(event.data.get("summary", "")) if event.event == "ended" else "")
        if event.event == "thought":
            self._held.append(event)
        else:
            self._print(event)

    def _ends(self, event: Event) -> bool:
        """Whether it is of an action that ends the run."""
        if event.event == "step" and event.step:
            return _is_ending(event.step.action.tool) and event.step.observation.ok
        return event.event == "action" and _is_ending(str(event.data["tool"]))

    def _release(self, summary: str) -> None:
        """Print what was held; of a step that ended the run, only what the end does not tell."""
        held, self._held = self._held, []
        last = next((one.step for one in held if one.step), None)
        for event in held:
            thought = event.event == "thought"
            if last is None or (thought and (changes(last) or event.data["text"] != summary)):
                self._print(event)
        if last:
            self._changed(last)

    def _print(self, event: Event) -> None:
        data = event.data
        match event.event:
            case "run_started":
                self._start(data)
            case "thought":
                planned = "[dim], planned ahead[/]" if data.get("foreseen") else ""
                self._console.print(f"\n[bold]Step {data['index']}[/]{planned}")
                self._row("Thought", str(data["text"]))
            case "approval" if self._past:  # now it is asked, or the step says why nobody could be
                self._row("Approval", str(data["why"]))
            case "action":
                self._row("Action", action_call(str(data["tool"]), data["args"], WIDEST_CHARS))
            case "step" if event.step:
                self._observation(event.step)
            case "notice":
                self._notice(data)
            case "said":
                self._row("You", str(data["text"]))
            case "paused" | "resumed":
                self._row("Notice", f"The run is {event.event}.")
            case "ended":
                self._end(data)

    def _start(self, data: Mapping[str, Any]) -> None:
        self._console.print(f"[bold]Goal[/]  {_shown(data['goal'])}")
        where = f"on the {data['desktop']}" if data["desktop"] else "without a screen"
        stop = "" if self._past else " Ctrl-C stops the agent."
        style = "" if data["style"] == "default" else f" Style {data['style']}: {str(data['mode']).lower()}."
        self._console.print(f"[dim]Brain {_shown(data['brain'])}, {where}.{style}{stop}[/]")

    def _notice(self, data: Mapping[str, Any]) -> None:
        """Print a notice; of one that something went wrong in the same way again, only what is done about it."""
        why = str(data.get("why", ""))
        self._row("Notice", str(data["then"] if why in self._told else data["text"]))
        self._told |= {why} - {""}

    def _observation(self, step: Step) -> None:
        seen = step.observation
        if seen.error:
            self._row("Error", told(seen.error))
            said = (seen.error.message, *seen.error.hints)
            self._told |= {" ".join(said[:count]) for count in range(1, len(said) + 1)}
        elif seen.text:
            self._row("Observation", seen.text)
        self._changed(step)
        self._row("", f"{sum(step.timing.to_dict().values()) / 1000:.2f} s", style="dim")

    def _changed(self, step: Step) -> None:
        for line in changes(step):
            self._row("", line, style="dim")

    def _end(self, data: Mapping[str, Any]) -> None:
        name = str(data["outcome"])
        colour = OUTCOME_COLORS.get(name, RED)
        summary = "" if data["sources"] else _shown(self._new(str(data["summary"])))
        self._console.print(f"\n[bold {colour}]{outcome_label(name)}.[/] {summary}")
        for source in data["sources"]:
            self._row(f"Step {source['step']}", source["text"])
        if data["unsupported"]:
            listed = _shown(", ".join(data["unsupported"]))
            self._console.print(f"  [{BROWN}]In no observation: {listed}.[/]")
        if self._past and "result" in data:  # a run that has just ended writes it to standard output
            self._row("Result", json.dumps(data["result"], ensure_ascii=False, indent=2))
        for line in evidence_lines(data["evidence"], why=name != "done"):  # what proves nothing hides no success
            self._console.print(f"  [dim]{_shown(line)}[/]")
        for text in data.get("unheard", ()):
            self._row("Notice", UNHEARD.format(text))
        if cost := usage_summary(data["usage"]):
            self._console.print(f"  [dim]{cost}[/]")

    def _new(self, summary: str) -> str:
        """Return the summary without the sentences that told what went wrong before."""
        for known in sorted(self._told, key=len, reverse=True):
            before, found, after = summary.partition(known)
            whole = not before.strip() or before.rstrip().endswith((".", ":"))
            if found and whole and not (before.rstrip().endswith(":") and after):
                new = f"{before.rstrip()} {after.lstrip()}".strip()
                return new if new.endswith((".", "!", "?")) else f"{new} {ABOVE}".lstrip()
        return summary

    def _row(self, label: str, text: str, style: str = "") -> None:
        grid = Table.grid(padding=(0, 1))
        grid.add_column(width=11, no_wrap=True)
        grid.add_column(overflow="fold")
        grid.add_row(Text(label, LABELS.get(label, "")), Text(text.translate(CONTROLS), style))
        self._console.print(Padding(grid, (0, 0, 0, 2)))


class Quiet:
    """Prints only the answer on standard output; on standard error, why there is none, and what waits for the person.

    Args:
        resuming: says how the person resumes a paused run.
    """

    def __init__(self, resuming: Callable[[], str]) -> None:
        self._resuming = resuming

    def write(self, event: Event) -> None:
        """Print the end of the run, and that it is paused."""
        if event.event == "paused":
            click.echo(f"The run is paused. {self._resuming()}".rstrip(), err=True)
        elif event.outcome:
            self._end(event.outcome)

    def _end(self, outcome: Outcome) -> None:
        summary = outcome.summary.translate(CONTROLS)
        if outcome.name not in ANSWERED:
            click.echo(f"mark-i: {outcome_label(outcome.name)}. {summary}", err=True)
            return
        if not outcome.result:  # else that is the answer
            click.echo(summary)
        if outcome.name != "done":
            click.echo(f"mark-i: {outcome_label(outcome.name)}.", err=True)


def outcome_label(name: str) -> str:
    """Return an outcome in words; an unknown one comes from a newer version's journal."""
    return OUTCOME_LABELS.get(cast("OutcomeName", name), name)


def told(error: Problem) -> str:
    """Return an error with its hints, in one line."""
    return " ".join((f"{error.code}: {error.message}", *(cut(hint, 4 * WIDEST_CHARS) for hint in error.hints)))


def changes(step: Step) -> list[str]:
    """Return what changed on the screen, in lines."""
    screen = step.observation.screen
    if screen is None:
        return []
    named = (("Appeared", screen.appeared), ("Vanished", screen.vanished))
    return effects(screen, [f"{label}: {_listed(texts)}" for label, texts in named if texts])


def _is_ending(name: str) -> bool:
    tool = builtin_tool(name)
    return tool is not None and tool.ending


def _shown(text: object) -> str:
    return escape(str(text).translate(CONTROLS))


def _listed(texts: tuple[str, ...]) -> str:
    shown = ", ".join(f'"{cut(text, WIDEST_CHARS)}"' for text in texts[:NAMED])
    return shown + (f" and {len(texts) - NAMED} more" if len(texts) > NAMED else "")


def fitted(text: str) -> str:
    """Return the text as one line, cut to the width of the terminal."""
    line = Text(text.replace("\n", " ").translate(CONTROLS), end="")
    if sys.stdout.isatty():
        line.truncate(shutil.get_terminal_size().columns, overflow="ellipsis")
    return line.plain


def write_json(event: Event, out: TextIO | None = None) -> None:
    """Write one event as one line, by default to standard output."""
    out = out or sys.stdout
    unicode = (out.encoding or "").lower().startswith("utf")
    out.write(json.dumps(event.to_dict(), ensure_ascii=not unicode) + "\n")
    out.flush()


def write_result(result: Result) -> None:
    """Write the result by a schema to standard output."""
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    click.echo(json.dumps(result.value, ensure_ascii=not unicode, indent=2))


@contextmanager
def only_events() -> Iterator[Callable[[Event], None]]:
    """Return a writer of events to standard output; whatever else is printed goes to standard error meanwhile."""
    printed, kept = sys.stdout.fileno(), os.dup(sys.stdout.fileno())
    with os.fdopen(kept, "w", encoding=sys.stdout.encoding, errors=sys.stdout.errors) as out:
        os.dup2(sys.stderr.fileno(), printed)
        try:
            yield partial(write_json, out=out)
        finally:
            sys.stdout.flush()
            os.dup2(out.fileno(), printed)


def obey(lines: Iterable[str], control: Control, complaints: TextIO, answers: Answers, words: Words) -> None:
    """Obey what a program sends, such as `{"command": "stop"}` or `{"say": "..."}`, until the input ends."""
    commands = {"pause": control.pause, "resume": control.resume, "step": control.step, "stop": control.stop}
    for line in lines:
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            told = None
        match told:
            case {"answer": str(answer)}:
                answers.give(answer)
            case {"answer": {"x": int(x), "y": int(y)}}:
                answers.give("", Point(x, y))
            case {"approve": "no", "at": {"x": int(x), "y": int(y)}, **rest} if isinstance(
                rest.get("instead", ""), str
            ):
                answers.decide("no", str(rest.get("instead", "")), Point(x, y))
            case {"approve": "once" | "run" | "no" as choice, **rest} if isinstance(rest.get("instead", ""), str):
                answers.decide(choice, str(rest.get("instead", "")))
            case {"command": str(name)} if name in commands:
                commands[name]()
            case {"say": str(text)}:
                with suppress(JournalError):  # the run finds out as well, and says so
                    words.say(text)
            case _:
                complaints.write(f"mark-i: not a command: {line.strip()[:WIDEST_CHARS]}\n")
    answers.end()
    control.resume()  # no program is left to resume it


def obey_in_background(control: Control, answers: Answers, words: Words) -> None:
    """Read standard input on a thread of its own."""
    arguments = (sys.stdin, control, sys.stderr, answers, words)
    threading.Thread(target=obey, args=arguments, name="commands", daemon=True).start()
