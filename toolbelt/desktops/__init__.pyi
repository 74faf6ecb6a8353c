from .accessibility.nodes import State as State
from .activity import Activity as Activity, Rest as Rest
from .apps import (
    categories_of as categories_of,
    command_for as command_for,
    described_as as described_as,
    is_application as is_application,
)
from .base import (
    DEFAULT_SIZE as DEFAULT_SIZE,
    Application as Application,
    Button as Button,
    Desktop as Desktop,
    Direction as Direction,
    Window as Window,
    live_display as live_display,
    native_system as native_system,
    on_wayland as on_wayland,
)
from .fake import FakeDesktop as FakeDesktop, Input as Input
from .file_openers import USUAL_FOLDERS as USUAL_FOLDERS
from .hotkey import Hotkey as Hotkey
from .keysyms import (
    Keymap as Keymap,
    keysym_of as keysym_of,
    parse_key as parse_key,
    parse_keys as parse_keys,
    pastes as pastes,
)
from .shells import is_at_prompt as is_at_prompt, is_own_terminal as is_own_terminal, is_terminal as is_terminal
from .takeover import Takeover as Takeover
from .virtual.desktop import VirtualDesktop as VirtualDesktop
from .virtual.kept import KeptDesktop as KeptDesktop
from .x11.desktop import LiveDesktop as LiveDesktop
