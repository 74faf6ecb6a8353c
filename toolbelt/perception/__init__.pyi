from .eyes import Eyes as Eyes
from .hearing import Heard as Heard, Hearing as Hearing
from .lateness import is_seen as is_seen
from .masks import NO_MASKS as NO_MASKS, Masks as Masks
from .motion import CARET_MAX_PX as CARET_MAX_PX
from .redaction import Redaction as Redaction
from .settling import (
    CLICK_REACTION_S as CLICK_REACTION_S,
    CONTROL_MAX_PX as CONTROL_MAX_PX,
    QUIET_S as QUIET_S,
    REACTION_S as REACTION_S,
    Settled as Settled,
)
from .sighting import Look as Look, Sighting as Sighting
from .template_match import (
    DEVIATION_MIN as DEVIATION_MIN,
    OWN_SCALE as OWN_SCALE,
    SCALES as SCALES,
    find_patch as find_patch,
    image_in as image_in,
)
