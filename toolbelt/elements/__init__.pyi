from .detector import Element as Element, elements_on as elements_on
from .marks import Mark as Mark, Marks as Marks
from .overlay import draw_marks as draw_marks
