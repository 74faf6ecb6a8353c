"""The pace of a film, which the page and the files share: how long each thing is shown, and where the pointer goes."""

from typing import Final

from world_model import Point, Step, problem

READING_CHARS_PER_S: Final = 17  # the usual limit of subtitles for adults
MIN_READING_MS: Final = 1500
MAX_READING_MS: Final = 5000
MOVE_MS: Final = 400  # the pointer on its way to one place
RING_MS: Final = 400  # the ring around a place, before what comes of it is shown
AFTER_MS: Final = 1200  # the screen after a step


def reading_ms(words: str) -> int:
    """Return how long a text is shown, in milliseconds."""
    return min(max(MIN_READING_MS, 1000 * len(words) // READING_CHARS_PER_S), MAX_READING_MS)


def path_of(step: Step) -> tuple[Point, ...]:
    """Return where the pointer goes in a step, in pixels of the desktop; a failed action only names places."""
    return tuple(place.point for place in step.observation.places) if step.observation.ok else ()


def after_ms(step: Step) -> int:
    """Return how long the screen after a step is shown, in milliseconds: long enough to read why it failed."""
    error = step.observation.error
    return reading_ms(problem(error)) if error else AFTER_MS
