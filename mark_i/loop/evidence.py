"""Check what the agent gives as evidence that the goal is reached: only what is verified here and now counts.

For a deed, evidence must be of what this run did: what stood there before proves nothing, and neither does what the
agent wrote itself, unless writing was all that the goal asks for.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from mark_i.loop.facts import RunFacts, on_screen, values
from mark_i.loop.file_evidence import judged, judged_gone, missing_results, overwritten
from mark_i.loop.goal_words import asks_to_type, clauses, file_names, names_in, says, tells_failure, touches, words
from mark_i.loop.verdict import PROVES, Verdict, doubtful, false, worse
from toolbelt.tool import GoalKind
from world_model import Step

KINDS: Final[tuple[GoalKind, ...]] = get_args(GoalKind)


def checked(
    evidence: Sequence[Any], known: RunFacts, answer: str, kind: GoalKind | None
) -> list[tuple[Mapping[str, Any], Verdict]]:
    """Return each piece of evidence as a mapping, with what it is worth.

    Args:
        evidence: each piece is a mapping that says what it is, or a bare text, which may be on the screen, in what a
            tool returned, or the name of a file. The mappings are `{"text": ...}`, `{"observation": n}`, also with the
            `text` that it shows, and `{"file": ...}`, also with the `text` that is in it or `"exists": false`.
        known: what is known at the end of the run.
        answer: what the evidence is for.
        kind: what the goal asks for. If nobody said, a piece must be good for a deed and for an answer.
    """
    found = []
    for piece in evidence:
        verdict = PROVES
        for one in (kind,) if kind else KINDS:
            verdict = worse(verdict, _judged(piece, known, answer, one))
        found.append((as_mapping(piece), verdict))
    return found


def as_mapping(piece: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON
    """Return a piece of evidence as a mapping."""
    return piece if isinstance(piece, Mapping) else {"text": str(piece)}


def objections(evidence: Sequence[Any], known: RunFacts, *, kind: GoalKind | None) -> Iterator[str]:
    """Yield what shows that the goal is not reached, whatever its evidence."""
    if known.unfinished:
        yield known.unfinished
    if kind == "answer" or not known.deeds():
        return
    meant = words(known.goal).union(*map(words, _given(evidence)))
    for title in known.open_questions:
        if not all(touches(meant, {word}) for word in words(title)):  # "Save changes?" is not what "save it" means
            yield f'The dialog "{title}" is still open.'
    yield from missing_results(known.files)
    yield from overwritten(known.files)
    yield from (f'Nothing shows "{clause}".' for clause in _untouched(evidence, known))


def _judged(piece: Any, known: RunFacts, answer: str, kind: GoalKind) -> Verdict:  # noqa: ANN401 - JSON
    claim = as_mapping(piece)
    file, text, number = claim.get("file"), claim.get("text"), claim.get("observation")
    right = isinstance(file, str | None) and isinstance(text, str | None) and isinstance(number, int | None)
    if not right or isinstance(number, bool) or (file, text, number) == (None, None, None):
        return false("Evidence is a text, a file, or the number of an observation.")
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
    shown = bool(on_screen(text, known.lines))
    titled = any(says(title, text) for title in known.titles)
    returned = _returned(text, known)
    if not (shown or titled or returned):
        return false(f'"{text}" is not on the screen now, and no tool returned it.')
    if kind == "answer":
        return doubtful(f'You wrote "{text}" yourself.') if known.is_own(text) and not returned else PROVES
    if (old := known.stood_before(text)) or tells_failure(text, known.goal):
        return doubtful(f'"{text}" {"was there before anything was done" if old else "tells of a failure"}.')
    if titled and any(says(text, name) for name in file_names(known.goal)):
        return PROVES
    if known.is_own(text) and not (returned and says(known.goal, text)):
        return _only_typed(None, known)
    said = words(text) - (set() if returned else known.own_words)
    return PROVES if known.is_completed(text) else _about_goal(text, said, known.asked)


def _returned(text: str, known: RunFacts) -> bool:
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


def _about_goal(text: str, said: set[str], asked: set[str]) -> Verdict:
    return PROVES if touches(asked, said) else doubtful(f'"{text}" has nothing of what the goal asks for.')


def _observation(index: int, text: str | None, known: RunFacts, answer: str, kind: GoalKind) -> Verdict:
    """Judge a step: it must have had a visible effect or found something, and be about the goal or the answer."""
    if not 1 <= index <= len(known.world_model):
        return false(f"There is no observation {index}.")
    step = known.world_model[index]
    seen, looked = step.observation, known.looked(step)
    if not known.counts(step):
        return false(f"Observation {index} is an error, or the end of the run.")
    shown = seen.screen is None or seen.screen.changed or seen.data is not None or bool(known.came.get(index))
    if not shown and not (looked and seen.text and kind == "answer"):
        return false(f"Observation {index} changed nothing.")
    texts = (seen.text, *values(seen.data), *known.changes(step))
    if text is not None and not any(says(one, text) for one in texts):
        return false(f'Observation {index} does not show "{text}".')
    if kind == "answer":
        names = (*known.named(step), *(place.name for place in seen.places), *values(step.action.args))
        asked, said = words(f"{known.goal} {answer}"), _words_of((*texts, *names))
        return PROVES if touches(asked, said) else doubtful(f"Observation {index} has nothing of the goal.")
    return _deed(step, text, known)


def _deed(step: Step, text: str | None, known: RunFacts) -> Verdict:
    """Judge a step that worked, as evidence of a deed."""
    index = step.index
    if known.looked(step) and index < (known.first_deed or index + 1):
        return doubtful(f"Observation {index} is from before anything was done.")
    if text is not None and (known.stood_before(text) or (known.types(step) and known.is_own(text))):
        return _only_typed(step, known) if known.is_own(text) else doubtful(f'"{text}" was there before.')
    if doubt := _failure(step, known) or _undone(step, known):
        return doubtful(f"Observation {index} {doubt}.")
    shows, about = _shown_by(step, known)
    if touches(words(known.goal), shows) or touches(known.asked, about):
        return PROVES
    if known.types(step):
        return _only_typed(step, known)
    return doubtful(f"Observation {index} has nothing of what the goal asks for.")


def _failure(step: Step, known: RunFacts) -> str | None:
    """Say that the world tells of a failure because of a step."""
    new = (one for one in known.changes(step) if not known.stood_before(one))
    return next((f'shows "{one}"' for one in new if tells_failure(one, known.goal)), None)


def _undone(step: Step, known: RunFacts) -> str | None:
    """Say that what a step did may have been undone since."""
    later = (one for one in known.worked() if one.index > step.index)
    return "may have been undone since" if any(map(known.undoes, later)) else None


def _shown_by(step: Step, known: RunFacts, *, read: bool = True) -> tuple[set[str], set[str]]:
    """Return the words that the world shows because of a step, and those of what its tool says, both without our own.

    What appears because of a step that types nothing is the program's doing, even if the agent wrote the words before.
    """
    seen, types = step.observation, known.types(step)
    new = [one for one in known.changes(step, read=read) if not known.stood_before(one)]
    if known.looked(step):
        said = [one for one in (*values(seen.data), *seen.text.splitlines()) if not known.stood_before(one)]
        return set(), _words_of(one for one in said if not known.is_own(one)) - known.own_words
    if types:
        return set(), _words_of(one for one in new if not known.is_own(one)) - known.own_words
    names = (*known.named(step), *(place.name for place in seen.places))
    return _words_of((*new, *names)), _words_of((seen.text, *values(seen.data))) - known.own_words


def _only_typed(step: Step | None, known: RunFacts) -> Verdict:
    """Judge what only shows that the agent typed something: all that the goal asks for must be that, or done after."""
    parts = clauses(known.goal)
    typing = max((place for place, clause in enumerate(parts) if asks_to_type(clause)), default=None)
    if typing is None:
        return doubtful("It shows only what the agent typed itself.")
    steps = [one for one in known.worked() if known.types(one)]
    last = step or (steps[-1] if steps else None)
    after = [one for one in known.worked() if last and one.index > last.index]
    said = set[str]().union(*(_words_shown(one, known) for one in after))
    for clause in parts[typing + 1 :]:
        rest = known.rest_of(clause)
        if rest and not touches(rest, said):
            return doubtful(f'It shows only what the agent typed itself, not "{clause}".')
    return PROVES


def _words_shown(step: Step, known: RunFacts) -> set[str]:
    """Return the words that a step shows, as far as they are known without reading its frames."""
    return set[str]().union(*_shown_by(step, known, read=False))


def _untouched(evidence: Sequence[Any], known: RunFacts) -> Iterator[str]:
    """Yield the parts of the goal that name something and of which no word shows: in no step, evidence, nor now."""
    parts = clauses(known.goal)
    rests = ((clause, known.rest_of(clause)) for clause in parts)
    wanted = [(clause, rest) for clause, rest in rests if rest & names_in(clause)]
    if len(parts) == 1 or not wanted:
        return
    new = (line.text for line in known.lines if not known.stood_before(line.text))
    said = _words_of((*_given(evidence), *known.titles, *new))
    for step in known.worked():
        said |= _words_shown(step, known) | _words_of(known.named(step))
    for clause, rest in wanted:
        if not touches(rest & names_in(clause), said) and not asks_to_type(clause):
            yield clause


def _given(evidence: Sequence[Any]) -> Iterator[str]:
    """Yield the texts in the evidence."""
    for piece in evidence:
        yield from values(dict(as_mapping(piece)))


def _words_of(texts: Iterable[str]) -> set[str]:
    return set[str]().union(*map(words, texts))
