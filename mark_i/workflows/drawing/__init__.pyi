from .layout import Layout as Layout, laid_out as laid_out
from .picture import (
    GraphPicture as GraphPicture,
    Lengths as Lengths,
    Line as Line,
    Position as Position,
    pictured as pictured,
)
from .text import NAMELESS as NAMELESS, one_line as one_line, size as size
