from .eyes import REACTION as REACTION, Eyes as Eyes
from .masks import NO_MASKS as NO_MASKS, Masks as Masks
from .redaction import Concealing as Concealing
