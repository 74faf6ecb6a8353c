"""A brain takes a Prompt and returns a Reply. That is all the agent knows about any model."""

import base64
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol, Self, cast, runtime_checkable

from toolbelt.desktops import Window
from toolbelt.elements import Element
from toolbelt.ocr import Line
from world_model import Action, Step, Usage

DEFAULT_AHEAD: Final = 5  # actions that a reply may plan, with the first of them
CLOSEUP: Final = "The second is a part of the first, enlarged, as you asked. Points are those of the first."
SAID: Final = "Said by the person since; the last word counts"
LETTERS_PER_TOKEN: Final = 4  # of ASCII text, roughly; every other character is about one token

# How a brain's replies name places: pixels of the desktop, thousandths of its sides, pixels of the picture that it was
# sent, or marks of what is on the screen (a list of marks is sent to a brain that sees no picture).
Space = Literal["pixels", "thousandths", "image", "marks"]


@dataclass(frozen=True, slots=True)
class Picture:
    """The screen as it is sent to a model: an encoded image, scaled to the size that the model handles best."""

    content: bytes
    mime_type: str

    @property
    def base64(self) -> str:
        """The content in base64, as most services expect it."""
        return base64.b64encode(self.content).decode()


@dataclass(frozen=True, slots=True)
class Message:
    """One message in a conversation with a model."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str


@dataclass(frozen=True, slots=True)
class Word:
    """What the person said during a run, before its step `index`."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class PastRun:
    """What a run did of which the goal alone does not tell that: it ended in the middle, or the person was asked.

    Attributes:
        goal: what the person wanted, in their words.
        steps: what the run did.
        said: what the person said meanwhile.
        in_flight: the action in which it was stopped, so that nobody knows what came of it.
        since: the steps of the run that came next.
        is_done: whether it was carried out.
    """

    goal: str
    steps: tuple[Step, ...]
    said: tuple[Word, ...] = ()
    in_flight: Action | None = None
    since: tuple[Step, ...] = ()
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything that a brain is given for one thought.

    Attributes:
        system: role, rules and tools; the same in every prompt of a run.
        goal: what the person wants, in their words.
        scratchpad: what was thought, done and observed so far.
        notes: what the brain wanted to keep, word for word.
        now: the system, the time, the number of the step and the windows.
        past: returns the same as values, for a brain that is a program.
        earlier: the questions and answers of the same session.
        said: what the person said since the run began; it may change the goal.
        seen: the screen as another model describes it; empty if none does.
        things: what is on the screen, with its marks, for a brain that names places by marks.
        background: what a workflow found that may help, such as earlier runs.
        notices: what the brain must know now, such as an unusable reply or a limit that is near.
        picture: the screen.
        closeup: a part of the screen, enlarged, if the brain has just asked for it.
        read: reads the lines of text on the screen; takes time only when it is called.
        elements: finds what can be pointed at; takes time only when it is called.
        windows: returns the windows, as they are now.
        plain: whether the reply is plain words and not JSON.
        last: whether no step is left, so that only an answer is of use.
        usd_left: what the reply may cost; None without a limit.
    """

    system: str
    goal: str
    scratchpad: str
    notes: str = ""
    now: str = ""
    past: Callable[[], tuple[Step, ...]] = tuple
    earlier: tuple[tuple[str, str], ...] = ()
    said: tuple[Word, ...] = ()
    background: str = ""
    notices: tuple[str, ...] = ()
    seen: str = ""
    things: str = ""
    picture: Picture | None = None
    closeup: Picture | None = None
    read: Callable[[], tuple[Line, ...]] = tuple
    elements: Callable[[], tuple[Element, ...]] = tuple
    windows: Callable[[], tuple[Window, ...]] = tuple
    plain: bool = False
    last: bool = False
    usd_left: float | None = None

    @property
    def text(self) -> str:
        """Everything between the system part and the picture; what changes most comes last."""
        parts = {
            "Earlier": "\n\n".join(f"Question: {question}\nAnswer: {answer}" for question, answer in self.earlier),
            "Background": self.background,
            "Goal": self.goal,
            SAID: "\n".join(f"- Before step {word.index}: {word.text}" for word in self.said),
            "Your notes": self.notes,
            "So far": self.scratchpad or "(Nothing yet: this is the first step.)",
            "Now": self.now,
            "The screen, as another model describes it": self.seen,
            "On the screen: mark, role, text and place": self.things,
            "Pictures": CLOSEUP if self.closeup else "",
            "Notices": "\n".join(f"- {notice}" for notice in self.notices),
        }
        return "\n\n".join(f"# {title}\n{words}" for title, words in parts.items() if words)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures to send, in order."""
        return tuple(filter(None, (self.picture, self.closeup)))

    @property
    def messages(self) -> tuple[Message, ...]:
        """The prompt as a conversation, without the picture."""
        return Message("system", self.system), Message("user", self.text)

    def noticing(self, notice: str) -> Self:
        """Return the same prompt with one more notice."""
        return replace(self, notices=(*self.notices, notice))

    def showing(
        self, picture: Picture | None, read: Callable[[], tuple[Line, ...]], elements: Callable[[], tuple[Element, ...]]
    ) -> Self:
        """Return the same prompt with the screen."""
        return replace(self, picture=picture, read=read, elements=elements)

    def to_dict(self) -> dict[str, Any]:
        """Return its line in the journal; the picture is a file of its own."""
        return {"system": self.system, "text": self.text}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a brain said, and what that cost.

    Attributes:
        cut_off: whether the model hit its limit before it was finished.
        notices: what the person should know about the call.
        flaw: why the reply cannot be used, in words for the model; empty if nothing is known against it.
        foreseen: whether an earlier reply planned it, and no model was asked.
        ordered: whether it is a step of what was decided before as a whole, so that repeating it is meant.
        literal: whether the person ordered this very step, so that it needs no approval, and no model is to better it.
        left: what is still to do, in words; None if the brain does not say.
        choices: short answers to the question that it asks the person.
    """

    text: str
    usage: Usage = Usage()
    cut_off: bool = False
    notices: tuple[str, ...] = ()
    flaw: str = ""
    foreseen: bool = False
    ordered: bool = False
    literal: bool = False
    left: tuple[str, ...] | None = None
    choices: tuple[str, ...] = ()


def tokens_in(text: str) -> int:
    """Estimate the number of tokens in a text."""
    ascii_letters = len(text.encode("ascii", "ignore"))
    return ascii_letters // LETTERS_PER_TOKEN + len(text) - ascii_letters


@runtime_checkable
class Metered(Protocol):
    """A brain that can estimate the cost of a call."""

    def expected(self, prompt: Prompt) -> Usage:
        """Estimate what a call with this prompt costs."""


class Brain(Protocol):
    """Anything that thinks.

    A brain that plans nothing and only does what the goal says also has `follows_orders = True`. A goal in such words
    is consent by itself, and a repeated action is what was ordered.

    One whose calls leave nothing behind, so that a reply may be left unused, also has `stateless = True`.
    One that can tell how the person has changed the goal also has `goal_anew(prompt)`, which returns the goal for a run
    that begins anew, and nothing where it is as it was.
    One that reads a goal by the goals before it, each a text or a `PastRun`, has `following(goals)`, which returns the
    brain that knows them.
    One that can tell what a run that was stopped has left in the middle has `left_undone(run)`, which takes an
    `PastRun` and returns what the person is told of that, or nothing.
    One that sees the screen and still wants every text that an action made appear also has `wants_texts = True`.
    One whose replies may plan several actions also has `ahead`: how many of them are carried out at most.
    One that knows some replies without a call also has `foreseen(prompt)`, which returns such a reply or None, and
    `has_plan`: whether it knows the next one. One that can be given an action whose steps it knows has `begin(action)`.

    Attributes:
        name: as in `--brain`, such as `gemini:gemini-3.8-flash`.
        sight: the longer side, in pixels, of the pictures that it wants; 0 for none.
        space: how its replies name places.
    """

    name: str
    sight: int
    space: Space

    def think(self, prompt: Prompt) -> Reply:
        """Return a reply to the prompt.

        Raises:
            BusyError: the model is busy; the same call is repeated later.
            ModelError: there is no reply; the message says why and what to do.
        """


def follows_orders(brain: Brain) -> bool:
    """Whether a brain only does what the goal says; one that does not say so plans by itself."""
    return bool(getattr(brain, "follows_orders", False))


def is_stateless(brain: Brain) -> bool:
    """Whether the calls of a brain leave nothing behind; one that does not say so may count them."""
    return bool(getattr(brain, "stateless", False))


def goal_anew(brain: Brain, prompt: Prompt) -> str:
    """Return the goal for a run that begins anew, after all that was said; empty if the brain does not tell."""
    tell = getattr(brain, "goal_anew", None)
    return str(tell(prompt)) if callable(tell) else ""


def left_undone(brain: Brain, run: PastRun) -> str:
    """Return what a person is told of what a run that was stopped has left in the middle; empty if that is nothing."""
    tell = getattr(brain, "left_undone", None)
    return str(tell(run)) if callable(tell) else ""


def told_of(brain: Brain, goals: tuple[str | PastRun, ...]) -> Brain:
    """Return a brain that knows the goals of its conversation, if it can use them word for word.

    Args:
        brain: what it is without them.
        goals: those that were carried out, and what is known of runs whose goals do not tell all.
    """
    following = getattr(brain, "following", None)
    return cast("Brain", following(goals)) if callable(following) else brain


def wants_texts(brain: Brain) -> bool:
    """Whether a brain wants the texts that appeared and vanished even if they must be read for that."""
    return bool(getattr(brain, "wants_texts", not brain.sight))


def actions_ahead(brain: Brain) -> int:
    """Return how many actions of a reply are carried out at most; one, if the brain does not say so."""
    return int(getattr(brain, "ahead", 1))


def foreseen_by(brain: Brain, prompt: Prompt) -> Reply | None:
    """Return the reply that a brain knows without a call; None if it must be asked."""
    known = getattr(brain, "foreseen", None)
    reply = known(prompt) if callable(known) else None
    return reply if isinstance(reply, Reply) else None


def has_plan(brain: Brain) -> bool:
    """Whether a brain knows the next reply without a call."""
    return bool(getattr(brain, "has_plan", False))


def begin(brain: Brain, action: Action) -> bool:
    """Let an action be the next one of a brain that knows the steps that carry it out; return whether it knows them."""
    started = getattr(brain, "begin", None)
    return bool(started(action)) if callable(started) else False


def expected_of(brain: Brain, prompt: Prompt) -> Usage:
    """Estimate what a call costs."""
    return brain.expected(prompt) if isinstance(brain, Metered) else Usage(tokens_in(prompt.system + prompt.text))
