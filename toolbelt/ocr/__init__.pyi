from .elsewhere import Address as Address
from .encodings import encoded as encoded, nested as nested, spaced as spaced, spelled as spelled
from .engine import read_elsewhere as read_elsewhere, serve_reading as serve_reading, warm_up as warm_up
from .frame_diff import changed_regions as changed_regions
from .lines import Line as Line
from .on_screen import unreadable as unreadable
from .read_back import can_be_read_back as can_be_read_back, is_shown as is_shown, shown_instead as shown_instead
from .reader import Reader as Reader, read_region as read_region
from .split_texts import split_over as split_over
from .text_match import (
    Match as Match,
    find as find,
    holds_alike as holds_alike,
    holds_any_alike as holds_any_alike,
    plain as plain,
)
from .upscaled import read_enlarged as read_enlarged, scale_for as scale_for
