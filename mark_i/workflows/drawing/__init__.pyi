from .layout import Layout as Layout, laid_out as laid_out
from .picture import Lengths as Lengths, Line as Line, Picture as Picture, Position as Position, pictured as pictured
from .text import NAMELESS as NAMELESS, one_line as one_line, size as size
