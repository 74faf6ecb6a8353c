"""Think, act, answer: what a reply adds to a thread, and where the thread continues.

A thread is a question, the thoughts and actions for it, and its answer. Its entries are immutable, and the next step
follows from the entries alone, so a thread can be resumed at any point. These functions depend on no framework;
`langgraph` builds a graph from them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, Literal

from mark_i.brain import Brain, Prompt
from mark_i.prompts.builder import PromptBuilder
from mark_i.replies import Decision, UndecidedError, parse
from mark_i.runs.sessions import MAX_CHARS, PAIRS_IN_PROMPT
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.tool import Ending
from toolbelt.tools import think
from world_model import Action, Observation, Problem, ReplyError, Step, Thought, UsageError, WorldModel, cut

Kind = Literal["question", "reasoning", "tool_call", "tool_result", "final_answer"]
NextNode = Literal["orchestrator", "tools", "writer"]

MAX_THOUGHTS: Final = 30  # for one question
THINK: Final = think.__name__  # the action that does nothing; the next thought follows
THINK_ON: Final = 'To think once more before you act or answer, reply with a thought alone: {"thought": "..."}'
UNUSED: Final = Observation(
    ok=False,
    text="",
    error=Problem("DENIED", "The tool was not used: no thought is left for what would come of it.", ("Answer now.",)),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a thread: a question, a thought, a tool call, its result, or an answer.

    Attributes:
        action: the action of a tool call; in a thought, the action that was not carried out.
        observation: the result of a tool; in a thought, why its action was not carried out.
        ending: in the last thought, the answer that it gave; in an answer, whether the question was answered.
    """

    kind: Kind
    text: str
    action: Action | None = None
    observation: Observation | None = None
    ending: Ending | None = None


def decided(reply: str) -> Decision:
    """Return the decision in a reply. A thought alone means to think again.

    Raises:
        ReplyError: the reply cannot be read, or has no thought.
    """
    try:
        decision = parse(reply)
    except UndecidedError as error:
        decision = Decision(Thought(error.thought), Action(THINK))
    if not decision.thought.text.strip():
        raise ReplyError("The reply holds no thought. Think before you use a tool or answer.")
    return decision


def added(entries: Sequence[Entry], decision: Decision, toolbelt: Toolbelt, control: Control, most: int) -> list[Entry]:
    """Return the entries that a decision adds: always a thought, followed by a tool call if there is such a tool.

    No tool is called after the last of `most` thoughts, because no thought would be left for its result.
    """
    thought, action = decision.thought.text, decision.action
    if action.tool == THINK:
        return [Entry("reasoning", thought, action if action.args else None)]
    if action.tool not in toolbelt or toolbelt[action.tool].ending:
        done = toolbelt.call(action, control)
        if done.ending:
            return [Entry("reasoning", thought, ending=done.ending)]
        return [Entry("reasoning", thought, action, done.observation)]
    if thoughts(entries) + 1 >= most:
        return [Entry("reasoning", thought, action, UNUSED)]
    return [Entry("reasoning", thought), Entry("tool_call", "", action)]


def ahead(entries: Sequence[Entry], most: int, *, ready: bool) -> NextNode:
    """Return the node after the orchestrator; a tool call comes before an answer."""
    if entries[-1].kind == "tool_call":
        return "tools"
    return "writer" if ready or thoughts(entries) >= most else "orchestrator"


def thoughts(entries: Sequence[Entry]) -> int:
    """Count the thoughts since the newest question."""
    return sum(entry.kind == "reasoning" for entry in _current(entries))


def pairs(entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Iterate over the answered questions, each in its first wording, with its answer."""
    asked = None
    for entry in entries:
        if entry.kind == "question":
            asked = entry.text if asked is None else asked
        elif entry.kind == "final_answer":
            if asked is not None and (entry.ending is None or entry.ending.done):
                yield asked, entry.text
            asked = None


def prompt(
    brain: Brain,
    toolbelt: Toolbelt,
    entries: Sequence[Entry],
    history: Sequence[tuple[str, str]],
    *,
    last: bool = False,
) -> Prompt:
    """Build the prompt for the next thought, or for the last answer.

    Raises:
        UsageError: no question follows the last answer.
    """
    asked = [entry.text for entry in _current(entries) if entry.kind == "question"]
    if not asked:
        raise UsageError("There is no question to answer: put one at the end of the messages.")
    world_model = WorldModel()
    for step in steps(entries):
        world_model.remember(step)
    earlier = [(cut(question, MAX_CHARS), cut(answer, MAX_CHARS)) for question, answer in (*history, *pairs(entries))]
    prompting = PromptBuilder(toolbelt, world_model, earlier=earlier[-PAIRS_IN_PROMPT:])
    goal = "\n\n".join(asked)
    if last:
        return prompting.last(brain, goal)
    return prompting.next(brain, goal, None, () if any(tool.only_thinks for tool in toolbelt) else (THINK_ON,))


def steps(entries: Sequence[Entry]) -> Iterator[Step]:
    """Iterate over the thoughts and actions since the newest question, as steps of an agent."""
    index, thought, action = 1, "", Action(THINK)
    here = _current(entries)
    for entry, following in zip_longest(here, here[1:]):
        seen = entry.observation or Observation(ok=True, text="")
        if entry.kind == "reasoning":
            thought, action = entry.text, entry.action or Action(THINK)
            if following is not None and following.kind == "tool_call":
                continue
        elif entry.kind == "tool_call":
            action = entry.action or action
            continue
        elif entry.kind != "tool_result":
            continue
        yield Step(index, Thought(thought), action, seen)
        index += 1


def at_the_limit(most: int, answer: str | None) -> Ending:
    """Return the ending of a thread that has used all its thoughts, with the best answer so far, if any."""
    limit = f"The limit of {most} {'thought' if most == 1 else 'thoughts'} was reached before an answer."
    return Ending(done=False, summary=f"{limit} The best answer so far: {answer}" if answer else limit)


def _current(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return the entries after the last answer."""
    answers = [place for place, entry in enumerate(entries, 1) if entry.kind == "final_answer"]
    return entries[answers[-1] :] if answers else entries
