"""ReactAgent: answer a question with a few tools, without a screen."""

from collections.abc import Sequence
from typing import Any, Final

from pydantic import PydanticUserError

from mark_i.agent import AgentCore
from mark_i.brain import Brain, Prompt, Reply
from mark_i.brains import brain_named
from mark_i.brains.access import Access
from mark_i.budget import Budget
from mark_i.events import Event
from mark_i.loop.parts import Limits
from mark_i.prompts.builder import MAX_OBSERVATION_CHARS
from toolbelt.belt import Toolbelt
from toolbelt.standard import standard_toolbelt
from world_model import Halt, LimitError, ModelError, cut, problem

DEFAULT_STEPS: Final = 10
PREVIEW_CHARS: Final = 200  # characters of what is sent, in the verbose log
RULE: Final = "=" * 40


class StepLimitReached(LimitError):  # noqa: N818 - the name that its users know
    """All steps are used, and there is no answer yet."""

    def __init__(self, steps: int) -> None:
        super().__init__("limit_steps", f"There is no answer after {steps} steps. Allow more with max_steps.")


class ReactAgent:
    """Thinks, uses a tool, reads the result, and continues until it can answer.

    Args:
        tools: functions with `@tool`, or objects whose methods are tools.
        model: a brain, or the name of one, such as `gemini`.
        key: the API key, for a brain that needs one.

    Raises:
        ValueError: there is no tool, or one of them is not a tool.
    """

    def __init__(self, tools: Sequence[object], model: Brain | str, key: str | None = None) -> None:
        if not tools:
            raise ValueError("ReactAgent requires at least one tool.")
        try:
            self._toolbelt = standard_toolbelt(None, *tools)
        except (TypeError, NameError, PydanticUserError) as error:
            raise ValueError(f"Invalid tool: {error}") from error
        self._brain = brain_named(model, Access(lambda _vendor: key)) if isinstance(model, str) else model

    def run(self, question: str, *, max_steps: int = DEFAULT_STEPS, verbose: bool = False) -> str:
        """Return the answer; with `verbose`, print every thought, call and result as it happens.

        Raises:
            StepLimitReached: there is no answer after `max_steps` steps and one last question.
            ModelError: the model gave no usable reply.
        """
        brain = _Verbose(self._brain) if verbose else self._brain
        agent = AgentCore(brain, self._toolbelt, limits=Limits(Budget(steps=max_steps)))
        log = _Log(question, self._toolbelt, max_steps) if verbose else None
        for event in agent.run(question):
            if log:
                log.write(event)
            outcome = event.outcome
        assert outcome is not None  # noqa: S101 - the last event of a run is its end
        match outcome.name:
            case "stopped":
                raise Halt
            case "limit_steps" if outcome.answer is None:
                raise StepLimitReached(max_steps)
            case "model_error":
                raise ModelError(outcome.summary)
            case "limit_steps":
                return str(outcome.answer)
        return outcome.summary


class _Verbose:
    """A brain whose prompts and replies are printed."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self.name, self.sight, self.space = brain.name, brain.sight, brain.space

    def think(self, prompt: Prompt) -> Reply:
        """Return the reply of the brain."""
        _say(f"\nSENDING TO LLM:\n{cut(prompt.text, PREVIEW_CHARS)}\n[API] Calling {self.name}...")
        reply = self._brain.think(prompt)
        _say(f"[API] Response received (length: {len(reply.text)} chars)\n\nLLM RESPONSE:\n{reply.text}")
        return reply


class _Log:
    """Prints the events of a run."""

    def __init__(self, question: str, toolbelt: Toolbelt, steps: int) -> None:
        self._steps = steps
        self._endings = {tool.name for tool in toolbelt if tool.ending}
        tools = [tool.name for tool in toolbelt]
        _say(f"{RULE * 2}\nREACT AGENT STARTING\n{RULE * 2}\n\nTASK: {question}\n\nAVAILABLE TOOLS: {tools}")

    def write(self, event: Event) -> None:
        """Print one event."""
        data = event.data
        match event.event:
            case "thinking" if data["last"]:
                _say(f"\n{RULE} FINAL ATTEMPT {RULE}")
            case "thinking":
                _say(f"\n{RULE} STEP {data['index']}/{self._steps} {RULE}")
            case "thought" if data["text"]:
                _say(f"\n[SCRATCHPAD]: {data['text']}")
            case "action" if data["tool"] not in self._endings:  # the answer is printed at the end
                self._action(data)
            case "step" if event.step and event.step.action.tool not in self._endings:
                self._observation(event)
            case "notice":
                _say(f"[!] {data['text']}")
            case "ended":
                _say(f"\n{RULE * 2}\nFINAL ANSWER: {data['summary']}\n{RULE * 2}")

    def _action(self, data: Any) -> None:  # noqa: ANN401 - JSON values
        _say(f"[TOOL CALL]: {data['tool']}\n[ARGUMENTS]: {data['args']}\n[EXECUTING]: {data['tool']}({data['args']})")

    def _observation(self, event: Event) -> None:
        assert event.step is not None  # noqa: S101 - it is a step
        seen = event.step.observation
        if seen.error:
            _say(f"[ERROR]: {problem(seen.error)}")
            return
        _say(f"[OBSERVATION]: {cut(seen.text, PREVIEW_CHARS)}")
        if len(seen.text) > MAX_OBSERVATION_CHARS:
            _say(f"[NOTE]: Output truncated from {len(seen.text)} to {MAX_OBSERVATION_CHARS} chars")


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - what `verbose` asks for
