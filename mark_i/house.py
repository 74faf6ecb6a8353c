"""The start-up check: the four packages stand side by side, so nobody else's `toolbelt` is run in place of ours."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

PACKAGES: Final = ("world_model", "toolbelt", "mark_i", "gui")


def strangers() -> list[str]:
    """Packages that Python would take from elsewhere than beside this one, each with its place. Runs none of them."""
    home = Path(__file__).resolve().parent.parent
    found = {name: spec.origin if (spec := find_spec(name)) else None for name in PACKAGES}
    return [
        f"{name} is in {Path(origin).parent}" if origin else f"{name} is missing"
        for name, origin in found.items()
        if not origin or Path(origin).resolve() != home / name / "__init__.py"
    ]


def refusal() -> str | None:
    """Why MARK-I must not start here, or None."""
    wrong = strangers()
    if not wrong:
        return None
    return f"MARK-I does not start: {'; '.join(wrong)}, not beside mark_i. Start it from another folder or install it."
