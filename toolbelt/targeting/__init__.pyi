from .aims import Aim as Aim, aims_of as aims_of, said_words_at as said_words_at
from .descriptions import in_reading_order as in_reading_order, on_side as on_side
from .neighbours import nearest as nearest
from .targets import MarkTarget as MarkTarget, PointTarget as PointTarget, TextTarget as TextTarget, resolve as resolve
