"""Labels: which text names a field or a box to tick."""

from typing import Final

from toolbelt.elements.text_runs import Piece
from world_model import Region

BESIDE: Final = 36  # pixels between a box to tick and its label
NEAR: Final = 400  # pixels between a field and the label to its left
ABOVE: Final = 20  # pixels between a field and the label above it
AT_ONCE: Final = 10  # pixels; a label so close above a field comes before one that is far to its left
FAR: Final = 60
INDENT: Final = 24  # pixels that a label above a field may begin before or after it
OVERLAP: Final = 5  # pixels that a label may reach into what it names


def label_of_box(box: Region, texts: list[Piece]) -> Piece | None:
    """The text to its right."""
    beside = [one for one in texts if _in_row(one.region, box) and -OVERLAP <= one.region.x - box.right <= BESIDE]
    return min(beside, key=lambda one: one.region.x, default=None)


def label_of_field(field: Region, texts: list[Piece], controls: list[Region]) -> Piece | None:
    """The text to its left, where no other control is between them, or the one close above it."""
    left, above = _left(field, texts, controls), _above(field, texts)
    if left and above and field.x - left.region.right > FAR and field.y - above.region.bottom <= AT_ONCE:
        return above
    return left or above


def has_close_label(field: Region, texts: list[Piece]) -> bool:
    """Whether a text stands close to its left."""
    return any(_in_row(one.region, field) and -OVERLAP <= field.x - one.region.right <= FAR for one in texts)


def plain_label(text: str) -> str:
    """A label without the colon that it may end in, or the star of a field that must be filled."""
    return text.rstrip(" :*")


def _left(field: Region, texts: list[Piece], controls: list[Region]) -> Piece | None:
    row = [one for one in texts if _in_row(one.region, field) and -OVERLAP <= field.x - one.region.right <= NEAR]
    nearest = max(row, key=lambda one: one.region.right, default=None)
    if nearest and any(_between(nearest.region, field, other) for other in controls):
        return None
    return nearest


def _above(field: Region, texts: list[Piece]) -> Piece | None:
    over = [one for one in texts if -OVERLAP <= field.y - one.region.bottom <= ABOVE]
    aligned = [one for one in over if abs(one.region.x - field.x) <= INDENT]
    return max(aligned, key=lambda one: one.region.bottom, default=None)


def _between(label: Region, field: Region, other: Region) -> bool:
    return other != field and _in_row(label, other) and label.right <= other.center.x < field.x


def _in_row(text: Region, other: Region) -> bool:
    """Whether a text stands beside something: the middle of one is at the height of the other."""
    return other.y < text.center.y < other.bottom or text.y < other.center.y < text.bottom
