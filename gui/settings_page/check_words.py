"""What the check of a model found, in words. No Tk here."""

from collections.abc import Mapping
from typing import Final

from gui.kit.texts import without_options
from gui.kit.tones import Tone
from gui.settings_page.fields import GROUPS, LABELS, VENDORS, label_of
from gui.settings_page.model import CheckBegun, CheckEnded
from mark_i.config import Settings
from mark_i.doctor import CheckFailure, ModelCheck

ABOUT: Final = (
    "Sends the model one picture and asks it to click a button there. Says how far off the answer is, how long it "
    "took and what it cost."
)
GOING_ON: Final = "The model is being asked. To stop it, leave this page."
NO_MODEL: Final = "{brain} asks no model, so there is nothing to check. Save a key above, or choose a model."
CORRECT: Final = 'Correct "{label}" first: what stands there cannot be used, so there is nothing to check.'
USE: Final = "Use {fits} coordinates, and check again"
OTHER_MODEL: Final = "Try again, or choose another model."
USED: Final = (*(f"{vendor}.key" for vendor in VENDORS), *GROUPS["Models"])  # what a check depends on
BY_MARKS: Final = f'Try again, choose another model, or set "{LABELS["coordinates"]}" to marks.'


def check_words(check: CheckBegun | CheckEnded | None, brain: str) -> tuple[str, Tone]:
    """Say how a check stands; `brain` is the one that plans."""
    match check:
        case None:
            return ABOUT, "quiet"
        case CheckBegun():
            return GOING_ON, "busy"
        case CheckEnded(result=ModelCheck() as found):
            return _lines(found.told, _advice(found)), "done" if found.inside else "error"
        case CheckEnded(result=CheckFailure() as failure):
            return _lines(without_options(failure.told), OTHER_MODEL if failure.todo else ""), "error"
        case _:
            return NO_MODEL.format(brain=brain.capitalize()), "quiet"


def to_correct(faults: Mapping[str, str]) -> str:
    """Say what must be corrected before a check, since what is saved is another value; empty if nothing must."""
    wrong = next((key for key in USED if key in faults), None)
    return CORRECT.format(label=label_of(wrong)) if wrong else ""


def fitting(check: CheckBegun | CheckEnded | None, settings: Settings) -> str:
    """Return the value of `coordinates` with which the answer would have been right; empty if there is none."""
    found = check.result if isinstance(check, CheckEnded) else None
    fits = found.fits if isinstance(found, ModelCheck) else None
    return fits if fits and fits != settings.coordinates else ""


def _advice(found: ModelCheck) -> str:
    if found.inside:
        return ""
    if found.fits:
        return f'Press "{USE.format(fits=found.fits)}".'
    return OTHER_MODEL if found.coordinates == "marks" else BY_MARKS


def _lines(*texts: str) -> str:
    return "\n".join(filter(None, texts))
