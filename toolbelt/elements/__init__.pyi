from .accessible import ROLES as ROLES, Said as Said, said_of as said_of
from .detector import elements_on as elements_on
from .element import Element as Element
from .joined import joined as joined
from .marks import Mark as Mark, Marks as Marks
from .overlay import draw_marks as draw_marks
