"""The guard decides how risky an action is, and whether it is carried out, whatever a model says of its safety."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

from mark_i.guard.alarms import Looked, alarming, alarms
from mark_i.guard.amounts import payees, standing
from mark_i.guard.effects import Effects, elsewhere
from mark_i.guard.fields import field_kind, field_labels, suggested_to
from mark_i.guard.keystrokes import MODIFIERS, Focus, Keystrokes, parsed_keys, presses_button
from mark_i.guard.policy import Facts, Policy, Rule
from mark_i.guard.programs import is_path, is_run_later
from mark_i.guard.provenance import RequiredPart, hosts_of, paths_of, pieces_of, unknown, unrelated
from mark_i.guard.questions import question
from mark_i.guard.scene import Scene
from mark_i.guard.screen import Screen, may_be, shown_addresses
from mark_i.guard.secrets import names_in
from mark_i.guard.terminals import at_shell
from mark_i.guard.texts import (
    NAMING,
    TYPED,
    WRITING,
    Reason,
    RoleText,
    by_origin,
    texts_of,
)
from mark_i.guard.words import asks_for_amount
from toolbelt.desktops import Window
from toolbelt.parameters import Address, AppName, FilePath, KeyNames, Typed
from toolbelt.targeting import Aim
from toolbelt.tool import Risk, Tool
from toolbelt.tools import site_of
from world_model import Action, Observation, Point, Problem, RefusedBy, Region, message

Choice = Literal["once", "run", "no"]

AT_A_PATH: Final = "(a program at a path)"
OWN_TERMINAL: Final = "In this terminal the person is asked: what is typed there would answer for them."
HELD: Final = "This needs the person's approval, and the key {} is down: held down, it could answer for them."
ANOTHER_WAY: Final = "Try another way, or give up and say why."
ALLOW_IN_ADVANCE: Final = "The person can allow it in advance: start MARK-I with --yes or with a policy."
RISK_PHRASES: Final = {
    "look": "looks",
    "act": "uses the desktop",
    "write": "writes or changes data",
    "danger": "may do harm",
}
UNSEEN_FOCUS: Final = Reason(
    "focus",
    "This session tells nobody which window gets the keys, so what they do is not known. A yes holds for this run.",
)
TARGET_CHANGED: Final = Problem(
    "STALE_TARGET",
    "What the person approved has changed on the screen since they were asked, so nothing was done.",
    ("Look at the screen again and choose a new target.",),
    refused_by="guard",
)


@dataclass(frozen=True, slots=True)
class Approval:
    """A request for a person's approval, made before an action is carried out.

    Attributes:
        tier: the risk of the action.
        why: why the person is asked, in words.
        place: the part of the desktop that the action targets.
        window: the title of the window that it targets.
    """

    action: Action
    tier: Risk
    why: str
    place: Region | None = None
    window: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the data of the `approval` event."""
        place = self.place.to_list() if self.place else None
        return {**self.action.to_dict(), "tier": self.tier, "why": self.why, "place": place, "window": self.window}


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's decision: yes once, yes for the rest of the run, or no, with what the agent should do instead."""

    choice: Choice
    instead: str = ""
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class Judgment:
    """The guard's judgment of an action. It is allowed if there is neither a refusal nor a reason to ask.

    Attributes:
        aims: what was at its targets when the person was asked.
        labels: what may do harm of what its keys would press, as it was then.
        typed: what it types, as it would stand then.
        literal: whether the person ordered this very action.
    """

    refusal: Observation | None = None
    reasons: tuple[Reason, ...] = ()
    approval: Approval | None = None
    aims: tuple[Aim, ...] = ()
    labels: tuple[tuple[str, ...], ...] = ()
    typed: tuple[RoleText, ...] = ()
    literal: bool = False


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
    _approved: set[RoleText] = field(default_factory=set)  # typed once with approval, and not entered yet
    _keys: Keystrokes = field(default_factory=Keystrokes)
    _followed: int = 0  # steps whose keys are known

    def judge(self, action: Action, consent: str | None, scene: Scene, *, ordered: bool = False) -> Judgment:
        """Decide whether an action is allowed, refused, or needs approval.

        Args:
            action: as the brain wants it.
            consent: why the brain itself wants the person to be asked, if it does.
            scene: what can be known about the action.
            ordered: whether the person ordered this very action.
        """
        self._follow(scene)
        literal = self.literal or ordered
        tool, args = scene.validated(action)
        if tool is None:  # the Toolbelt reports what is wrong
            return Judgment()
        looked = self._looked(tool, args, action, self._needed(scene, literal=literal))
        if looked.effects.types and scene.is_own_terminal(looked.windows):
            return Judgment(_denied("guard", OWN_TERMINAL, ANOTHER_WAY))
        found = [] if literal or tool.risk == "look" else alarms(looked, scene, self.policy)
        tier: Risk = "danger" if found else tool.risk
        rule = self.policy.rule_for(_facts(looked, tier, unseen=scene.is_blind and tool.risk == "act"))
        verdict = rule.do if rule else self.policy.by_tier(tier)
        if verdict == "deny":
            why = rule.why if rule and rule.why else f"{tool.name} counts as {tier}."
            return Judgment(_denied("guard", f"The policy of this run forbids this. {why}", ANOTHER_WAY))
        reasons = [Reason("consent", consent)] if consent else []
        if verdict == "ask":
            reasons += [_asked(rule)] if rule else found or [_by_tier(tool)]
        if scene.is_blind and looked.effects.types and not literal and not (rule and rule.do == "allow"):
            reasons.append(UNSEEN_FOCUS)
        if not rule and not literal:
            reasons += self._origins(looked, action, scene)
        if self.preview and tool.risk != "look":
            reasons.append(Reason("preview", "You asked to see each action before it is carried out."))
        left = tuple(reason for reason in reasons if reason.key not in self._allowed)
        if not left or (self.yes and not self.preview):
            return Judgment()
        if holding := sorted(self._keys.held - MODIFIERS):
            return Judgment(_denied("guard", HELD.format(holding[0]), "Release it with key_up first."))
        return replace(self._asking(action, tier, looked, left, scene), literal=literal)

    def _needed(self, scene: Scene, *, literal: bool) -> Scene:
        """Return what must be looked up: nothing on the screen where only the tier of an action matters."""
        plain = literal and not self.preview and not self.policy.rules
        return Scene(scene.toolbelt, scene.world_model, ()) if plain else scene

    def _asking(self, action: Action, tier: Risk, looked: Looked, left: tuple[Reason, ...], scene: Scene) -> Judgment:
        place = next((aim.region for aim in looked.aims if aim.region), None)
        why = " ".join(dict.fromkeys(reason.words for reason in left))
        window = looked.windows[-1].title if looked.windows else None
        approval = Approval(action, tier, why, place, window)
        typed, labels = tuple(looked.effects.said), alarming(looked, scene, self.policy)
        return Judgment(None, left, approval, tuple(looked.aims), labels, typed)

    def _follow(self, scene: Scene) -> None:
        """Take in what was carried out since the last action was judged."""
        known = len(scene.world_model)
        if known < self._followed:
            self._keys, self._followed = Keystrokes(), 0
        for step in scene.world_model.last(known - self._followed):
            if (tool := scene.toolbelt.known(step.action.tool)) and self._keys.follow(step, tool):
                self._approved.clear()
        self._followed = known

    def _looked(self, tool: Tool, args: Mapping[str, Any], action: Action, scene: Scene) -> Looked:
        """Find out what an action aims at, what it says, and what its keys do."""
        aims = self._aims(tool, args, scene)
        windows = scene.windows(tool, args, aims)
        said = texts_of(tool, action.args)
        shell = any(one.role in TYPED for one in said) and scene.shell(windows) is not None
        effects = self._effects(tool, args, aims, windows, scene)
        if scene.screen is not None and tool.risk == "act":
            said = [one for one in said if one.role is not Typed]
        said += [one for one in effects.said if not (one.stood and one in self._approved)]
        effects.left = [one for one in effects.left if one not in self._approved]
        said += scene.pasted(tool, args, windows, frozenset(self._keys.held), drags=len(aims) > 1)
        labels = list(effects.labels)
        if scene.screen is not None and not tool.hovers:
            window = windows[-1] if windows else None
            asked = [(aim, question(aim.words, aim.region, scene.screen, window)) for aim in aims]
            labels += [("\n".join(aim.words), *found) for aim, found in asked if found]
        keys = [parsed_keys(keys) for role, keys in tool.parts(args) if role is KeyNames]
        return Looked(tool, aims, windows, said, effects, labels, shell, keys, self._keys.written(windows))

    def _aims(self, tool: Tool, args: Mapping[str, Any], scene: Scene) -> list[Aim]:
        """Return what an action aims at; a mouse button without a target acts where the pointer is."""
        found = scene.aims(tool, args)
        if found or scene.screen is None or not presses_button(tool, args):
            return found
        return scene.aims_at(self._keys.ends(tool, scene.screen.pointer()))

    def _effects(
        self, tool: Tool, args: Mapping[str, Any], aims: Sequence[Aim], windows: Sequence[Window], scene: Scene
    ) -> Effects:
        """Find out what the keys and the text of an action do."""
        if scene.screen is None or tool.risk != "act":
            return Effects()
        # A click does not change the line at a shell, and looking for one takes time.
        writes = tool.pastes_selection(args) or tool.opens_menu or any(role in WRITING for role, _ in tool.parts(args))
        terminal, window = scene.shell(windows) if writes else None, windows[-1] if windows else None
        into = terminal or window
        said = scene.screen.focused(into) if into and not terminal else None
        self._keys.expect(into.id if into else None, said, at_shell=terminal is not None)
        places = [aim.region.center for aim in aims if aim.region]
        strokes = list(self._keys.copy().strokes(tool, args, places, at_shell=terminal is not None))
        if terminal:
            return at_shell(strokes, scene.screen, terminal)
        return elsewhere(strokes, scene.screen, window)

    def _origins(self, looked: Looked, action: Action, scene: Scene) -> list[Reason]:
        """Return a reason for each thing that the person never gave."""
        fields = [word for aim in looked.aims for word in aim.words]
        said = [*looked.said, *looked.effects.left]
        window = looked.windows[-1] if looked.windows else None
        if scene.screen:
            said = [self._placed(one, scene.screen, window) for one in said]
        given = scene.said_by_person()
        pieces = scene.unknown_pieces(looked.tool, action, said, fields, shell=looked.shell)
        if scene.screen and may_be("WebBrowser", scene.screen, window) and not looked.shell:
            leaving = [one.text for one in said if one.role is Typed and one.is_read and one.kind != "text"]
            pieces += [RequiredPart("text", text) for text in leaving if unrelated(text, given)]
        amounts = list(looked.effects.amounts)
        if scene.screen and self.policy.risky_label(looked.seen):
            amounts += standing(scene.screen, window)
        pieces += unknown([RequiredPart("amount", one) for one in amounts], given)
        if scene.screen:
            picked = suggested_to(self._keys.focus, looked.pressed, scene.screen, window)
            picked += payees(looked.pressed, scene.screen, window)
            pieces += unknown([RequiredPart("recipient", one) for one in picked], given)
        if scene.screen and names_in(action, looked.tool):
            pieces += unknown(_site_shown(scene.screen, window), given)
        for text, focus in looked.effects.written:
            is_new = RoleText(Typed, text, line=focus) not in self._approved
            labels = field_labels(focus, scene.screen, window) if scene.screen and is_new else []
            paid = any(map(asks_for_amount, labels))  # another number of the goal is no amount
            if scene.screen and is_new and (paid or unknown([RequiredPart("text", text.strip())], given)):
                kind, name = field_kind(focus, scene.screen, window), text.strip()
                found = pieces_of(text, *labels, kind=kind)
                if kind == "field" and is_run_later(name):
                    found.append(RequiredPart("name of a program", name))
                pieces += unknown(found, given)
        return [by_origin(piece) for piece in dict.fromkeys(pieces)]

    def _placed(self, one: RoleText, screen: Screen, window: Window | None) -> RoleText:
        """Return a text with what it is typed into."""
        focus = one.line if isinstance(one.line, Focus) else self._keys.focus
        return replace(one, kind=field_kind(focus, screen, window)) if one.role is Typed else one

    def refusal_after(self, judged: Judgment, answer: Answer | None, scene: Scene) -> Observation | None:
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
            if not self._unchanged(judged, scene):
                return Observation(ok=False, text="", error=TARGET_CHANGED)
            self._approved.update(judged.typed)
            self._allowed.update({UNSEEN_FOCUS.key} & {reason.key for reason in judged.reasons})
            return None
        if answer.instead:
            told = message('The person did not approve this and said: "', answer.instead, '"')
            return _denied("person", told, "Do what they said instead.")
        return _denied("person", "The person did not approve this.", ANOTHER_WAY)

    def _unchanged(self, judged: Judgment, scene: Scene) -> bool:
        """Whether it would do what the person was asked about: a name may match something else by now."""
        scene = self._needed(scene, literal=judged.literal)
        if judged.approval is None or scene.screen is None:
            return True
        action = judged.approval.action
        tool, args = scene.validated(action)
        if tool is None:
            return False
        looked = self._looked(tool, args, action, scene)
        same = len(looked.aims) == len(judged.aims) and all(map(Aim.same_as, looked.aims, judged.aims))
        return same and alarming(looked, scene, self.policy) == judged.labels


def _site_shown(screen: Screen, window: Window | None) -> list[RequiredPart]:
    """Return the site of the page in a browser, which the person must have named: one that shows no address is none."""
    if not may_be("WebBrowser", screen, window):
        return []
    found = [RequiredPart("address", one) for one in shown_addresses(screen, window)]
    title = window.title if window else "(not known)"
    return found or [RequiredPart("address of the page", title, given=False)]


def _facts(looked: Looked, tier: Risk, *, unseen: bool) -> Facts:
    said = looked.said
    paths = [path for one in said for path in ([one.text] if one.role is FilePath else paths_of(one.text))]
    named = [one.text for one in said if one.role in NAMING]
    # A rule that allows an application by its name does not allow a program of that name somewhere else.
    named += [AT_A_PATH for one in said if one.role is AppName and is_path(one.text)]
    sites = [site for one in said if one.role is Address and (site := site_of(one.text))]
    return Facts(
        looked.tool.name,
        tier,
        looked.windows,
        [*looked.words, *named],
        list(filter(None, map(_path, paths))),
        [*sites, *(host for one in said for host in hosts_of(one.text))],
        unseen,
    )


def _path(named: str) -> Path | None:
    """Return the path that a tool would use; None if it is not valid (a NUL in it, a loop of links)."""
    try:
        return Path(os.path.expanduser(named)).resolve()  # noqa: PTH111 - `~x` may also be a file
    except (OSError, ValueError, RuntimeError):
        return None


def _asked(rule: Rule) -> Reason:
    return Reason(f"rule {rule!r}", rule.why or "A rule of your policy asks for approval.")


def _by_tier(tool: Tool) -> Reason:
    return Reason(f"tool {tool.name}", f"{tool.name} {RISK_PHRASES[tool.risk]}.")


def _denied(by: RefusedBy, told: str, *hints: str) -> Observation:
    return Observation(ok=False, text="", error=Problem("DENIED", told, hints, refused_by=by))
