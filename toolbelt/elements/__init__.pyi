from .detector import things_on as things_on
from .marks import Mark as Mark, Marks as Marks
from .overlay import draw_marks as draw_marks
