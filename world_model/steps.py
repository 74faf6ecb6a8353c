"""One turn of the loop: Thought, Action, Observation, and the Step that joins them."""

import operator
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, Self

from world_model.frames import Frame
from world_model.geometry import Point, Region
from world_model.messages import Place, parts_to_json, text_from_json

# Attributes of a change that are written only where they say something
_WINDOWS: Final = ("opened", "closed", "front", "retitled", "was_in_front")
_RARE: Final = ("became", "instead", "copied", "shown", *_WINDOWS, "unseen")
_FRONTS: Final = ("front_before", "front_after")  # the same of its regions
RefusedBy = Literal["guard", "person", "loop_detection", "takeover", "verification"]


@dataclass(frozen=True, slots=True)
class Thought:
    """What the brain said before it acted."""

    text: str


@dataclass(frozen=True, slots=True)
class Action:
    """A tool and its arguments; points in them are physical pixels of the whole desktop."""

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Its form in events and in the journal."""
        return {"tool": self.tool, "args": dict(self.args)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`."""
        return cls(data["tool"], dict(data["args"]))


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an action failed: one of `ERROR_CODES`, what happened, and what to try instead.

    Attributes:
        instead: names of tools that may help where this one failed.
        refused_by: what refused the action before it had an effect; None if the tool itself failed. `takeover` may also
            have interrupted it, and `verification` refuses the end of a run.
    """

    code: str
    message: str
    hints: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    refused_by: RefusedBy | None = None

    def to_dict(self) -> dict[str, Any]:
        """Its form in events and in the journal; `parts` are those of the message and of each hint, if any has some."""
        parts = [parts_to_json(text) for text in (self.message, *self.hints)]
        return {
            "code": self.code,
            "message": self.message,
            "hints": list(self.hints),
            **({"parts": parts} if any(parts) else {}),
            "instead": list(self.instead),
            "refused_by": self.refused_by,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`."""
        instead, refused_by = tuple(data.get("instead", ())), data.get("refused_by")  # missing in older journals
        texts = (data["message"], *data["hints"])
        message, *hints = map(text_from_json, texts, data.get("parts", [None] * len(texts)))
        return cls(data["code"], message, tuple(hints), instead, refused_by)


@dataclass(frozen=True, slots=True)
class ScreenChange:
    """What changed on the screen between the frame before an action and the settled frame after it.

    Attributes:
        changed: whether any pixel differs.
        settled_ms: time until the screen settled, in milliseconds, rounded to a tenth.
        settled: False if it was still changing when the wait ended.
        appeared: texts that are readable now and were not before, top to bottom.
        appeared_at: the middle of each of them, in pixels; empty where that is unknown.
        vanished: texts that were readable before and are gone.
        regions: where it changed.
        scrolled: by how many pixels the content of the largest region moved down; negative if it moved up.
        instead: what is shown in place of a text that was typed; empty where nothing differs.
        copied: whether a program put something on the clipboard.
        shown: whether it can be read on a screen that did not change what was typed: it may have arrived.
        opened: the titles of windows that opened.
        closed: the titles of windows that closed.
        front: the title of the window that came to the front; empty if none did.
        retitled: the new title of the window in front; empty if it kept its title.
        became: the role, name and new state of the control that was acted on, if its program says that it changed.
        unseen: whether the screen did not change, and an action of this kind shows nothing on it.
        was_in_front: the title of the window in front before the action; empty if there was none, or that is unknown.
        front_before: where that window was; of a dialog, with the window that it belongs to.
        front_after: where the window in front is now, as above.
    """

    changed: bool
    settled_ms: float = 0.0
    settled: bool = True
    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    regions: tuple[Region, ...] = ()
    scrolled: int = 0
    appeared_at: tuple[Point, ...] = ()
    instead: str = ""
    copied: bool = False
    shown: bool = False
    opened: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    front: str = ""
    retitled: str = ""
    unseen: bool = False
    became: tuple[str, ...] = ()
    was_in_front: str = ""
    front_before: Region | None = None
    front_after: Region | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "settled_ms", round(self.settled_ms, 1))
        if len(self.appeared_at) != len(self.appeared):
            object.__setattr__(self, "appeared_at", ())

    def to_dict(self) -> dict[str, Any]:
        """Its form in events and in the journal."""
        return {
            "changed": self.changed,
            "settled_ms": self.settled_ms,
            "settled": self.settled,
            "appeared": list(self.appeared),
            "vanished": list(self.vanished),
            "regions": [region.to_list() for region in self.regions],
            "scrolled": self.scrolled,
            **{name: list(value) if isinstance(value, tuple) else value for name, value in self._rare().items()},
            **({"appeared_at": [[at.x, at.y] for at in self.appeared_at]} if self.appeared_at else {}),
            **{name: region.to_list() for name in _FRONTS if (region := getattr(self, name))},
        }

    def _rare(self) -> dict[str, Any]:
        return {name: value for name in _RARE if (value := getattr(self, name))}

    @property
    def effect(self) -> bool:
        """Whether the action is known to have had an effect, on the screen or on the clipboard."""
        return self.changed or self.copied

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`."""
        return cls(
            data["changed"],
            data["settled_ms"],
            data["settled"],
            tuple(data["appeared"]),
            tuple(data["vanished"]),
            tuple(Region.from_list(region) for region in data["regions"]),
            operator.index(data.get("scrolled", 0)),  # this and the rest are missing in older journals
            tuple(Point(*at) for at in data.get("appeared_at", ())),
            data.get("instead", ""),
            data.get("copied", False),
            data.get("shown", False),
            tuple(data.get("opened", ())),
            tuple(data.get("closed", ())),
            data.get("front", ""),
            data.get("retitled", ""),
            data.get("unseen", False),
            tuple(data.get("became", ())),
            data.get("was_in_front", ""),
            *(Region.from_list(data[name]) if name in data else None for name in _FRONTS),
        )


@dataclass(frozen=True, slots=True)
class Observation:
    """The result of an action, and what changed on the screen.

    Attributes:
        ok: whether the tool succeeded.
        text: what it says, uncut; a `PlacedText` where it names places.
        data: what it returned, as JSON values.
        error: why it failed; None if it succeeded.
        screen: what changed on the screen; None without a desktop.
        places: where it acted, in order: of a drag from the start to the end.
    """

    ok: bool
    text: str
    data: Any = None
    error: Problem | None = None
    screen: ScreenChange | None = None
    places: tuple[Place, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Its form in events and in the journal; `parts` are those of the text, if it names places."""
        parts = parts_to_json(self.text)
        return {
            "ok": self.ok,
            "text": self.text,
            **({"parts": parts} if parts else {}),
            "data": self.data,
            "error": self.error.to_dict() if self.error else None,
            "places": [place.to_dict() for place in self.places],
            "screen": self.screen.to_dict() if self.screen else None,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`."""
        error, screen = data["error"], data["screen"]
        return cls(
            data["ok"],
            text_from_json(data["text"], data.get("parts")),
            data["data"],
            Problem.from_dict(error) if error else None,
            ScreenChange.from_dict(screen) if screen else None,
            tuple(map(Place.from_dict, data["places"])),
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model call cost.

    Attributes:
        input_tokens: the whole prompt, including cached tokens.
        output_tokens: including hidden reasoning.
        cost_usd: None if the price is unknown.
        cached_tokens: input tokens that the provider had cached, which cost less.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    cached_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Input and output tokens together."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        known = self.cost_usd is not None and other.cost_usd is not None
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
            self.cached_tokens + other.cached_tokens,
        )

    def to_dict(self) -> dict[str, float | None]:
        """Its form in events and in the journal; `cached_tokens` only if there are any."""
        told = asdict(self)
        return told if self.cached_tokens else {name: told[name] for name in told if name != "cached_tokens"}


@dataclass(frozen=True, slots=True)
class Timing:
    """The time that each part of a step took, in milliseconds, rounded to a tenth."""

    look_ms: float = 0.0
    think_ms: float = 0.0
    act_ms: float = 0.0
    settle_ms: float = 0.0
    other_ms: float = 0.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            object.__setattr__(self, name, round(value, 1))

    @property
    def seconds(self) -> float:
        """The whole step, in seconds."""
        return (self.look_ms + self.think_ms + self.act_ms + self.settle_ms + self.other_ms) / 1000

    def to_dict(self) -> dict[str, float]:
        """Its form in events and in the journal."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of the loop: look, think, act, look again.

    Attributes:
        index: counts from 1.
        before: the screen that the brain decided on; None without a desktop.
        after: the settled screen after the action. The dictionary form has the digests of both.
        foreseen: whether an earlier reply planned it, and no model was asked.
        note: what the brain wants to keep in every later prompt.
    """

    index: int
    thought: Thought
    action: Action
    observation: Observation
    before: Frame | None = None
    after: Frame | None = None
    usage: Usage = Usage()
    timing: Timing = Timing()
    foreseen: bool = False
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Its line in the journal."""
        return {
            "index": self.index,
            "thought": self.thought.text,
            "action": self.action.to_dict(),
            "observation": self.observation.to_dict(),
            "before": self.before.digest if self.before else None,
            "after": self.after.digest if self.after else None,
            "timing": self.timing.to_dict(),
            "usage": self.usage.to_dict(),
            "foreseen": self.foreseen,
            **({"note": self.note} if self.note else {}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], frames: Mapping[str, Frame] | None = None) -> Self:
        """The inverse of `to_dict`; `frames` has the images by digest, and a missing one becomes None."""
        seen = frames or {}
        return cls(
            data["index"],
            Thought(data["thought"]),
            Action.from_dict(data["action"]),
            Observation.from_dict(data["observation"]),
            seen.get(data["before"]),
            seen.get(data["after"]),
            Usage(**data["usage"]),
            Timing(**data["timing"]),
            bool(data.get("foreseen", False)),  # missing in older journals
            data.get("note", ""),
        )
