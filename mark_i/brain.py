"""A brain: it gets a Prompt and gives a Reply. That is all the agent knows of any model."""

import base64
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol, Self, runtime_checkable

from toolbelt.ocr import Line
from world_model import Step, Usage

LETTERS_PER_TOKEN: Final = 4  # of English, a token, about; of other scripts each is one

# Of places in replies: pixels of the desktop, thousandths of its sides, pixels of the picture that was sent, or marks
# of the things on the screen, which are listed for a brain that sees nothing.
Space = Literal["pixels", "thousandths", "image", "marks"]


@dataclass(frozen=True, slots=True)
class Picture:
    """The screen as it is sent: an encoded image, scaled to what the brain sees best."""

    content: bytes
    mime_type: str

    @property
    def base64(self) -> str:
        """As most services want it."""
        return base64.b64encode(self.content).decode()


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything that one thought is made from.

    Attributes:
        system: role, rules and tools; the same in every prompt of a run.
        goal: what the person wants, in their words.
        scratchpad: what was thought, done and observed so far.
        past: gives the same as values, for a brain that is a program.
        earlier: questions of the same session, each with its answer.
        seen: the screen in words, where another model looked at it.
        things: what is on the screen, each thing with its mark, for a brain whose places are marks.
        background: what a workflow found that may help, such as earlier runs.
        notices: what the agent must know now: a reply that could not be read, a limit that is near.
        picture: the screen.
        read: reads the lines of text off the screen; costs time only when it is called.
        plain: whether words are asked for, and not a reply in JSON.
        usd_left: what the reply may cost, where that is limited.
    """

    system: str
    goal: str
    scratchpad: str
    past: Callable[[], tuple[Step, ...]] = tuple
    earlier: tuple[tuple[str, str], ...] = ()
    background: str = ""
    notices: tuple[str, ...] = ()
    seen: str = ""
    things: str = ""
    picture: Picture | None = None
    read: Callable[[], tuple[Line, ...]] = tuple
    plain: bool = False
    usd_left: float | None = None

    @property
    def text(self) -> str:
        """What comes after the system part, before the picture; what changes most comes last."""
        parts = {
            "Earlier": "\n\n".join(f"Question: {question}\nAnswer: {answer}" for question, answer in self.earlier),
            "Background": self.background,
            "Goal": self.goal,
            "So far": self.scratchpad or "(Nothing yet: this is the first step.)",
            "The screen, as another model describes it": self.seen,
            "On the screen: mark, role, text and place": self.things,
            "Notices": "\n".join(f"- {notice}" for notice in self.notices),
        }
        return "\n\n".join(f"# {title}\n{words}" for title, words in parts.items() if words)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The same as a conversation, without the picture."""
        return Message("system", self.system), Message("user", self.text)

    def noticing(self, notice: str) -> Self:
        """The same prompt with one notice more."""
        return replace(self, notices=(*self.notices, notice))

    def showing(self, picture: Picture | None, read: Callable[[], tuple[Line, ...]]) -> Self:
        """The same prompt with the screen."""
        return replace(self, picture=picture, read=read)

    def to_dict(self) -> dict[str, Any]:
        """Its line in the journal; the picture lies beside it."""
        return {"system": self.system, "text": self.text}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a brain said, in its own words, and what that cost.

    Attributes:
        cut_off: the model had more to say and was not allowed to.
        notices: what the person should know of the call.
    """

    text: str
    usage: Usage = Usage()
    cut_off: bool = False
    notices: tuple[str, ...] = ()


def tokens_in(text: str) -> int:
    """About how many tokens a text is."""
    ascii_letters = len(text.encode("ascii", "ignore"))
    return ascii_letters // LETTERS_PER_TOKEN + len(text) - ascii_letters


@runtime_checkable
class Metered(Protocol):
    """A brain that can say before a call what it is likely to cost."""

    def expected(self, prompt: Prompt) -> Usage:
        """About what a call with that prompt costs."""


class Brain(Protocol):
    """Anything that thinks.

    A brain that plans nothing and only does what the goal says also has `follows_orders = True`. A goal in such words
    is consent by itself, and a repeated action is what was ordered.

    Attributes:
        name: how it was asked for, such as `gemini:gemini-3.8-flash`.
        sight: the longest side, in pixels, of the picture that it wants of the screen; 0 for none.
        space: what the points in its replies mean.
    """

    name: str
    sight: int
    space: Space

    def think(self, prompt: Prompt) -> Reply:
        """One thought.

        Raises:
            BusyError: there is none just now; the same call may work later, and is made again.
            ModelError: there is no reply to be had; the message says why and what to do.
        """


def follows_orders(brain: Brain) -> bool:
    """Whether a brain only does what the goal says; one that does not say so plans by itself."""
    return bool(getattr(brain, "follows_orders", False))
