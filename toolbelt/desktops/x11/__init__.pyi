from .connection import (
    BUTTON_PRESS as BUTTON_PRESS,
    KEY_PRESS as KEY_PRESS,
    KEY_RELEASE as KEY_RELEASE,
    Connection as Connection,
    Extension as Extension,
    keyboard_layouts as keyboard_layouts,
    scale_of as scale_of,
)
from .hotkey_listener import HotkeyListener as HotkeyListener
from .input_log import InputEvent as InputEvent, InputLog as InputLog
from .key_reader import KeyReader as KeyReader
from .listener import Listener as Listener
from .sign import Sign as Sign
from .spectator import ScreenView as ScreenView, Spectator as Spectator
from .windows import has_window_manager as has_window_manager
from .xkb import KeyboardMap as KeyboardMap, devices as devices
