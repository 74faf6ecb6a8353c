from .detector import things_on as things_on
from .marks import Mark as Mark, Marks as Marks
from .overlay import overlay as overlay
