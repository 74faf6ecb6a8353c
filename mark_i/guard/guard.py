"""The guard: decides every action before it is done. What a model says of its safety changes nothing."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

from mark_i.guard.policy import BINS, Facts, Policy, Rule, says
from mark_i.guard.provenance import Piece, command, hosts_of, paths_of, pieces_of, secrets, unknown
from mark_i.guard.secrets import names_in, texts_in
from toolbelt.belt import Toolbelt
from toolbelt.desktops import Window, is_terminal, parse_key, pastes
from toolbelt.parameters import (
    Address,
    Aimed,
    AppName,
    Chosen,
    Command,
    FileContent,
    FilePath,
    KeyNames,
    ParameterRole,
    Runs,
    Typed,
    Unmarked,
    WindowTitle,
)
from toolbelt.perception import Eyes
from toolbelt.targeting import Aim, aims_of
from toolbelt.tool import Risk, Tool
from toolbelt.tools import window_named
from world_model import (
    Action,
    Frame,
    Observation,
    Point,
    Problem,
    RefusedBy,
    Region,
    ToolFailure,
    WorldModel,
    cut,
    message,
)

Choice = Literal["once", "run", "no"]

USED: Final = frozenset({Unmarked, Typed, Runs, Command, Chosen})  # arguments that are typed, run or chosen
RUN: Final = USED - {Typed}  # of these, what may do harm wherever a risky word is in it
TYPED: Final = frozenset({Unmarked, Typed})  # and what is a command where the focus is in a shell
NAMING: Final = frozenset({WindowTitle, AppName})  # what names a window or an application
SILENT: Final = frozenset({Aimed, KeyNames, FileContent})  # no text, or one that goes nowhere
ANOTHER_WAY: Final = "Do it another way, or give up and say why."
BEFOREHAND: Final = "The person can allow it when they start MARK-I: with --yes, or with a policy."
STAKES: Final = {
    "look": "looks",
    "act": "uses the desktop",
    "write": "leaves something behind",
    "danger": "may do harm",
}
GONE: Final = Problem(
    "STALE_TARGET",
    "What the person agreed to is not there any more as it was when they were asked: nothing was done.",
    ("Look at the screen as it is now, and choose again.",),
    refused_by="guard",
)
LONGEST: Final = 120  # characters of what is quoted in a reason


@dataclass(frozen=True, slots=True)
class Approval:
    """What a person is asked before an action is done.

    Attributes:
        tier: how much is at stake.
        why: the reasons why they are asked, in words.
        place: the part of the desktop that the action is aimed at.
        window: the title of the window that it goes to.
    """

    action: Action
    tier: Risk
    why: str
    place: Region | None = None
    window: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Its part of the `approval` event."""
        place = self.place.to_list() if self.place else None
        return {**self.action.to_dict(), "tier": self.tier, "why": self.why, "place": place, "window": self.window}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person decided: once, for the rest of the run, or no; and what the agent is to do instead, or where."""

    choice: Choice
    instead: str = ""
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A text of an action, and what is done with it; `is_read` is False where nobody knows what it is."""

    role: type[ParameterRole]
    text: str
    is_read: bool = True


COPIED: Final = Said(Typed, "(what was copied)", is_read=False)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a person is asked: `key` is what they allow for the rest of the run."""

    key: str
    words: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What the guard thinks of an action: allowed where there is neither a refusal nor a reason to ask.

    Attributes:
        aims: what stood where it is aimed at, when a person was asked.
    """

    refusal: Observation | None = None
    reasons: tuple[Reason, ...] = ()
    approval: Approval | None = None
    aims: tuple[Aim, ...] = ()


@dataclass(slots=True)
class Guard:
    """Decides the actions of one run.

    Attributes:
        policy: the person's rules.
        literal: the brain only follows the words of the goal, so that these are what was ordered.
        yes: whoever would be asked has agreed to everything beforehand.
        preview: the person wants to see each action before it is done.
    """

    policy: Policy
    literal: bool = False
    yes: bool = False
    preview: bool = False
    _allowed: set[str] = field(default_factory=set)

    def judge(self, action: Action, consent: str | None, scene: "Scene") -> Judged:
        """Whether an action may be done, or a person has to be asked. `consent` is why its brain wants them to be."""
        tool, args = scene.validated(action)
        if tool is None:  # the Toolbelt says what is wrong
            return Judged()
        plain = self.literal and not self.preview and not self.policy.rules  # its tier alone decides
        aims = [] if plain else scene.aims(tool, args)
        windows = [] if plain else scene.windows(tool, args, aims)
        said = [*_texts(tool, action.args), *([] if plain else scene.pasted(tool, args, windows))]
        words = [*("\n".join(aim.words) for aim in aims), *(one.text for one in said if one.role in USED)]
        shell = any(one.role in TYPED for one in said) and scene.is_shell(windows)
        risky = None if self.literal or tool.risk == "look" else self._risky(said, aims, scene.given, shell=shell)
        tier = "danger" if risky else tool.risk
        rule = self.policy.rule_for(_facts(tool.name, tier, words, said, windows))
        verdict = rule.do if rule else self.policy.by_tier(tier)
        if verdict == "deny":
            why = rule.why if rule and rule.why else f"{tool.name} counts as {tier}."
            return Judged(_denied("guard", f"The policy of this run forbids it. {why}", ANOTHER_WAY))
        reasons = [Reason("consent", consent)] if consent else []
        if verdict == "ask":
            reasons.append(_asked(rule) if rule else _by_tier(tool, risky))
        if not rule and not self.literal:
            reasons += [_unknown(piece) for piece in scene.strangers(tool, action, said, aims, shell=shell)]
        if self.preview and tool.risk != "look":
            reasons.append(Reason("preview", "You wanted to see each action before it is done."))
        left = tuple(reason for reason in reasons if reason.key not in self._allowed)
        if not left or (self.yes and not self.preview):
            return Judged()
        place = next((aim.region for aim in aims if aim.region), None)
        why = " ".join(dict.fromkeys(reason.words for reason in left))
        window = windows[-1].title if windows else None
        return Judged(None, left, Approval(action, tier, why, place, window), tuple(aims))

    def _risky(self, said: Sequence[Said], aims: Sequence[Aim], given: Sequence[str], *, shell: bool) -> str | None:
        """The word for which it may do harm: on its target, of what it chooses or runs, or typed as an order."""
        whole = [word for aim in aims for word in aim.words]
        whole += [one.text for one in said if one.role in RUN or (shell and one.role is Typed)]
        typed = [one.text for one in said if one.role is Typed and not shell]
        orders = (self.policy.risky_order(text) for text in typed if not any(says(text, one) for one in given))
        thrown = (word for word in BINS for aim in aims[1:] for one in aim.words if says(word, one))
        return self.policy.risky_word(whole) or next(filter(None, [*orders, *thrown]), None)

    def answered(self, judged: Judged, answer: Answer | None, scene: "Scene") -> Observation | None:
        """What comes of the person's answer, which is None where nobody is there to give one.

        None where they agree, and what they agreed to is still there.
        """
        if answer is None:
            why = " ".join(reason.words for reason in judged.reasons)
            told = f"The person has to agree to this, and could not be asked. {why}"
            return _denied("guard", told, ANOTHER_WAY, BEFOREHAND)
        if answer.choice == "run":
            self._allowed.update(reason.key for reason in judged.reasons)
        if answer.choice != "no":
            return None if scene.still(judged) else Observation(ok=False, text="", error=GONE)
        if answer.instead:
            told = message('The person did not agree to this, and says: "', answer.instead, '"')
            return _denied("person", told, "Do what they say instead.")
        return _denied("person", "The person did not agree to this.", ANOTHER_WAY)


@dataclass(frozen=True, slots=True)
class Scene:
    """What the guard can ask about an action: the tools, the screen, and what the person said.

    Attributes:
        frame: the screen on which the action was decided; None without one.
        given: the goal, and the answers that the person gave.
    """

    toolbelt: Toolbelt
    world_model: WorldModel
    given: Sequence[str]
    eyes: Eyes | None = None
    frame: Frame | None = None

    def validated(self, action: Action) -> tuple[Tool | None, Mapping[str, Any]]:
        """The tool and its arguments; no tool where the call is none."""
        try:
            tool = self.toolbelt[action.tool]
            return tool, tool.validated(action.args)
        except ToolFailure:
            return None, {}

    def aims(self, tool: Tool, args: Mapping[str, Any]) -> list[Aim]:
        """What it is aimed at on the screen; looking harms nothing, wherever it is."""
        if self.eyes is None or self.frame is None or tool.risk == "look":
            return []
        return self.eyes.control.call(partial(aims_of, tool, args, self.eyes, self.frame))

    def still(self, judged: Judged) -> bool:
        """Whether what a person was asked about is where it was: a name may mean another thing by now."""
        if judged.approval is None or not judged.aims:
            return True
        tool, args = self.validated(judged.approval.action)
        aims = self.aims(tool, args) if tool else []
        return len(aims) == len(judged.aims) and all(map(Aim.same_as, aims, judged.aims))

    def windows(self, tool: Tool, args: Mapping[str, Any], aims: Sequence[Aim]) -> list[Window]:
        """The windows that it goes to: those it is aimed at or names, else the one with the focus; files go to none."""
        if self.eyes is None or tool.risk != "act":
            return []
        found = self.eyes.windows()
        naming = [(role, named) for role, named in tool.parts(args) if role in NAMING]
        if naming:  # an application that is to be opened has no window yet
            return [one for role, title in naming if role is WindowTitle for one in _titled(title, found)]
        seen = [one for one in found if not one.minimized]
        if not (places := [aim.region.center for aim in aims if aim.region]):
            return [one for one in seen if one.active]
        under = (next((one for one in reversed(seen) if place in one.region), None) for place in places)
        return [one for one in under if one]

    def pasted(self, tool: Tool, args: Mapping[str, Any], windows: Sequence[Window]) -> list[Said]:
        """What comes from the clipboard is judged as if it were typed; at a shell, also what is only selected."""
        pressed = [] if tool.holds_keys == "up" else _keys(tool, args)
        by_keys = any(pastes(keys, self._held()) for keys in pressed)
        if self.eyes is None or not (by_keys or tool.pastes):
            return []
        if self.is_shell(windows):
            return [COPIED]
        try:
            text = self.eyes.control.call(self.eyes.desktop.read_clipboard) if by_keys else None
        except ToolFailure:  # it is no text, or the program that has it does not answer
            return [COPIED]
        return [Said(Typed, text)] if text else []

    def is_shell(self, windows: Sequence[Window]) -> bool:
        """Whether what is typed there is a command."""
        return any(is_terminal(window.pid) for window in windows)

    def strangers(
        self, tool: Tool, action: Action, said: Sequence[Said], aims: Sequence[Aim], *, shell: bool
    ) -> list[Piece]:
        """What is in the arguments that the person never gave: secrets, addresses, amounts, recipients, commands."""
        given = "\n".join([*self.given, *self._answers()])
        hidden = unknown(
            secrets(names_in(action, tool)), given
        )  # also where it only looks: a search leaves the machine
        if tool.risk == "look":
            known = "\n".join([given, *self._found()])
            return [*hidden, *unknown(_contacted(said), known)]
        fields = [word for aim in aims for word in aim.words]
        pieces = [piece for one in said for piece in pieces_of(one.text, *fields)]
        for one in said:
            if one.role is Command or (shell and one.role in TYPED):
                pieces += command(one.text)
            elif not one.is_read:
                pieces.append(Piece("content of the clipboard", one.text))
        return [*hidden, *unknown(pieces, given)]

    def _held(self) -> set[str]:
        """The keys that the agent has put down and not let go: another one goes with them."""
        held: set[str] = set()
        for step in self.world_model:
            tool = self.toolbelt.known(step.action.tool)
            if tool and tool.holds_keys and step.observation.ok:
                change = held.add if tool.holds_keys == "down" else held.discard
                for key in _keys(tool, step.action.args):
                    change(parse_key(key))
        return held

    def _answers(self) -> Iterator[str]:
        for step in self.world_model:
            tool = self.toolbelt.known(step.action.tool)
            if tool and tool.asks_person and isinstance(step.observation.data, Mapping):
                yield str(step.observation.data.get("answer", ""))

    def _found(self) -> Iterator[str]:
        """What a search found is there to be read; what a page links to is not."""
        for step in self.world_model:
            tool = self.toolbelt.known(step.action.tool)
            if tool and tool.finds_addresses:
                yield step.observation.text


def _titled(title: str, windows: Sequence[Window]) -> list[Window]:
    """The window that is meant by a title; none where the tool will say that there is none, or several."""
    try:
        return [window_named(title, list(windows))]
    except ToolFailure:
        return []


def _texts(tool: Tool, args: Mapping[str, Any]) -> list[Said]:
    """The texts in the arguments, also within lists, mappings and models."""
    return [Said(role, text) for role, value in tool.parts(args) if role not in SILENT for text in texts_in(value)]


def _keys(tool: Tool, args: Mapping[str, Any]) -> list[str]:
    return [keys for role, keys in tool.parts(args) if role is KeyNames and isinstance(keys, str)]


def _contacted(said: Sequence[Said]) -> list[Piece]:
    """What may be contacted by a tool that only looks: an address, and those in a text whose use nobody declared."""
    pieces = [piece for one in said if one.role is Address for piece in pieces_of(one.text)]
    hidden = [piece for one in said if one.role is Unmarked for piece in pieces_of(one.text)]
    return [*pieces, *(piece for piece in hidden if piece.kind == "address")]


def _facts(tool: str, tier: Risk, words: Sequence[str], said: Sequence[Said], windows: Sequence[Window]) -> Facts:
    paths = [path for one in said for path in ([one.text] if one.role is FilePath else paths_of(one.text))]
    return Facts(
        tool,
        tier,
        windows,
        [*words, *(one.text for one in said if one.role in NAMING)],
        list(filter(None, map(_path, paths))),
        [host for one in said for host in hosts_of(one.text)],
    )


def _path(named: str) -> Path | None:
    """The path that a tool would use; None where it cannot be any: there is a NUL in it, or links go in a circle."""
    try:
        return Path(os.path.expanduser(named)).resolve()  # noqa: PTH111 - `~x` may also be a file
    except (OSError, ValueError, RuntimeError):
        return None


def _asked(rule: Rule) -> Reason:
    return Reason(f"rule {rule!r}", rule.why or "A rule of your policy asks.")


def _by_tier(tool: Tool, risky: str | None) -> Reason:
    if risky:
        return Reason(f"word {risky}", f'"{risky}" may not be taken back.')
    return Reason(f"tool {tool.name}", f"{tool.name} {STAKES[tool.risk]}.")


def _unknown(piece: Piece) -> Reason:
    quoted = cut(piece.text, LONGEST)
    told = f'The {piece.kind} "{quoted}" was given neither in the goal nor in an answer.'
    return Reason(f"{piece.kind} {piece.text}", told)


def _denied(by: RefusedBy, told: str, *hints: str) -> Observation:
    return Observation(ok=False, text="", error=Problem("DENIED", told, hints, refused_by=by))
