"""Why an action may do harm: a risky word, a private file, a program, a setting that lets somebody in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from mark_i.guard.code import harmful_code
from mark_i.guard.effects import Effects
from mark_i.guard.keystrokes import combinations
from mark_i.guard.policy import Policy
from mark_i.guard.programs import is_installer, is_started, program
from mark_i.guard.provenance import RequiredPart, is_price, names_price, unknown
from mark_i.guard.scene import Scene
from mark_i.guard.screen import lists_files, may_be
from mark_i.guard.secrets import texts_in
from mark_i.guard.texts import RUN, USED, Reason, RoleText, by_word, private
from mark_i.guard.words import (
    asks_for_audience,
    asks_for_file,
    bin_in,
    consequence,
    contains_word,
    executes,
    grants,
    is_busy,
    known_words,
    letters,
    opens_up,
    switches,
)
from toolbelt.desktops import Window, pastes
from toolbelt.elements import Element
from toolbelt.parameters import AppName, Chosen, Command, Typed
from toolbelt.targeting import Aim
from toolbelt.tool import Tool
from toolbelt.tools import is_private

SWITCHED: Final = frozenset({"checkbox", "radio", "switch", "option"})
TURNED: Final = frozenset({"combobox", "slider"})
CODING: Final = frozenset({"Development", "IDE", "Database", "Science", "Math", "DataVisualization"})
EXECUTING: Final = combinations("f5", "ctrl+enter", "ctrl+f5", "shift+enter", "ctrl+e", "f9", "ctrl+f9", "shift+f10")
CLOSING: Final = combinations("alt+f4", "ctrl+shift+q", "ctrl+shift+w")
LEAVING: Final = CLOSING | combinations("ctrl+w", "ctrl+f4", "ctrl+q")
FILE_NAME: Final = re.compile(r"\S.*\.\w{1,5}")
CODE: Final = '"{}" is code that deletes, changes or sends something.'
LEAVES: Final = '"{}" would leave this computer.'
UNSENT: Final = 'What was written in "{}" was not sent, and may be lost.'
WHEEL: Final = 'The wheel would change "{}", which the pointer is on.'
AT_WORK: Final = 'Something still works in "{}", and would be ended.'
SETTING: Final = '"{}" is a setting that may let somebody in or take a protection away.'
UNSEEN_CLOSING: Final = Reason("closing", "This session tells nobody which window this would close.")
REPEAT: Final = Reason("repeat", "What the second press would act on is not on the screen yet.")


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found out about an action."""

    tool: Tool
    aims: list[Aim]
    windows: list[Window]
    said: list[RoleText]
    effects: Effects
    labels: list[tuple[str, ...]]
    shell: bool
    keys: list[frozenset[str]]
    written: list[str]

    @property
    def pressed(self) -> list[Aim]:
        """The targets on which a mouse button acts."""
        return [] if self.tool.hovers else self.aims

    @property
    def seen(self) -> list[str]:
        """The texts on what is pressed."""
        return [word for words in (*(aim.words for aim in self.pressed), *self.labels) for word in words]

    @property
    def words(self) -> list[str]:
        """One text for each target, for each thing that is pressed, and what is typed, run or chosen."""
        seen = [*(aim.words for aim in self.aims), *self.labels]
        return [*map("\n".join, seen), *(one.text for one in self.said if one.role in USED)]


def alarms(looked: Looked, scene: Scene, policy: Policy) -> list[Reason]:
    """Return why an action may do harm."""
    word, said = _risky(looked, scene, policy), [*looked.said, *looked.effects.left]
    listed, given = _file_names(looked, scene), scene.said_by_person()
    files = private(said, ["\n".join(aim.words) for aim in looked.pressed], listed)
    named = [one.text for one in said if one.role is AppName]
    args = [one.text for one in said if one.role is Command] if named else []
    programs = [reason for name in named if (reason := program(name, args, policy, given))]
    started = unknown([RequiredPart("program", name) for name in listed if is_started(name)], given)
    programs += [Reason(f"program {one.text}", f'"{one.text}" may start when it is opened.') for one in started]
    settings = [Reason(f"setting {one}", SETTING.format(one)) for one in _settings(looked, scene)]
    settings += [Reason(f"setting {one}", SETTING.format(one)) for one in dict.fromkeys(looked.effects.admits)]
    settings += [Reason(f"wheel {one.text}", WHEEL.format(one.text or one.holds)) for one in _turned(looked, scene)]
    repeats = [REPEAT] if looked.effects.repeated or _clicks_again(looked, scene) else []
    ended = [Reason(f"work {one.title}", AT_WORK.format(one.title)) for one in _at_work(looked, scene)]
    ended += [UNSEEN_CLOSING] if scene.is_blind and _leaves(looked) else []
    ended += [Reason(f"unsent {one.title}", UNSENT.format(one.title)) for one in _unsent(looked, scene)]
    code = [Reason(f"code {one.text}", CODE.format(one.text)) for one in unknown(_code(looked, scene), given)]
    away = [Reason(f"file {one.text}", LEAVES.format(one.text)) for one in unknown(_given_away(looked, scene), given)]
    return [*([by_word(word)] if word else []), *files, *programs, *settings, *repeats, *ended, *code, *away]


def alarming(looked: Looked, scene: Scene, policy: Policy) -> tuple[tuple[str, ...], ...]:
    """Return what its keys press that may do harm, each with the texts that say so.

    What else stands there does not matter: a clock ticks, and a busy program does not say at once what it shows.
    """
    alone = replace(looked, aims=[], said=[], effects=Effects(), keys=[], written=[])
    named = [word for rule in policy.rules for word in rule.target]

    def alarms_by(text: str) -> bool:
        ruled = any(contains_word(word, text) for word in named)
        return ruled or bool(alarms(replace(alone, labels=[(text, text)]), scene, policy))

    harmful = [(label, [text for text in label if alarms_by(text)]) for label in looked.effects.labels]
    return tuple((label[0], *texts) for label, texts in harmful if texts)


def _code(looked: Looked, scene: Scene) -> list[RequiredPart]:
    """Return the code that does harm where it is run: in what is typed, or in the window that it runs."""
    texts = [] if looked.shell else [one.text for one in [*looked.said, *looked.effects.left] if one.role is Typed]
    if scene.screen and _runs_code(looked, scene):
        unseen: list[Window | None] = [None] if scene.is_blind else []
        for window in [*looked.windows[-1:], *unseen]:
            texts.append("\n".join(line.text for line in scene.screen.texts(window)))
            texts += [one.holds for one in scene.screen.elements(window)]
    return [RequiredPart("code", code) for text in texts if (code := harmful_code(text))]


def _runs_code(looked: Looked, scene: Scene) -> bool:
    """Whether it runs what is written in its window: by keys in a program for code or data; in others they send."""
    kinds = {kind for one in looked.windows if scene.screen for kind in scene.screen.categories(one)}
    by_keys = any(keys in EXECUTING for keys in looked.keys)
    return any(map(executes, looked.seen)) or bool(by_keys and (scene.is_blind or kinds & CODING))


def _given_away(looked: Looked, scene: Scene) -> list[RequiredPart]:
    """Return the files that are dropped on what uploads them, or chosen in the dialog of a page that asks for one."""
    if scene.screen is None or asks_for_file(scene.said_by_person()):
        return []
    ends = [word for aim in looked.aims[1:] for word in aim.words]
    names = [word for aim in looked.aims[:1] for word in aim.words if FILE_NAME.fullmatch(word)]
    last = scene.world_model.last(1)
    asked = [text for step in last for text in texts_in(dict(step.action.args))]
    dialog = any(map(scene.screen.is_dialog, looked.windows)) and any(map(asks_for_file, asked))
    if len(looked.aims) > 1:  # a page may say so beside the place
        ends += [one.text for window in looked.windows[-1:] for one in scene.screen.texts(window)]
    return [RequiredPart("file", name) for name in names if dialog or any(map(asks_for_file, ends))]


def _unsent(looked: Looked, scene: Scene) -> list[Window]:
    """Return the windows that it closes while something stands in their fields that is still to be sent."""
    if scene.screen is None or not _leaves(looked):
        return []
    found = []
    for window in looked.windows:
        elements = scene.screen.elements(window)
        filled = any(one.role == "textbox" and one.holds.strip() for one in elements)
        found += [window] if any(is_busy(line.text) for line in scene.screen.texts(window)) else []
        found += [window] if filled and any(letters(one.text) in known_words().sending for one in elements) else []
    return found


def _leaves(looked: Looked) -> bool:
    """Whether it closes a window, or a part of one."""
    return looked.tool.closes_window or any(keys in LEAVING for keys in looked.keys)


def _turned(looked: Looked, scene: Scene) -> list[Element]:
    """Return the control whose choice or number the wheel would change."""
    if scene.screen is None or not looked.tool.turns_wheel:
        return []
    places = [aim.region.center for aim in looked.aims if aim.region] or [scene.screen.pointer()]
    there = [one for one in _elements(looked, scene) if any(at in one.region for at in places)]
    inner = sorted(there, key=lambda one: one.region.area)[:1]
    return [one for one in inner if one.role in TURNED or (one.role == "textbox" and asks_for_audience(one.text))]


def _elements(looked: Looked, scene: Scene) -> Sequence[Element]:
    """Return what there is in the window on which it acts."""
    return scene.screen.elements(looked.windows[-1] if looked.windows else None) if scene.screen else ()


def _hit(looked: Looked, scene: Scene) -> list[Element]:
    """Return what a pointer presses."""
    places = [aim.region.center for aim in looked.pressed if aim.region]
    return [one for one in _elements(looked, scene) if any(at in one.region for at in places)] if places else []


def _at_work(looked: Looked, scene: Scene) -> list[Window]:
    """Return the terminals that it closes while something still works in them."""
    if scene.screen is None or not (looked.tool.closes_window or any(keys in CLOSING for keys in looked.keys)):
        return []
    screen = scene.screen
    return [one for one in looked.windows if screen.is_shell(one) and not screen.at_prompt(one)]


def _settings(looked: Looked, scene: Scene) -> list[str]:
    """Return what is chosen or switched that lets somebody in, publishes something, or takes a protection away."""
    chosen = [one.text for one in looked.said if one.role is Chosen]
    names = [*chosen, *looked.effects.chosen]
    names += [word for aim in looked.aims for word in aim.words if chosen]  # the label of the list
    names += [label for label in looked.seen if switches(label)]
    names += [word for aim in looked.pressed[1:] for word in aim.words]  # what something is dropped on
    named = set(looked.seen)
    boxes = [one for one in _elements(looked, scene) if one.text in named] if named else []
    names += [one.text for one in (*boxes, *_hit(looked, scene)) if one.role in SWITCHED]
    names += [one.title for one in looked.windows if _pastes_files(looked, scene)]
    found = [name for name in names if opens_up(name)]
    switched = [one for one in (*boxes, *_hit(looked, scene)) if one.role in {"checkbox", "switch"}]
    if switched and scene.screen:
        said = [line.text for window in looked.windows[-1:] for line in scene.screen.texts(window)]
        found += [one.text for one in switched if any(grants(text) for text in said if text != one.text)]
    return list(dict.fromkeys(found))


def _pastes_files(looked: Looked, scene: Scene) -> bool:
    """Whether files are pasted into the folder that is open."""
    pasted = any(pastes("+".join(keys)) for keys in looked.keys)
    return pasted and any(scene.screen and "FileManager" in scene.screen.categories(one) for one in looked.windows)


def _fields(looked: Looked, scene: Scene) -> set[str]:
    """Return the names of the fields, as their program says, into which it types: they press nothing."""
    if not any(one.role is Typed for one in looked.said):
        return set()
    return {one.text for one in _hit(looked, scene) if one.role == "textbox" and one.said}


def _buttons(looked: Looked, scene: Scene) -> list[Element]:
    """Return the buttons and links that a pointer presses."""
    return [one for one in _hit(looked, scene) if one.role in {"button", "link"}]


def _clicks_again(looked: Looked, scene: Scene) -> bool:
    """Whether it clicks several times on what one click presses."""
    return bool(looked.tool.selects and any(one.said for one in _buttons(looked, scene)))  # an icon looks like a button


def _kept(looked: Looked, scene: Scene) -> list[str]:
    """Return what keeps a download: beside what loses something, the same word keeps what the person has."""
    names = [one.text for one in _buttons(looked, scene)] + [label[0] for label in looked.effects.labels]
    kept = [name for name in names if letters(name) in known_words().keeps]
    window = looked.windows[-1] if looked.windows else None
    if not kept or scene.screen is None or not may_be("WebBrowser", scene.screen, window):
        return []
    beside = {letters(one.text) for one in scene.screen.elements(window) if one.role == "button"}
    return [] if beside & known_words().loses else kept


def _risky(looked: Looked, scene: Scene, policy: Policy) -> str | None:
    """Return the risky word on what is pressed, in what is chosen or run, or typed as a command."""
    run = [one.text for one in [*looked.said, *looked.effects.left] if one.role in RUN]
    if _runs_code(looked, scene):
        run += looked.written
    typed = [one.text for one in looked.said if one.role is Typed]
    orders = (policy.risky_order(text) for text in typed if not any(contains_word(text, one) for one in scene.given))
    ends = (one for aim in looked.pressed[1:] for one in aim.words)
    thrown = [word for one in ends for word in known_words().bins if contains_word(word, one)]
    thrown += filter(None, map(bin_in, looked.seen))
    buttons = [one.text for one in _buttons(looked, scene)]
    alone = ["pay" if is_price(one) else one for one in buttons if is_price(one) or letters(one) in known_words().alone]
    ordered = looked.effects.commanded
    alone += [word for line in ordered for word in re.findall(r"\w+", line) if letters(word) in known_words().alone]
    keyed = looked.effects.labels if len(looked.effects.labels) == 1 else []  # of several, nobody knows which
    alone += [name for name, *_ in keyed if letters(name) in known_words().alone]
    asked = [text for one in looked.labels if len(one) > 1 for text in one]  # what is pressed there, and the question
    alone += ["pay" for text in asked if names_price(text)]
    alone += _kept(looked, scene)
    found = (
        policy.risky_label([one for one in [*looked.seen, *ordered] if one not in _fields(looked, scene)]),
        policy.risky_word(run),
        *orders,
        *thrown,
        *map(consequence, asked),
        *alone,
    )
    return next(filter(None, found), None)


def _file_names(looked: Looked, scene: Scene) -> list[str]:
    """Return what may name a private file or a program, if files are listed: else `Cookies` is a word."""
    words = [word.strip() for aim in looked.pressed for word in aim.words] + looked.effects.opened
    names = [name for name in words if is_private(name) or is_started(name)]
    if not names or scene.screen is None:
        return []
    window = looked.windows[-1] if looked.windows else None
    if may_be("FileManager", scene.screen, window) or lists_files(scene.screen.texts(window)):
        return names
    return [name for name in names if is_installer(name) and may_be("WebBrowser", scene.screen, window)]
