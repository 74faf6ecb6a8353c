"""The check at start: the four packages are in one folder, so that no other `toolbelt` runs in place of ours."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Final

PACKAGES: Final = ("world_model", "toolbelt", "mark_i", "gui")
# What mouse, keyboard, eyes, window and models are made with: most faults depend on the version of one of these.
LIBRARIES: Final = (
    "mss", "xcffib", "pyautogui", "numpy", "opencv-python-headless", "rapidocr", "openvino", "onnxruntime",
    "customtkinter", "click", "pydantic", "google-genai", "openai", "anthropic",
)  # fmt: skip


def strangers() -> list[str]:
    """Return the packages that Python would import from another folder than ours, with their paths."""
    home = Path(__file__).resolve().parent.parent
    found = {name: spec.origin if (spec := find_spec(name)) else None for name in PACKAGES}
    return [
        f"{name} is in {Path(origin).parent}" if origin else f"{name} is missing"
        for name, origin in found.items()
        if not origin or Path(origin).resolve() != home / name / "__init__.py"
    ]


def refusal() -> str | None:
    """Return why MARK-I must not start here, or None."""
    wrong = strangers()
    if not wrong:
        return None
    return f"MARK-I does not start: {'; '.join(wrong)}, not beside mark_i. Start it from another folder or install it."


def our_version() -> str:
    """Return the installed version of MARK-I."""
    return _version("mark-i") or "not installed"


def versions() -> dict[str, str]:
    """Return what a bug report needs: the versions of MARK-I, Python, the system, the session and the libraries."""
    import platform  # noqa: PLC0415 - every start loads this module, and few ask

    libraries = {name: found for name in LIBRARIES if (found := _version(name))}
    return {
        "mark-i": our_version(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "session": _session(),
        **libraries,
    }


def _session() -> str:
    """Return the kind of desktop session, as the environment names it."""
    told = {name: os.environ.get(name) for name in ("XDG_SESSION_TYPE", "WAYLAND_DISPLAY", "DISPLAY")}
    return ", ".join(f"{name}={value}" for name, value in told.items() if value) or "no display"


def _version(name: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - see above

    try:
        return version(name)
    except PackageNotFoundError:
        return None
