"""The end of a run: whether a step ends it, what counts as done, and in which words the person is told."""

import contextlib
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from mark_i.brain import Brain, follows_orders
from mark_i.events import STRICT, Event, Outcome, OutcomeName, Style
from mark_i.loop.evidence import KINDS, checked, objections
from mark_i.loop.facts import RunFacts
from mark_i.loop.file_evidence import found_file
from mark_i.loop.goal_words import asks, orders
from mark_i.loop.how_shown import how_shown, in_file, saved_by
from mark_i.loop.model_calls import ModelCalls
from mark_i.loop.unsupported import counts, unsupported, unsupported_in
from mark_i.loop.verdict import Verdict
from mark_i.prompts.builder import STYLES, PromptBuilder
from mark_i.replies import Decision, parse
from toolbelt.belt import Toolbelt
from toolbelt.tool import Ending
from world_model import (
    Action,
    LimitError,
    ModelError,
    Observation,
    Problem,
    ReplyError,
    Step,
    ToolFailure,
    verbatim,
)

NO_DATA: Final = "No observation holds data that could answer this."
SAY_KIND: Final = (
    'You end the run and do not say what its goal asks for. Reply once more, with "kind": "deed" if something was to '
    'be done, or "kind": "answer" if the goal only asks to be told or shown something. If it is not done yet, do it.'
)
NO_RESULT: Final = Observation(
    ok=False,
    text="",
    error=Problem("INVALID_ARGS", "The run must end with a result that fits its schema.", ("Call finish with it.",)),
)
FOR_PEOPLE: Final = frozenset(
    {"idle", "shown", "path", "saved"}
)  # what a piece of evidence says beyond what a model needs
SAID_IN_ARGS: Final = frozenset({"summary", "evidence"})  # arguments that mean the same in every ending tool


class Finisher:
    """Ends one run in the style that the person chose; the brain may choose if the person did not.

    Args:
        brain: plans the run.
        reply: writes the final words; None if the brain's own words stay.
        style: how the person wants the answer.
        calls: the way to the models.
        prompting: makes the prompts.
        has_schema: whether the run must end with a result.
    """

    def __init__(  # noqa: PLR0913 - the parts of an end
        self,
        brain: Brain,
        reply: Brain | None,
        style: Style,
        calls: ModelCalls,
        prompting: PromptBuilder,
        *,
        has_schema: bool = False,
    ) -> None:
        self._brain = brain
        self._reply = reply
        self._style = style
        self._calls = calls
        self._prompting = prompting
        self._has_schema = has_schema
        self._sent_back = False  # the agent was told that nothing was done yet, or that its evidence proves nothing
        self._kept: tuple[Any, ...] = ()  # evidence that was confirmed when the agent was sent back
        self._standing: tuple[int, Outcome] | None = None  # how the run ends if the agent, sent back, says nothing more

    def reconsidered(
        self, ending: Ending, wanted: Style | None, known: RunFacts, *, ask: bool, foreseen: bool = False
    ) -> tuple[Ending, Observation | None]:
        """Return the ending with the evidence that was confirmed before, and why the agent is sent back, if it is.

        It is sent back once: because nothing was done yet, or because what it gave proves nothing. An end that was
        foreseen does not count: who gave its evidence had not seen the screen yet.

        Args:
            ending: what the agent says of the end.
            wanted: the style that it asked for.
            known: what the end is checked against.
            ask: whether it can be sent back because of its evidence.
            foreseen: whether the end was planned before.
        """
        if self._has_schema and not ending.result:
            return ending, NO_RESULT
        if not self._sent_back and (refusal := premature(ending, known)):
            self._sent_back = not foreseen
            return ending, refusal
        kept = (piece for piece in self._kept if piece not in ending.evidence)
        ending = replace(ending, evidence=(*kept, *ending.evidence))
        outcome = concluded(ending, known, self._chosen(wanted), forgiving=self._forgives(known))
        if outcome.name != "done_unverified" or not (ending.evidence or ending.kind == "deed"):
            return ending, None
        idle = not known.deeds() and ending.kind != "answer"
        if not ask or self._sent_back or outcome.unsupported or idle:
            return ending, None
        self._sent_back = not foreseen
        confirmed = (one["confirmed"] for one in outcome.evidence)
        self._kept = tuple(piece for piece, good in zip(ending.evidence, confirmed, strict=False) if good)
        self._standing = len(known.world_model) + 1, outcome
        return ending, unproven(outcome)

    def standing(self, steps: int) -> Outcome | None:
        """Return how a run ends whose agent was sent back with its last step, and cannot be asked again."""
        index, outcome = self._standing or (0, None)
        return outcome if index == steps else None

    def after(
        self, step: Step, ending: Ending | None, wanted: Style | None, known: RunFacts
    ) -> Generator[Event, None, Outcome | None]:
        """Return how the run ends with this step, or None if it continues.

        Args:
            step: the newest step.
            ending: what the step says of the end; None if it is not one.
            wanted: the style that the brain asked for with this step.
            known: what the end is checked against.
        """
        if not ending:
            as_it_is = wanted == "verbatim" and self._style != "summary" and not self._has_schema
            return shown(step, known) if as_it_is else None
        style = self._chosen(wanted)
        if ending.done:
            ending = yield from self._worded(known.goal, step.index, ending, style)
        # Before its words are looked at one by one: a part of a secret is not recognised any more.
        ending = self._calls.secrets.cleared(ending)
        own = self._own_words(ending, known, style)
        computed = follows_orders(self._brain) or self._calls.literal
        return own or concluded(ending, known, style, computed=computed, forgiving=self._forgives(known))

    def _forgives(self, known: RunFacts) -> bool:
        """Whether objections do not count any more: the person changed the goal, and the agent was told of them."""
        return self._sent_back and known.is_changed

    def _own_words(self, ending: Ending, known: RunFacts, style: Style) -> Outcome | None:
        """Return the outcome if a brain that only follows orders answers of itself, such as what it understands.

        It looked at nothing and says nothing of the screen, so there is nothing to verify.
        """
        own = follows_orders(self._brain) and ending.done and ending.kind == "answer" and not ending.evidence
        if not own or any(known.worked()):
            return None
        return Outcome("done", ending.summary, style=style, answer=ending.summary)

    def needs_kind(self, decision: Decision, toolbelt: Toolbelt, facts: Callable[[], RunFacts]) -> bool:
        """Whether the brain ends the run and leaves open what the end depends on: a deed, or an answer."""
        ending = announced(decision.action, toolbelt)
        if ending is None or ending.kind:
            return False
        if not toolbelt[decision.action.tool].kinds.keys() >= SAID_IN_ARGS:
            return True
        known, style = facts(), self._chosen(decision.style)
        return len({concluded(replace(ending, kind=kind), known, style).name for kind in KINDS}) > 1

    def at_the_limit(self, index: int, steps: int, known: RunFacts) -> Generator[Event, None, Outcome]:
        """Return how the run ends when no step is left, after one more question: for the best answer so far."""
        limit = f"The limit of {steps} {'step' if steps == 1 else 'steps'} was reached before the goal."
        answer = None
        try:
            if self._style not in STRICT:
                prompt = self._prompting.last(self._brain, known.goal)
                answer = yield from self._calls.once(self._brain, prompt, index, last_answer)
        except (ModelError, LimitError) as error:
            yield self._calls.notice(f"There is no answer so far: {error}")
        return best_so_far(known, self._style, limit, self._calls.secrets.redacted(answer))

    def _chosen(self, wanted: Style | None) -> Style:
        return wanted or "default" if self._style == "default" else self._style

    def _worded(self, goal: str, index: int, ending: Ending, style: Style) -> Generator[Event, None, Ending]:
        """Have the final words written, if a summary or a model of its own was asked for; else keep the brain's."""
        if style not in STYLES or (style == "default" and not self._reply):
            return ending
        try:
            prompt = self._prompting.words(goal, style)
            words = yield from self._calls.ask(self._reply or self._brain, prompt, index, plain_words)
        except (ModelError, LimitError) as error:
            yield self._calls.notice(f"The final words could not be had: {error}")
            return ending
        return replace(ending, summary=words)


def announced(action: Action, toolbelt: Toolbelt) -> Ending | None:
    """Return the ending that the arguments of an ending tool with a `kind` announce; None for any other action.

    The tool is not called: the guard has not judged the action yet, and an ending may have an effect.
    """
    if action.tool not in toolbelt or not (tool := toolbelt[action.tool]).ending or "kind" not in tool.kinds:
        return None
    try:
        tool.validated(action.args)
    except ToolFailure:  # the call will report what is wrong
        return None
    args = action.args
    evidence = tuple(_given(piece) for piece in args.get("evidence") or ())
    return Ending(done=True, summary=str(args.get("summary", "")), evidence=evidence, kind=args.get("kind"))


def _given(piece: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a piece of evidence without the fields that are null."""
    return {name: one for name, one in piece.items() if one is not None} if isinstance(piece, Mapping) else piece


def shown(step: Step, known: RunFacts) -> Outcome | None:
    """Return the outcome if what this step returned is the answer: it goes to the person as it is.

    The brain said that the goal asks for no more. It must be true that nothing was done but looking, and that what was
    looked up is named in the goal.
    """
    seen = step.observation
    asked = [value for value in step.action.args.values() if isinstance(value, str) and re.search(r"\w", value)]
    if not seen.text or not known.looked(step) or known.deeds() or not all(value in known.goal for value in asked):
        return None
    evidence = ({"observation": step.index, "confirmed": True},)  # what it shows is the answer itself
    return Outcome("done", seen.text, evidence, "verbatim", ({"step": step.index, "text": seen.text},), direct=True)


def premature(ending: Ending, known: RunFacts) -> Observation | None:
    """Return what the agent is told if it calls a deed done and did nothing yet."""
    if not ending.done or ending.kind != "deed" or known.deeds():
        return None
    hint = "Do it with a tool, or use fail and say why it cannot be done."
    told = "The goal asks for a deed, and nothing was done yet."
    return Observation(ok=False, text="", error=Problem("NO_CHANGE", told, (hint,), refused_by="verification"))


def unproven(outcome: Outcome) -> Observation:
    """Return what the agent is told whose evidence does not prove that the goal is reached."""
    reasons = [str(one.get("reason") or one.get("doubt")) for one in outcome.evidence if not one["confirmed"]]
    told = "It is not proven that the goal is reached. Look, do what is missing, and finish with better evidence."
    hints = tuple(reasons) or ("No evidence was given.",)
    data = [{name: value for name, value in one.items() if name not in FOR_PEOPLE} for one in outcome.evidence]
    return Observation(ok=False, text="", data=data, error=Problem("NO_CHANGE", told, hints, refused_by="verification"))


def concluded(
    ending: Ending, known: RunFacts, style: Style, *, computed: bool = False, forgiving: bool = False
) -> Outcome:
    """Return how the run ended. Only what is verified is `done`; a deed must have been done as well.

    If nobody said what the goal asks for, it must be done by the rules for a deed and by those for an answer.

    Args:
        ending: what the brain says of the end.
        known: what it is checked against.
        style: of the answer.
        computed: whether a program made the answer of what it found, and what it did of the goal: no figure is doubted.
        forgiving: whether objections do not count, since the person changed the goal and the agent was told of them.
    """
    if not ending.done:
        return Outcome("failed", ending.summary, answer=ending.summary)
    strict = style in STRICT
    sources = tuple(_sources(ending.evidence, known, style)) if strict else ()
    summary = _joined(sources) if strict else ending.summary
    order = not asks(known.goal) and (known.deeds() or orders(known.goal))
    kind = None if ending.kind == "answer" and order else ending.kind
    evidence = checked(ending.evidence, known, summary, kind, computed=computed)
    confirmed = any(worth.proves for _, worth in evidence) and not any(worth.wrong for _, worth in evidence)
    good = [piece for piece, (_, worth) in zip(ending.evidence, evidence, strict=True) if worth.proves]
    doubted = [] if strict or computed else list(unsupported(summary, known))
    doubted += unsupported_in(ending.result.value, known) if ending.result and not computed else []
    doubtful = tuple(one for one in dict.fromkeys(doubted) if one not in counts(good, known))
    if sources and not evidence:
        confirmed = True  # it says nothing but what was found
    answer = kind == "answer"
    against = tuple(objections(good, known, kind=kind, answer=summary))
    acted = answer or known.deeds()
    done = confirmed and acted and (forgiving or not against) and (not doubtful or ending.kind == "deed")
    name: OutcomeName = "done" if done else "done_unverified"
    given = (
        *(_told_piece(piece, worth, known) for piece, worth in evidence),
        *({"doubt": one, "confirmed": False} for one in against),
    )
    return Outcome(name, summary, given, style, sources, doubtful, ending.summary, result=ending.result)


def _told_piece(piece: Mapping[str, Any], worth: Verdict, known: RunFacts) -> Mapping[str, Any]:
    shown = how_shown(piece, known) if worth.proves else None
    if not (worth.proves or worth.wrong):
        shown = in_file(piece, known)  # true, whatever it proves
    name = piece.get("text") if shown and shown["how"] == "file" else piece.get("file")
    path = found_file(name, known.files) if worth.proves and isinstance(name, str) else None
    saved = saved_by(piece, known)
    files = {"path": path and str(path), "saved": saved and str(saved)}
    more = {"reason": worth.reason, "idle": worth.idle, "shown": shown, **files}
    return {**piece, "confirmed": worth.proves, **{name: value for name, value in more.items() if value}}


def best_so_far(known: RunFacts, style: Style, limit: str, answer: str | None) -> Outcome:
    """The outcome at the last step: the best answer, in a strict style only what was found."""
    if style in STRICT:
        sources = tuple(_sources((), known, style))
        return Outcome("limit_steps", f"{limit}\n{_joined(sources)}", style=style, sources=sources)
    if answer is None:
        return Outcome("limit_steps", limit, style=style)
    doubtful = tuple(unsupported(answer, known))
    told = f"{limit} The best answer so far: {answer}"
    return Outcome("limit_steps", told, style=style, unsupported=doubtful, answer=answer)


def _joined(sources: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(one["text"] for one in sources) or NO_DATA


def last_answer(text: str) -> str:
    """The answer in a reply to the last question.

    Raises:
        ReplyError: there is none; an action is none.
    """
    if (answer := parse(text).answer) is None:
        raise ReplyError("The reply gives no answer.")
    return answer


def plain_words(text: str) -> str:
    """Words that were asked for as they are, also where a model put them into a reply's form.

    Raises:
        ReplyError: there are none.
    """
    words = text.strip()
    if words.startswith("{"):
        with contextlib.suppress(ReplyError):
            words = last_answer(words)
    if not words:
        raise ReplyError("The reply is empty.")
    return words


def _sources(evidence: Sequence[Any], known: RunFacts, style: Style) -> Iterator[dict[str, Any]]:
    """What the answer is made of, each line with its step: the steps that were named, or all that found something."""
    named = {piece["observation"] for piece in evidence if isinstance(piece, Mapping) and "observation" in piece}
    steps = [step for step in known.worked() if known.found(step) and (not named or step.index in named)]
    for step in steps:
        seen = step.observation
        text = verbatim(seen.data) if style == "verbatim" and seen.data is not None else seen.text
        for line in [text] if style == "verbatim" else text.splitlines():
            if line.strip():
                yield {"step": step.index, "text": line}
