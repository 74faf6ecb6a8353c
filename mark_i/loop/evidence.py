"""Check what the agent gives as evidence that the goal is reached: only what is verified here and now counts.

For a deed, evidence must be of what this run did: what stood there before proves nothing, and neither does what the
agent wrote itself, unless writing was all that the goal asks for.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, get_args

from mark_i.loop.answer_objections import answer_objections
from mark_i.loop.changed_text import judged_change
from mark_i.loop.control_objections import accepted, control_objections
from mark_i.loop.facts import RunFacts, on_screen, values
from mark_i.loop.file_evidence import judged, judged_gone, judged_open, shows_mode
from mark_i.loop.file_objections import file_objections
from mark_i.loop.goal_words import (
    FILE_NAME,
    NUMBER,
    asks,
    asks_to_close,
    asks_to_open,
    asks_to_point,
    asks_to_type,
    clauses,
    contradicts,
    counts_otherwise,
    done_by,
    excepts,
    file_names,
    is_question,
    says,
    subjects,
    tells_failure,
    tells_unfinished,
    touches,
    words,
)
from mark_i.loop.shown import did, is_last_to_open, shown_by, untouched, words_of, words_shown
from mark_i.loop.states import judged_state, state_objections
from mark_i.loop.text_objections import as_mapping, text_objections
from mark_i.loop.verdict import PROVES, Verdict, doubtful, false, idle, worse
from mark_i.loop.word_lists import has_word
from toolbelt.ocr import unreadable
from toolbelt.perception import CARET_MAX_PX
from toolbelt.tool import GoalKind
from world_model import Step

LOOK_GAP_PX: Final = 6  # between a text that is clicked and the frame of its control
STATEFUL: Final = frozenset({"checkbox", "radio", "switch"})  # their look is their state
KINDS: Final[tuple[GoalKind, ...]] = get_args(GoalKind)


def checked(
    evidence: Sequence[Any], known: RunFacts, answer: str, kind: GoalKind | None, *, computed: bool = False
) -> list[tuple[Mapping[str, Any], Verdict]]:
    """Return each piece of evidence as a mapping, with what it is worth.

    Args:
        evidence: each piece is a mapping that says what it is, or a bare text, which may be on the screen, in what a
            tool returned, or the name of a file. The mappings are `{"text": ...}`, also with the `state` of the control
            that is called so, or what it `was` in a text field, `{"observation": n}`, also with the `text` that
            it shows, and `{"file": ...}`, also with the `text` that is in it or `"exists": false`.
        known: what is known at the end of the run.
        answer: what the evidence is for.
        kind: what the goal asks for. If nobody said, a piece must be good for a deed and for an answer.
        computed: whether a program made the change of a text of the goal.
    """
    found = []
    for piece in evidence:
        verdict = PROVES
        for one in (kind,) if kind else KINDS:
            verdict = worse(verdict, _judged(piece, known, answer, one, computed=computed))
        found.append((as_mapping(piece), verdict))
    return found


def objections(evidence: Sequence[Any], known: RunFacts, *, kind: GoalKind | None, answer: str = "") -> Iterator[str]:
    """Yield what shows that the goal is not reached, whatever its evidence; only what was confirmed is given."""
    if known.unfinished:
        yield known.unfinished
    if kind == "answer":
        yield from answer_objections(answer, known)
    if kind == "answer" or not known.deeds():
        return
    for title in known.open_questions:
        if not (any(_is_to_open(title, one) for one in clauses(known.goal)) or is_last_to_open(title, known)):
            yield f'The dialog "{title}" is still open.' if title else "A dialog without a title is still open."
    last = [step for step in known.worked() if not known.looked(step)][-1]
    if doubt := _failure(last, known):
        yield f"Observation {last.index} {doubt}."
    yield from (f'The screen says "{one}".' for one in _complaints_since(last, known) if not doubt)
    yield from (f'"{title}" is still open.' for title in _left_open(known))
    yield from (f'Nobody has answered "{line}".' for line in known.questions)
    yield from file_objections(known.files)
    yield from control_objections(known)
    yield from state_objections(known)
    yield from text_objections(evidence, known)
    yield from (f'Nothing shows "{clause}".' for clause in untouched(evidence, known))


def _is_to_open(title: str, clause: str) -> bool:
    """Whether a dialog is what the goal wants to see, such as the preferences."""
    return asks_to_open(clause) and not file_names(clause) and touches(subjects(clause), subjects(title))


def _left_open(known: RunFacts) -> Iterator[str]:
    """Yield the windows that were there before, like those that were closed, where all were to be closed."""
    closed = words_of(title for titles in known.closed.values() for title in titles)
    if any(asks_to_close(clause) and has_word("universal.txt", clause) for clause in clauses(known.goal)):
        for title in sorted({*known.titles} & {*known.before.titles}):
            if touches(words(title), closed) and not touches(words(title), words(known.goal)):
                yield title


def _judged(piece: Any, known: RunFacts, answer: str, kind: GoalKind, *, computed: bool) -> Verdict:  # noqa: ANN401 - JSON
    claim = as_mapping(piece)
    file, text, number = claim.get("file"), claim.get("text"), claim.get("observation")
    if isinstance(old := claim.get("was"), str) and isinstance(text, str) and len(claim) == len({"was", "text"}):
        return judged_change(text, old, known, deed=kind == "deed", computed=computed)
    if isinstance(state := claim.get("state"), str) and isinstance(text, str) and file is number is None:
        return judged_state(text, state, known, deed=kind == "deed")
    right = isinstance(file, str | None) and isinstance(text, str | None) and isinstance(number, int | None)
    if not right or state is not None or isinstance(number, bool) or (file, text, number) == (None, None, None):
        return false("Evidence is a text, the state of a control, a file, or the number of an observation.")
    verdicts = []
    if file is not None:
        verdicts.append(_file(file, claim, known, kind))
    if number is not None:
        verdicts.append(_observation(number, text if file is None else None, known, answer, kind))
    elif file is None and text is not None:
        seen = _text(text, known, kind)
        by_name = not seen.proves and not isinstance(piece, Mapping)
        as_file = judged(text, None, known.files, deed=kind == "deed") if by_name else seen
        verdicts.append(as_file if as_file.proves else seen)
    verdict = PROVES
    for one in verdicts:
        verdict = worse(verdict, one)
    return verdict


def _file(name: str, claim: Mapping[str, Any], known: RunFacts, kind: GoalKind) -> Verdict:
    if claim.get("exists") is False:
        return judged_gone(name, known.files, deed=kind == "deed", seen=known.stood_before(name.rpartition("/")[2]))
    return judged(name, claim.get("text"), known.files, deed=kind == "deed")


def _text(text: str, known: RunFacts, kind: GoalKind) -> Verdict:
    """Judge a text that is on the screen now, in the title of a window, or in what a tool returned."""
    titled = any(says(title, text) for title in known.titles)
    returned = was_returned(text, known)
    if not (titled or returned or on_screen(text, known.lines)):
        return _unseen(text)
    if kind == "answer":
        own = known.is_own(text) and not returned and set(NUMBER.findall(text)) <= set(NUMBER.findall(_typed(known)))
        return doubtful(f'The agent wrote "{text}" itself.') if own else PROVES
    if doubt := _doubt_of(text, known):
        return doubtful(doubt)
    if titled and (names := [name for name in file_names(known.goal) if says(text, name)]):
        return judged_open(names, known.titles, known.files)
    if known.is_own(text) and not (returned and says(known.goal, text)):
        return _only_typed(f'"{text}"', None, known)
    said = words(text) - (set() if returned else known.own_words)
    return _about_goal(text, said, known)


def _came_of(text: str, known: RunFacts) -> Iterator[bool]:
    """Yield whether each step proves the deed with which a text appeared."""
    for step in known.worked():
        if not known.looked(step) and any(says(one, text) for one in known.appeared(step)):
            yield _deed(step, None, known).proves


def _typed(known: RunFacts) -> str:
    return " ".join((known.goal, *known.typed))


def _unseen(text: str) -> Verdict:
    if unreadable(text):
        return doubtful(f'The letters of "{text}" cannot be read from a screen.')
    return false(f'"{text}" is not on the screen now, and no tool returned it.')


def _doubt_of(text: str, known: RunFacts) -> str | None:
    """Say why a text that is there proves nothing, whatever it says."""
    if known.stood_before(text):
        return f'"{text}" was there before anything was done.'
    if tells_failure(text, known.goal):
        return f'"{text}" tells of a failure.'
    if contradicts(text, known.goal) or counts_otherwise(text, known.goal):
        return f'"{text}" has another number than the goal.'
    line = next((line.text for line in known.lines if tells_unfinished(line.text, text)), None)
    return f'"{line}" says that it goes on.' if line else None


def was_returned(text: str, known: RunFacts) -> bool:
    """Whether a tool returned the text. What the agent itself wrote proves nothing, unless the goal has it too."""
    if known.is_own(text) and not says(known.goal, text):
        return False
    for step in known.worked():
        said = list(values(step.observation.data))
        if known.found(step) and step.observation.data is None:
            said.append(step.observation.text)
        if not known.types(step) and any(says(one, text) for one in said):
            return True
    return False


def _about_goal(text: str, said: set[str], known: RunFacts) -> Verdict:
    if name := known.names_missing(text):
        return doubtful(f'No new file {name} was found. Give its path as "file".')
    good = known.is_completed(text) or touches(known.asked, said) or any(_came_of(text, known))
    good = good or shows_mode(text, known.files)
    return PROVES if good else doubtful(f'"{text}" has nothing of what the goal asks for.')


def _observation(index: int, text: str | None, known: RunFacts, answer: str, kind: GoalKind) -> Verdict:
    """Judge a step: it must have had a visible effect or found something, and be about the goal or the answer."""
    if not 1 <= index <= len(known.world_model):
        return false(f"There is no observation {index}.")
    step = known.world_model[index]
    seen, looked = step.observation, known.looked(step)
    if not known.counts(step):
        return false(f"Observation {index} is an error, or the end of the run.")
    shown = seen.screen is None or seen.screen.effect or seen.data is not None or bool(known.came.get(index))
    if not shown and not (looked and seen.text and kind == "answer"):
        return replace(false(f"Observation {index} changed nothing."), idle=True)
    texts = (seen.text, *values(seen.data), *known.changes(step))
    if text is not None and not any(says(one, text) for one in texts):
        return false(f'Observation {index} does not show "{text}".')
    if kind == "answer":
        names = (*known.named(step), *(place.name for place in seen.places), *values(step.action.args))
        asked, said = words(f"{known.goal} {answer}"), words_of((*texts, *names))
        return PROVES if touches(asked, said) else doubtful(f"Observation {index} has nothing of the goal.")
    return _deed(step, text, known)


def _deed(step: Step, text: str | None, known: RunFacts) -> Verdict:
    """Judge a step that worked, as evidence of a deed."""
    index = step.index
    if known.looked(step) and index < (known.first_deed or index + 1):
        return idle(f"Observation {index} is from before anything was done.")
    if (copied := known.clipboard(step)) is not None and done_by("ctrl+c", known.goal):
        return PROVES if copied else doubtful("The clipboard is empty.")
    if text is not None and (known.stood_before(text) or (known.types(step) and known.is_own(text))):
        return _only_typed(f'"{text}"', step, known) if known.is_own(text) else doubtful(f'"{text}" was there before.')
    doubts = (_failure, _undone, _given_up, _other_file, _other_number, _not_open, _own_look)
    if doubt := next(filter(None, (one(step, known) for one in doubts)), None):
        return doubtful(f"Observation {index} {doubt}.")
    shows, about = shown_by(step, known)
    if touches(words(known.goal), shows) or touches(known.asked, about) or _is_asked_for(step, known):
        return PROVES
    nothing = idle(f"Observation {index} has nothing of what the goal asks for.")
    return _only_typed(f"Observation {index}", step, known) if known.types(step) else nothing


def _is_asked_for(step: Step, known: RunFacts) -> bool:
    """Whether a step closed, opened or computed something, or had a form accepted, as the goal wants."""
    opened, closed = words_of(known.opened(step)), known.closed.get(step.index, ())
    for clause in clauses(known.goal):
        if asks_to_open(clause) and touches(subjects(clause), opened):
            return True
        any_of_them = len(known.before.titles) == 1 or has_word("universal.txt", clause)
        if closed and asks_to_close(clause) and (any_of_them or touches(words(clause), words_of(closed))):
            return True
    last = any(is_last_to_open(title, known) for title in known.came.get(step.index, ()))
    return last or (asks(known.goal) and known.computed(step)) or accepted(step, known)


def _failure(step: Step, known: RunFacts) -> str | None:
    """Say that the world tells of a failure because of a step."""
    new = (one for one in known.appeared(step) if not known.stood_before(one))
    return next((f'shows "{one}"' for one in new if _tells_against(one, known)), None)


def _complaints_since(last: Step, known: RunFacts) -> Iterator[str]:
    """Yield what tells of a failure on the screen now, and was not there before the last deed."""
    earlier = known.read(last.before) if last.before and last.before.pixels.size else known.lines
    there = {line.text for line in earlier}
    new = (line.text for line in known.lines if line.text not in there and not known.stood_before(line.text))
    yield from (text for text in new if _tells_against(text, known))


def _tells_against(text: str, known: RunFacts) -> bool:
    if known.complains(text) or known.is_own(text):
        return known.complains(text)
    goes_on = tells_unfinished(text, known.goal) and bool(on_screen(text, known.lines))
    return goes_on or tells_failure(text, known.goal)


def _other_file(step: Step, known: RunFacts) -> str | None:
    """Say that a step names a file that the goal does not, and none of those of its kind that the goal names."""
    texts = (*known.named(step), step.observation.text, *known.came.get(step.index, ()))
    named = [Path(name) for text in texts for name in FILE_NAME.findall(text)]
    asked = [Path(name) for name in file_names(known.goal)]
    if (
        known.looked(step)
        or known.types(step)
        or not named
        or not asked
        or excepts(known.goal)
        or {one.name for one in named} & {one.name for one in asked}
    ):
        return None
    other = next((one for one in named if one.suffix in {one.suffix for one in asked}), None)
    return f"is of {other.name}, and the goal names {asked[0].name}" if other else None


def _other_number(step: Step, known: RunFacts) -> str | None:
    """Say that what was clicked or chosen has another number than the goal."""
    other = next((name for name in known.named(step) if contradicts(name, known.goal)), None)
    if other is None and not known.types(step):
        new = (text for text in known.appeared(step) if not known.stood_before(text))
        other = next((text for text in new if counts_otherwise(text, known.goal)), None)
    return f'is of "{other}", which has another number than the goal' if other else None


def _not_open(step: Step, known: RunFacts) -> str | None:
    """Say that a window which came with a step shows a file that is not there, or not saved."""
    came = [title for title in known.came.get(step.index, ()) if title in known.titles]
    names = [name for name in file_names(known.goal) if any(_is_called(title, Path(name).name) for title in came)]
    verdict = judged_open(names, came, known.files)
    return None if verdict.proves else f"shows no such file: {verdict.reason}"


def _is_called(title: str, name: str) -> bool:
    """Whether a title has the name of a file, and not within a sentence, such as "moved notes.txt"."""
    before = title.casefold().partition(name.casefold())[0]
    return says(title, name) and not re.search(r"\w\s+\Z", before)


def _own_look(step: Step, known: RunFacts) -> str | None:
    """Say that a click only changed the look of what was clicked, where the goal asks for more than a click."""
    seen = step.observation
    regions = [one for one in seen.screen.regions if one.width > CARET_MAX_PX.width] if seen.screen else []
    if not seen.places or not regions or known.came.get(step.index) or known.closed.get(step.index):
        return None
    at, names = seen.places[-1], words_of((*known.named(step), *(place.name for place in seen.places)))
    own = all(at.point in region.grown(LOOK_GAP_PX) for region in regions) and not known.says_new(step, regions)
    asked = any(asks_to_point(clause) for clause in clauses(known.goal) if touches(words(clause), names))
    return "changed only the look of what was clicked" if own and not asked and at.role not in STATEFUL else None


def _given_up(step: Step, known: RunFacts) -> str | None:
    """Say that a step gave something up, asked something, or opened what was closed again, if none was asked for."""
    if known.cancels(step) and not (asks_to_close(known.goal) or asks_to_point(known.goal)):
        return "gives up what was begun"
    asked = (text for text in known.appeared(step) if is_question(text) and not known.is_own(text))
    if question := next((text for text in asked if not on_screen(text, known.lines)), None):
        return f'only asked "{question}"'
    came = known.came.get(step.index, ())
    gone = bool(came) and any(set(came) <= set(titles) for titles in known.closed.values())
    return "opened only what is closed again" if gone and not asks_to_open(known.goal) else None


def _undone(step: Step, known: RunFacts) -> str | None:
    """Say that what a step did may have been undone since."""
    later = (one for one in known.worked() if one.index > step.index)
    return "may have been undone since" if any(map(known.undoes, later)) else None


def _only_typed(what: str, step: Step | None, known: RunFacts) -> Verdict:
    """Judge what only shows that the agent typed something: all that the goal asks for must be that, or done after."""
    parts = clauses(known.goal)
    typing = max((place for place, clause in enumerate(parts) if asks_to_type(clause)), default=None)
    if typing is None:
        return idle(f"{what} is only what the agent typed itself.")
    steps = [one for one in known.worked() if known.types(one)]
    last = step or (steps[-1] if steps else None)
    after = [one for one in known.worked() if last and one.index > last.index]
    said = set[str]().union(*(words_shown(one, known) for one in after if did(one)))
    for clause in parts[typing + 1 :]:
        rest = known.rest_of(clause)
        if rest and not touches(rest, said):
            return doubtful(f'{what} is only what the agent typed itself, not "{clause}".')
    return PROVES
