"""The guard decides about every action before it is carried out. What a model says about its safety changes nothing."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

from mark_i.guard.policy import Facts, Policy, Rule
from mark_i.guard.provenance import Piece, command, hosts_of, paths_of, pieces_of, secrets, unknown
from mark_i.guard.secrets import names_in, texts_in
from mark_i.guard.words import contains_word, known_words
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

USED: Final = frozenset({Unmarked, Typed, Runs, Command, Chosen})  # typed, run or chosen
RUN: Final = USED - {Typed}  # a risky word anywhere in these may do harm
TYPED: Final = frozenset({Unmarked, Typed})  # a command if the focus is in a shell
NAMING: Final = frozenset({WindowTitle, AppName})
SILENT: Final = frozenset({Aimed, KeyNames, FileContent})  # not text, or text that is sent nowhere
ANOTHER_WAY: Final = "Try another way, or give up and say why."
ALLOW_IN_ADVANCE: Final = "The person can allow it in advance: start MARK-I with --yes or with a policy."
RISK_PHRASES: Final = {
    "look": "looks",
    "act": "uses the desktop",
    "write": "writes or changes data",
    "danger": "may do harm",
}
TARGET_CHANGED: Final = Problem(
    "STALE_TARGET",
    "What the person approved has changed on the screen since they were asked, so nothing was done.",
    ("Look at the screen again and choose a new target.",),
    refused_by="guard",
)
QUOTE_MAX_CHARS: Final = 120  # of what is quoted in a reason


@dataclass(frozen=True, slots=True)
class Approval:
    """A request for a person's approval, made before an action is carried out.

    Attributes:
        tier: the risk of the action.
        why: why the person is asked, in words.
        place: the part of the desktop that the action targets.
        window: the title of the window that it targets.
        label: what the tool does, as it declares it.
    """

    action: Action
    tier: Risk
    why: str
    place: Region | None = None
    window: str | None = None
    label: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the data of the `approval` event."""
        place = self.place.to_list() if self.place else None
        said = {"tier": self.tier, "why": self.why, "label": self.label}
        return {**self.action.to_dict(), **said, "place": place, "window": self.window}


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's decision: yes once, yes for the rest of the run, or no, with what the agent should do instead."""

    choice: Choice
    instead: str = ""
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class RoleText:
    """A text in an action with its role; `is_read` is False if the text could not be read."""

    role: type[ParameterRole]
    text: str
    is_read: bool = True


COPIED: Final = RoleText(Typed, "(what was copied)", is_read=False)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a person is asked; `key` identifies what they allow for the rest of the run."""

    key: str
    words: str


@dataclass(frozen=True, slots=True)
class Judgment:
    """The guard's judgment of an action. It is allowed if there is neither a refusal nor a reason to ask.

    Attributes:
        aims: what was at its targets when the person was asked.
    """

    refusal: Observation | None = None
    reasons: tuple[Reason, ...] = ()
    approval: Approval | None = None
    aims: tuple[Aim, ...] = ()


@dataclass(slots=True)
class Guard:
    """Decides about the actions of one run.

    Attributes:
        policy: the person's rules.
        literal: the brain does only what the goal says, so the person ordered each action.
        yes: the person approved in advance whatever would be asked.
        preview: the person wants to see each action before it is carried out.
    """

    policy: Policy
    literal: bool = False
    yes: bool = False
    preview: bool = False
    _allowed: set[str] = field(default_factory=set)

    def judge(self, action: Action, consent: str | None, scene: "Scene") -> Judgment:
        """Decide whether an action is allowed, refused, or needs approval.

        Args:
            action: as the brain wants it.
            consent: why the brain itself wants the person to be asked, if it does.
            scene: what can be known about the action.
        """
        tool, args = scene.validated(action)
        if tool is None:  # the Toolbelt reports what is wrong
            return Judgment()
        plain = self.literal and not self.preview and not self.policy.rules  # only its tier matters
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
            return Judgment(_denied("guard", f"The policy of this run forbids this. {why}", ANOTHER_WAY))
        reasons = [Reason("consent", consent)] if consent else []
        if verdict == "ask":
            reasons.append(_asked(rule) if rule else _by_tier(tool, risky))
        if not rule and not self.literal:
            reasons += [_unknown(piece) for piece in scene.unknown_pieces(tool, action, said, aims, shell=shell)]
        if self.preview and tool.risk != "look":
            reasons.append(Reason("preview", "You asked to see each action before it is carried out."))
        left = tuple(reason for reason in reasons if reason.key not in self._allowed)
        if not left or (self.yes and not self.preview):
            return Judgment()
        place = next((aim.region for aim in aims if aim.region), None)
        why = " ".join(dict.fromkeys(reason.words for reason in left))
        window = windows[-1].title if windows else None
        return Judgment(None, left, Approval(action, tier, why, place, window, tool.label), tuple(aims))

    def _risky(self, said: Sequence[RoleText], aims: Sequence[Aim], given: Sequence[str], *, shell: bool) -> str | None:
        """Return the risky word on its target, in what it chooses or runs, or typed as a command, if there is one."""
        whole = [word for aim in aims for word in aim.words]
        whole += [one.text for one in said if one.role in RUN or (shell and one.role is Typed)]
        typed = [one.text for one in said if one.role is Typed and not shell]
        orders = (self.policy.risky_order(text) for text in typed if not any(contains_word(text, one) for one in given))
        thrown = (
            word for word in known_words().bins for aim in aims[1:] for one in aim.words if contains_word(word, one)
        )
        return self.policy.risky_word(whole) or next(filter(None, [*orders, *thrown]), None)

    def refusal_after(self, judged: Judgment, answer: Answer | None, scene: "Scene") -> Observation | None:
        """Return why the action is refused after the person's answer, or None if it may be carried out.

        Args:
            judged: the judgment that the person was asked about.
            answer: None if nobody could be asked.
            scene: as it is now; what the person approved must still be there.
        """
        if answer is None:
            why = " ".join(reason.words for reason in judged.reasons)
            told = f"This needs the person's approval, and nobody could be asked. {why}"
            return _denied("guard", told, ANOTHER_WAY, ALLOW_IN_ADVANCE)
        if answer.choice == "run":
            self._allowed.update(reason.key for reason in judged.reasons)
        if answer.choice != "no":
            return None if scene.unchanged(judged) else Observation(ok=False, text="", error=TARGET_CHANGED)
        if answer.instead:
            told = message('The person did not approve this and said: "', answer.instead, '"')
            return _denied("person", told, "Do what they said instead.")
        return _denied("person", "The person did not approve this.", ANOTHER_WAY)


@dataclass(frozen=True, slots=True)
class Scene:
    """What the guard can look up about an action: the tools, the screen, and what the person said.

    Attributes:
        frame: the screen on which the action was decided; None without a desktop.
        given: the goal, and what the person said in earlier turns.
    """

    toolbelt: Toolbelt
    world_model: WorldModel
    given: Sequence[str]
    eyes: Eyes | None = None
    frame: Frame | None = None

    def validated(self, action: Action) -> tuple[Tool | None, Mapping[str, Any]]:
        """Return the tool and its validated arguments; no tool if the call is invalid."""
        try:
            tool = self.toolbelt[action.tool]
            return tool, tool.validated(action.args)
        except ToolFailure:
            return None, {}

    def aims(self, tool: Tool, args: Mapping[str, Any]) -> list[Aim]:
        """Return its targets on the screen; none for a tool that only looks."""
        if self.eyes is None or self.frame is None or tool.risk == "look":
            return []
        return self.eyes.control.call(partial(aims_of, tool, args, self.eyes, self.frame))

    def unchanged(self, judged: Judgment) -> bool:
        """Whether the targets are what they were when the person was asked: a name may match something else by now."""
        if judged.approval is None or not judged.aims:
            return True
        tool, args = self.validated(judged.approval.action)
        aims = self.aims(tool, args) if tool else []
        return len(aims) == len(judged.aims) and all(map(Aim.same_as, aims, judged.aims))

    def windows(self, tool: Tool, args: Mapping[str, Any], aims: Sequence[Aim]) -> list[Window]:
        """Return the windows that the action affects: those it targets or names, otherwise the one with the focus."""
        if self.eyes is None or tool.risk != "act":
            return []
        found = self.eyes.windows()
        naming = [(role, named) for role, named in tool.parts(args) if role in NAMING]
        if naming:  # an application to be opened has no window yet
            return [one for role, title in naming if role is WindowTitle for one in _titled(title, found)]
        seen = [one for one in found if not one.minimized]
        if not (places := [aim.region.center for aim in aims if aim.region]):
            return [one for one in seen if one.active]
        under = (next((one for one in reversed(seen) if place in one.region), None) for place in places)
        return [one for one in under if one]

    def pasted(self, tool: Tool, args: Mapping[str, Any], windows: Sequence[Window]) -> list[RoleText]:
        """Return what the action pastes, which is judged as if it were typed; a shell can also paste a selection."""
        pressed = [] if tool.holds_keys == "up" else _keys(tool, args)
        by_keys = any(pastes(keys, self._held()) for keys in pressed)
        if self.eyes is None or not (by_keys or tool.pastes):
            return []
        if self.is_shell(windows):
            return [COPIED]
        try:
            text = self.eyes.control.call(self.eyes.desktop.read_clipboard) if by_keys else None
        except ToolFailure:  # not text, or the program that owns it does not respond
            return [COPIED]
        return [RoleText(Typed, text)] if text else []

    def is_shell(self, windows: Sequence[Window]) -> bool:
        """Whether text typed there is a command."""
        return any(is_terminal(window.pid) for window in windows)

    def unknown_pieces(
        self, tool: Tool, action: Action, said: Sequence[RoleText], aims: Sequence[Aim], *, shell: bool
    ) -> list[Piece]:
        """Return the secrets, addresses, amounts, recipients and commands that the person never gave."""
        given = "\n".join([*self.given, *self._answers()])
        # A tool that only looks counts too: a search leaves the machine.
        hidden = unknown(secrets(names_in(action, tool)), given)
        if tool.risk == "look":
            known = "\n".join([given, *self._found()])
            return [*hidden, *unknown(_contacted(said), known)]
        fields = [word for aim in aims for word in aim.words]
        pieces = [piece for one in said for piece in pieces_of(one.text, *fields)]
        for one in said:
            if one.role is Command or (shell and one.role in TYPED):
                pieces += command(one.text)
            elif not one.is_read:
                pieces.append(Piece("clipboard content", one.text))
        return [*hidden, *unknown(pieces, given)]

    def _held(self) -> set[str]:
        """Return the keys that the agent holds down: they combine with the next key."""
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
        """Yield the results of searches: their addresses may be opened, the links of a page may not."""
        for step in self.world_model:
            tool = self.toolbelt.known(step.action.tool)
            if tool and tool.finds_addresses:
                yield step.observation.text


def _titled(title: str, windows: Sequence[Window]) -> list[Window]:
    """Return the window with that title; none if there is none or several, which the tool reports."""
    try:
        return [window_named(title, list(windows))]
    except ToolFailure:
        return []


def _texts(tool: Tool, args: Mapping[str, Any]) -> list[RoleText]:
    """Return the texts in the arguments, including those within lists, mappings and models."""
    return [RoleText(role, text) for role, value in tool.parts(args) if role not in SILENT for text in texts_in(value)]


def _keys(tool: Tool, args: Mapping[str, Any]) -> list[str]:
    return [keys for role, keys in tool.parts(args) if role is KeyNames and isinstance(keys, str)]


def _contacted(said: Sequence[RoleText]) -> list[Piece]:
    """Return what a tool that only looks may contact: its addresses, and those in a text without a role."""
    pieces = [piece for one in said if one.role is Address for piece in pieces_of(one.text)]
    hidden = [piece for one in said if one.role is Unmarked for piece in pieces_of(one.text)]
    return [*pieces, *(piece for piece in hidden if piece.kind == "address")]


def _facts(tool: str, tier: Risk, words: Sequence[str], said: Sequence[RoleText], windows: Sequence[Window]) -> Facts:
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
    """Return the path that a tool would use; None if it is not valid (a NUL in it, a loop of links)."""
    try:
        return Path(os.path.expanduser(named)).resolve()  # noqa: PTH111 - `~x` may also be a file
    except (OSError, ValueError, RuntimeError):
        return None


def _asked(rule: Rule) -> Reason:
    return Reason(f"rule {rule!r}", rule.why or "A rule of your policy asks for approval.")


def _by_tier(tool: Tool, risky: str | None) -> Reason:
    if risky:
        return Reason(f"word {risky}", f'"{risky}" may be impossible to undo.')
    return Reason(f"tool {tool.name}", f"{tool.name} {RISK_PHRASES[tool.risk]}.")


def _unknown(piece: Piece) -> Reason:
    quoted = cut(piece.text, QUOTE_MAX_CHARS)
    text = f'The {piece.kind} "{quoted}" appears in neither the goal nor an answer.'
    return Reason(f"{piece.kind} {piece.text}", text)


def _denied(by: RefusedBy, told: str, *hints: str) -> Observation:
    return Observation(ok=False, text="", error=Problem("DENIED", told, hints, refused_by=by))
