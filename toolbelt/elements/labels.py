"""Labels: find the text that names a textbox or a checkbox."""

from toolbelt.elements.text_runs import TextRun
from toolbelt.elements.thresholds import THRESHOLDS
from world_model import Region


def label_of_box(box: Region, texts: list[TextRun]) -> TextRun | None:
    """Return the text to the right of a checkbox."""
    beside = [one for one in texts if names_box(one.region, box)]
    return min(beside, key=lambda one: one.region.x, default=None)


def names_box(text: Region, box: Region) -> bool:
    """Whether a text is where the label of a checkbox is: to its right, in its row."""
    gap = text.x - box.right
    return in_row(text, box) and -THRESHOLDS.label_overlap_px <= gap <= THRESHOLDS.checkbox_label_max_gap_px


def label_of_field(field: Region, texts: list[TextRun], controls: list[Region]) -> TextRun | None:
    """Return the text to the left of a textbox with no control between, or the text close above it.

    A label of several lines is one text.
    """
    left, above = _left(field, texts, controls), _above(field, texts)
    if (
        left
        and above
        and field.x - left.region.right > THRESHOLDS.label_left_close_px
        and field.y - above.region.bottom <= THRESHOLDS.label_above_close_px
    ):
        return above
    return left or above


def has_close_label(field: Region, texts: list[TextRun]) -> bool:
    """Whether there is a text close to the left of a textbox."""
    return any(
        in_row(one.region, field)
        and -THRESHOLDS.label_overlap_px <= field.x - one.region.right <= THRESHOLDS.label_left_close_px
        for one in texts
    )


def plain_label(text: str) -> str:
    """Strip the colon at the end of a label, and the star of a required field."""
    return text.rstrip(" :*")


def _left(field: Region, texts: list[TextRun], controls: list[Region]) -> TextRun | None:
    row = [
        one
        for one in texts
        if in_row(one.region, field)
        and -THRESHOLDS.label_overlap_px <= field.x - one.region.right <= THRESHOLDS.label_left_max_gap_px
    ]
    nearest = max(row, key=lambda one: one.region.right, default=None)
    if nearest and any(_between(nearest.region, field, other) for other in controls):
        return None
    return _whole(nearest, row) if nearest else None


def _whole(line: TextRun, row: list[TextRun]) -> TextRun:
    """Return a label of several lines, of which one is known."""
    whole = line
    for other in sorted(row, key=lambda one: abs(one.region.y - line.region.y)):
        gap = max(whole.region.y, other.region.y) - min(whole.region.bottom, other.region.bottom)
        aligned = abs(other.region.x - line.region.x) <= THRESHOLDS.label_line_max_indent_px
        if other is not line and aligned and 2 * abs(gap) <= line.region.height:
            first, second = (other, whole) if other.region.y < whole.region.y else (whole, other)
            whole = TextRun(f"{first.text} {second.text}", whole.region.union(other.region))
    return whole


def _above(field: Region, texts: list[TextRun]) -> TextRun | None:
    over = [
        one
        for one in texts
        if -THRESHOLDS.label_overlap_px <= field.y - one.region.bottom <= THRESHOLDS.label_above_max_gap_px
    ]
    aligned = [one for one in over if abs(one.region.x - field.x) <= THRESHOLDS.label_max_indent_px]
    return max(aligned, key=lambda one: one.region.bottom, default=None)


def _between(label: Region, field: Region, other: Region) -> bool:
    return other != field and in_row(label, other) and label.right <= other.center.x < field.x


def in_row(text: Region, other: Region) -> bool:
    """Whether two things are in one row: the middle of one is at the height of the other."""
    return other.y < text.center.y < other.bottom or text.y < other.center.y < text.bottom
