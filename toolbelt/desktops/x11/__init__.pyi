from .connection import (
    KEY_PRESS as KEY_PRESS,
    KEY_RELEASE as KEY_RELEASE,
    Connection as Connection,
    Extension as Extension,
    keyboard_layouts as keyboard_layouts,
    scale_of as scale_of,
)
from .listener import Listener as Listener
from .spectator import ScreenView as ScreenView, Spectator as Spectator
from .windows import has_window_manager as has_window_manager
from .xkb import KeyboardMap as KeyboardMap, devices as devices
