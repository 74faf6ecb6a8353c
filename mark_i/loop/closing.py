"""Closing a run: whether the last step ends it, and in whose words that is told."""

from collections.abc import Generator

from mark_i.brain import Brain
from mark_i.events import STRICT, Event, Outcome, Style
from mark_i.loop.evidence import Known
from mark_i.loop.model_calls import Asking
from mark_i.loop.outcome import best_so_far, concluded, last_answer, plain_words, shown
from mark_i.prompts.builder import WORDS, Prompting
from toolbelt.tool import Ending
from world_model import LimitError, ModelError, Step


class Closing:
    """Ends one run, in the style that the person chose; the brain may choose where the person did not."""

    def __init__(self, brain: Brain, reply: Brain | None, style: Style, asking: Asking, prompting: Prompting) -> None:
        self._brain = brain
        self._reply = reply
        self._style = style
        self._asking = asking
        self._prompting = prompting

    def after(
        self, step: Step, ending: Ending | None, wanted: Style | None, known: Known
    ) -> Generator[Event, None, Outcome | None]:
        """How the run ends with this step, or None where it goes on."""
        style = wanted or "default" if self._style == "default" else self._style
        if not ending:
            return shown(step, known, style)
        if ending.done:
            ending = yield from self._worded(known.goal, step.index, ending, style)
        # Before its words are looked at one by one: a part of a secret is not recognised any more.
        return concluded(self._asking.secrets.cleared(ending), known, style)

    def at_the_limit(self, index: int, steps: int, known: Known) -> Generator[Event, None, Outcome]:
        """How the run ends when no step is left: with one question more, for the best answer so far."""
        limit = f"The limit of {steps} {'step' if steps == 1 else 'steps'} was reached before the goal."
        answer = None
        try:
            if self._style not in STRICT:
                prompt = self._prompting.last(self._brain, known.goal)
                answer = yield from self._asking.once(self._brain, prompt, index, last_answer)
        except (ModelError, LimitError) as error:
            yield self._asking.notice(f"There is no answer so far: {error}")
        return best_so_far(known, self._style, limit, self._asking.secrets.redacted(answer))

    def _worded(self, goal: str, index: int, ending: Ending, style: Style) -> Generator[Event, None, Ending]:
        """The final words, where a model of its own or a summary was asked for; without them those of the plan stay."""
        if style not in WORDS or (style == "default" and not self._reply):
            return ending
        try:
            prompt = self._prompting.words(goal, style)
            words = yield from self._asking.ask(self._reply or self._brain, prompt, index, plain_words)
        except (ModelError, LimitError) as error:
            yield self._asking.notice(f"The final words could not be had: {error}")
            return ending
        return Ending(done=True, summary=words, evidence=ending.evidence)
