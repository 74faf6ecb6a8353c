from .detector import elements_on as elements_on
from .marks import Mark as Mark, Marks as Marks
from .overlay import draw_marks as draw_marks
