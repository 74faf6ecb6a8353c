"""The interfaces of Wayland that the agent uses, as far as it uses them: those of the core, of XDG and of wlroots.

Source: the XML files of wayland, wayland-protocols, wlr-protocols and wlroots. A version is the highest of which the
messages are known here. Events of an object that are not listed come after the last one that is, and are never sent
for the version that is bound.
"""

from collections.abc import Iterator
from typing import Final

from toolbelt.desktops.wayland.wire import Interface

SHM, OUTPUT, SEAT = "wl_shm", "wl_output", "wl_seat"
XDG_OUTPUTS: Final = "zxdg_output_manager_v1"
POINTERS: Final = "zwlr_virtual_pointer_manager_v1"
KEYBOARDS: Final = "zwp_virtual_keyboard_manager_v1"
SCREENCOPY: Final = "zwlr_screencopy_manager_v1"
TOPLEVELS: Final = "zwlr_foreign_toplevel_manager_v1"
IDLE_NOTIFIER: Final = "ext_idle_notifier_v1"
KDE_IDLE: Final = "org_kde_kwin_idle"  # the same, before it
DATA_CONTROLS: Final = ("ext_data_control_manager_v1", "zwlr_data_control_manager_v1")  # the same under two names


_OF_DESKTOPS: Final = (
    Interface(SHM, 1, {"create_pool": "n:wl_shm_pool h i"}, {"format": "u"}),
    Interface("wl_shm_pool", 1, {"create_buffer": "n:wl_buffer i i i i u", "destroy": "", "resize": "i"}),
    Interface("wl_buffer", 1, {"destroy": ""}, {"release": ""}),
    Interface(
        OUTPUT,
        4,
        {"release": ""},
        {
            "geometry": "i i i i i s s i",
            "mode": "u i i i",
            "done": "",
            "scale": "i",
            "name": "s",
            "description": "s",
        },
    ),
    Interface(SEAT, 1, {}, {"capabilities": "u"}),
    Interface(XDG_OUTPUTS, 2, {"destroy": "", "get_xdg_output": "n:zxdg_output_v1 o"}),
    Interface(
        "zxdg_output_v1",
        2,
        {"destroy": ""},
        {"logical_position": "i i", "logical_size": "i i", "done": "", "name": "s", "description": "s"},
    ),
    Interface(POINTERS, 1, {"create_virtual_pointer": "o n:zwlr_virtual_pointer_v1", "destroy": ""}),
    Interface(
        "zwlr_virtual_pointer_v1",
        1,
        {
            "motion": "u f f",
            "motion_absolute": "u u u u u",
            "button": "u u u",
            "axis": "u u f",
            "frame": "",
            "axis_source": "u",
            "axis_stop": "u u",
            "axis_discrete": "u u f i",
            "destroy": "",
        },
    ),
    Interface(KEYBOARDS, 1, {"create_virtual_keyboard": "o n:zwp_virtual_keyboard_v1"}),
    Interface(
        "zwp_virtual_keyboard_v1",
        1,
        {"keymap": "u h u", "key": "u u u", "modifiers": "u u u u", "destroy": ""},
    ),
    Interface(
        SCREENCOPY,
        1,
        {
            "capture_output": "n:zwlr_screencopy_frame_v1 i o",
            "capture_output_region": "n:zwlr_screencopy_frame_v1 i o i i i i",
            "destroy": "",
        },
    ),
    Interface(
        "zwlr_screencopy_frame_v1",
        1,
        {"copy": "o", "destroy": ""},
        {"buffer": "u u u u", "flags": "u", "ready": "u u u", "failed": ""},
    ),
    Interface(IDLE_NOTIFIER, 1, {"destroy": "", "get_idle_notification": "n:ext_idle_notification_v1 u o"}),
    Interface("ext_idle_notification_v1", 1, {"destroy": ""}, {"idled": "", "resumed": ""}),
    Interface(KDE_IDLE, 1, {"get_idle_timeout": "n:org_kde_kwin_idle_timeout o u"}),
    Interface(
        "org_kde_kwin_idle_timeout", 1, {"release": "", "simulate_user_activity": ""}, {"idle": "", "resumed": ""}
    ),
    Interface(TOPLEVELS, 3, {"stop": ""}, {"toplevel": "n:zwlr_foreign_toplevel_handle_v1", "finished": ""}),
    Interface(
        "zwlr_foreign_toplevel_handle_v1",
        3,
        {
            "set_maximized": "",
            "unset_maximized": "",
            "set_minimized": "",
            "unset_minimized": "",
            "activate": "o",
            "close": "",
            "set_rectangle": "o i i i i",
            "destroy": "",
        },
        {
            "title": "s",
            "app_id": "s",
            "output_enter": "o",
            "output_leave": "o",
            "state": "a",
            "done": "",
            "closed": "",
            "parent": "o",
        },
    ),
)


def _data_control(family: str) -> Iterator[Interface]:
    manager, device, source, offer = (
        f"{family}_data_control_{part}_v1" for part in ("manager", "device", "source", "offer")
    )
    yield Interface(
        manager, 1, {"create_data_source": f"n:{source}", "get_data_device": f"n:{device} o", "destroy": ""}
    )
    yield Interface(
        device,
        1,
        {"set_selection": "o", "destroy": ""},
        {"data_offer": f"n:{offer}", "selection": "o", "finished": "", "primary_selection": "o"},
    )
    yield Interface(source, 1, {"offer": "s", "destroy": ""}, {"send": "s h", "cancelled": ""})
    yield Interface(offer, 1, {"receive": "s h", "destroy": ""}, {"offer": "s"})


INTERFACES: Final = {one.name: one for one in (*_OF_DESKTOPS, *_data_control("ext"), *_data_control("zwlr"))}
