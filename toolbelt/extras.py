"""Extras: the parts that a plain `pip install mark-i` leaves out, and how to say that one is missing."""

from importlib.util import find_spec


def are_installed(*modules: str) -> bool:
    """Tell whether all of these modules can be imported; none of them is loaded."""
    return all(map(_is_installed, modules))


def not_installed(subject: str, extra: str) -> str:
    """Say in one line what is missing, and the command that installs it."""
    return f"{subject} is not installed. Install it: pip install 'mark-i[{extra}]'"


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its parent package is missing
        return False
