"""The thresholds of the detector: every size, gap and ratio by which it tells elements apart."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What controls look like, in pixels of the screen, or as a ratio to another length.

    The values were found on the forms in `tests/apps` (Tk, GTK, Qt and Chromium, light and dark) and, for checkboxes,
    on 48 pages and programs at 80 to 200 %; docs/benchmarks.md has the figures. They depend on each other: measure both
    before and after you change one.
    """

    # Outlines: what may be the border of a control
    outline_edge_thresholds: tuple[int, int] = (10, 30)  # for Canny's detector; borders in dark themes are faint
    ink_min_contrast: int = 24  # of 255; a pixel that differs less from its neighbours is background
    outline_min_height_px: int = 12  # a lower outline has no room for a word
    outline_min_fill_ratio: float = 0.8  # of its rectangle; round corners take a little off
    outline_min_bounded_ratio: float = 0.95  # of the perimeter that must be an edge if the outline fills less
    outline_side_px: int = 3  # how near to the side that edge must be; round corners need some
    bounded_min_height_px: int = 16  # a lower one may be a piece of a word, between small letters and an underscore
    corners_max_difference_px: int = 8  # between the round corners of its two sides
    border_rim_px: int = 5  # between the outer and the inner outline of one border
    border_max_ink_ratio: float = 0.15  # of a line just within a border; a word has no such line around it
    border_side_max_ink_ratio: float = 0.35  # of one side, if the sides are clean at different distances
    border_insets_px: tuple[int, ...] = (1, 2, 3, 4, 5, 6)  # where that line may be; an outline may be an inner side
    border_insets_in_outline: int = 2  # how many of the first are in the border if the outline is its outer side
    frame_px: int = 4  # from the outer side of a frame around a checkbox and its label to within it
    border_wipe_px: int = 7  # the width of a border, with antialiasing and bevels

    # Checkboxes and radio buttons
    checkbox_min_side_px: int = 9  # as on a screen at 80 %
    checkbox_max_side_px: int = 36  # as on a screen at 200 %
    checkbox_min_fill_ratio: float = 0.66  # of its square; a circle fills more
    checkbox_max_side_ratio: float = 1.25  # its longer side to the shorter one
    checkbox_free_px: int = 1  # around it; between the letters of a word there is less
    checkbox_text_max_gap_px: int = 30  # to the text that makes it one
    checkbox_label_max_gap_px: int = 36  # to the text that names it
    checkbox_text_min_gap_ratio: float = 0.15  # of its height; letters of a word are nearer
    checkbox_hover_margin_px: int = 6  # to the end of the background under the pointer, or of the frame for the focus
    switch_min_width_ratio: float = 1.5  # of the track of a switch to its knob
    switch_max_width_ratio: float = 3.0  # the same

    # Buttons and textboxes
    border_px: int = 5  # what the border of a control takes
    focus_border_px: int = 8  # the same with focus, on a screen at 200 %
    caret_max_width_px: int = 4  # with antialiasing
    one_line_max_height_px: int = 64  # of a button, or of a textbox of one line
    button_off_centre_ratio: float = 0.08  # of its width, by which the text may be off the middle
    button_max_width_ratio: float = 12  # to its height; a title bar is wider
    empty_textbox_min_width_ratio: float = 1.5  # to its height
    textbox_max_height_ratio: float = 2.7  # of one line, to the height of its text
    textbox_max_indent_px: int = 40  # from its left to its text, after an icon
    textbox_max_controls: int = 2  # in it, such as the arrow that opens its list
    resize_handle_px: int = 20  # in the corner of a large textbox
    shared_border_px: int = 2  # between two sides that count as shared: of cells, or of a strip and its highlighted end
    selection_gap_px: int = 3  # between a selected text, or the border, and the rest of its textbox

    # Images
    icon_min_side_px: int = 6  # the shorter one
    icon_max_side_px: int = 64  # the longer one
    icon_max_side_ratio: int = 3  # the longer one to the shorter one

    # Labels of textboxes
    label_left_max_gap_px: int = 400  # to the label to the left
    label_above_max_gap_px: int = 20  # to the label above
    label_above_close_px: int = 10  # a label as close above is preferred to one far to the left
    label_left_close_px: int = 60  # a label farther to the left is far
    label_max_indent_px: int = 24  # by which a label above may begin before or after the textbox
    label_line_max_indent_px: int = 3  # between the lines of one label
    label_overlap_px: int = 5  # by which a label may overlap what it names

    # Textboxes that are searched for by name: the borders near the name
    named_edge_thresholds: tuple[int, int] = (20, 60)  # of Canny's detector
    named_max_height_ratio: float = 3.5  # to the height of the name
    named_below_max_height_ratio: float = 2.2  # the same for one below its name
    named_height_padding_px: int = 8  # by which it may be higher than that
    named_right_max_gap_px: int = 400  # to one to the right of its name
    named_below_max_gap_px: int = 40  # to one below its name
    named_off_centre_px: int = 4  # by which the text of a button may be off its middle

    # Texts
    text_reading_border_px: int = 24  # around a text that is read separately
    text_margin_px: int = 2  # around its ink
    text_min_width_ratio: float = 0.36  # to its height, at the side of a control; the side itself is narrower
    line_margin_parts: int = 5  # one part of a line's height is margin above and below; other lines reach into it

    # The same element on another frame
    moved_max_px: int = 64  # by which it may move alone and still be recognized by its text
    moved_together_px: int = 2  # between the movements of elements that move together
    expected_max_gap_px: int = 8  # between where it is expected and where it is
    resized_max_px: int = 12  # by which the size of a textbox may differ; its border is wider with focus
    icon_max_difference: float = 24.0  # of 255, the mean over the pixels of an icon that is still the same


THRESHOLDS: Final = Thresholds()
