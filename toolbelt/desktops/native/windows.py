"""Input and windows on Windows: keys through `SendInput`, clicks through pyautogui, windows through PyGetWindow."""

import contextlib
import ctypes
import importlib
from collections.abc import Iterator
from ctypes import wintypes
from pathlib import PureWindowsPath
from typing import Any, Final

from toolbelt.desktops.base import Direction, Window
from toolbelt.desktops.buttons import not_there
from toolbelt.desktops.native.base import quick_pyautogui
from toolbelt.desktops.native.windows_keyboard import LEFT_ALT, UNASSIGNED, User32, WindowsKeys, library, user32
from world_model import DesktopError, Point, Region, ToolFailure

# From winuser.h, dwmapi.h and shellscalingapi.h.
WHEEL: Final = {"up": (0x0800, 120), "down": (0x0800, -120), "left": (0x1000, -120), "right": (0x1000, 120)}
FRAME_BOUNDS: Final = 9
CLOAKED: Final = 14
PER_MONITOR: Final = 2
EXTENDED_STYLE: Final = -20
TOOL_WINDOW: Final = 0x80
QUERY_LIMITED: Final = 0x1000
LONGEST_PATH: Final = 32768


class WindowsPlatform:
    """Keys, clicks, the wheel and windows on Windows.

    Raises:
        DesktopError: Points would not be pixels, see `require_pixel_coordinates`.
    """

    def __init__(self) -> None:
        require_pixel_coordinates()
        self._pyautogui = quick_pyautogui()
        self._user32 = user32()
        self._windows: Any = importlib.import_module("pygetwindow")  # it ships no types
        self.keys = WindowsKeys(User32(), self._pyautogui.platformModule.keyboardMapping)

    def click(self, at: Point, button: str, count: int) -> None:
        """Click `count` times in a row at the pointer, if it is at `at`."""
        if (there := Point(*self._pyautogui.position())) != at:
            raise not_there(at, there, "nothing was clicked")
        self._pyautogui.click(clicks=count, button=button)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel; pyautogui only turns it vertically, by a 120th of a notch."""
        wheel, notch = WHEEL[direction]
        for _ in range(amount):
            self._user32.mouse_event(wheel, 0, 0, notch & 0xFFFFFFFF, 0)

    def windows(self) -> list[Window]:
        """Return the windows of applications, bottom to top; skip those that vanish meanwhile."""
        active = self._user32.GetForegroundWindow()
        with self._refusals():
            handles = [int(window._hWnd) for window in self._windows.getAllWindows()]  # noqa: SLF001 - its only name
        return [window for handle in reversed(handles) if (window := self._window(handle, active))]

    def close_window(self, window: Window) -> None:
        """Ask a window to close, as its close button does."""
        with self._refusals():
            self._found(window.id).close()

    def focus_window(self, window: Window) -> None:
        """Raise a window; Windows lets any program do so while Alt is down."""
        with self._refusals():
            found = self._found(window.id)
            if window.minimized:
                found.restore()
        alt = self.keys.down([LEFT_ALT, UNASSIGNED])
        try:
            with contextlib.suppress(self._windows.PyGetWindowException):  # the caller checks the result
                found.activate()
        finally:
            self.keys.up(alt)

    def place_window(self, window: Window, region: Region) -> None:
        """Move and resize a window, including its frame, to a region."""
        with self._refusals():
            found = self._found(window.id)
            if found.isMaximized or found.isMinimized:
                found.restore()
            wanted = with_border(region, Region(found.left, found.top, found.width, found.height), frame(window.id))
            found.moveTo(wanted.x, wanted.y)
            found.resizeTo(wanted.width, wanted.height)

    def _found(self, handle: int) -> Any:  # noqa: ANN401
        return self._windows.Win32Window(handle)

    def _window(self, handle: int, active: int) -> Window | None:
        try:
            title = self._found(handle).title
        except self._windows.PyGetWindowException:
            return None
        style = self._user32.GetWindowLongW(handle, EXTENDED_STYLE)
        if not title or style & TOOL_WINDOW or attribute(handle, CLOAKED, wintypes.DWORD()).value:
            return None
        minimized = bool(self._user32.IsIconic(handle))
        return Window(handle, title, application(handle), frame(handle), handle == active, minimized)

    @contextlib.contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except self._windows.PyGetWindowException as error:
            raise ToolFailure("TOOL_ERROR", f"Windows did not do this with the window: {error}.") from error


def with_border(region: Region, outer: Region, frame: Region) -> Region:
    """Return the outer region of a window that visibly covers a region: its border is partly invisible."""
    left, top = frame.x - outer.x, frame.y - outer.y
    width, height = outer.width - frame.width, outer.height - frame.height
    return Region(region.x - left, region.y - top, region.width + width, region.height + height)


def frame(handle: int) -> Region:
    """Return the visible region of a window, including its frame."""
    found = attribute(handle, FRAME_BOUNDS, wintypes.RECT())
    return Region(found.left, found.top, found.right - found.left, found.bottom - found.top)


def attribute(handle: int, number: int, value: Any) -> Any:  # noqa: ANN401 - a structure of ctypes
    """Fill `value` with an attribute that the window manager has for a window, and return it."""
    call = library("dwmapi").DwmGetWindowAttribute
    call.argtypes = (wintypes.HWND, wintypes.DWORD, ctypes.c_void_p, wintypes.DWORD)
    call(handle, number, ctypes.byref(value), ctypes.sizeof(value))
    return value


def application(handle: int) -> str:
    """Return the name of the program that owns a window; empty if Windows does not reveal it."""
    number = wintypes.DWORD()
    user32().GetWindowThreadProcessId(handle, ctypes.byref(number))
    kernel32 = library("kernel32")
    kernel32.OpenProcess.restype = wintypes.HANDLE
    kernel32.QueryFullProcessImageNameW.argtypes = (wintypes.HANDLE, wintypes.DWORD, wintypes.LPWSTR, ctypes.c_void_p)
    kernel32.CloseHandle.argtypes = (wintypes.HANDLE,)
    process = kernel32.OpenProcess(QUERY_LIMITED, 0, number.value)
    if not process:
        return ""
    path, length = ctypes.create_unicode_buffer(LONGEST_PATH), wintypes.DWORD(LONGEST_PATH)
    kernel32.QueryFullProcessImageNameW(process, 0, path, ctypes.byref(length))
    kernel32.CloseHandle(process)
    return PureWindowsPath(path.value).stem


def require_pixel_coordinates() -> None:
    """Make Windows use physical pixels for this process, on every monitor.

    Raises:
        DesktopError: The process has requested scaled coordinates before; only the first request counts.
    """
    shcore = library("shcore")
    shcore.SetProcessDpiAwareness(PER_MONITOR)
    told = ctypes.c_int()
    shcore.GetProcessDpiAwareness(None, ctypes.byref(told))
    if told.value != PER_MONITOR:
        raise DesktopError(
            "Windows scales coordinates for this program, so clicks would miss: start `mark-i` directly."
        )
