from .connection import (
    connect as connect,
    disconnect as disconnect,
    keyboard_layouts as keyboard_layouts,
    scale_of as scale_of,
)
from .listener import Listener as Listener
from .spectator import Onlooker as Onlooker, Sight as Sight
from .windows import has_window_manager as has_window_manager
from .xkb import Extension as Extension, KeyboardMap as KeyboardMap, devices as devices
