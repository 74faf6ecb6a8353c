"""Pictures in numbers: how many of those that a model gets are changed while it thinks.

    python benchmarks/late.py COMMAND INPUT...

COMMAND starts a program. Each INPUT is a key or a combination; one that begins with `=` is a text. After each, the
screen settles as it does in a run, a model thinks for 1.5 s, and the screen is compared with its picture every 20 ms.
What is narrower than 3 pixels, such as a caret or a scroll bar that fades, does not count.
"""

import shlex
import statistics
import sys
import time
from contextlib import closing
from typing import Final

import numpy as np

from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.perception import Eyes
from world_model import Frame, Size

THINK_S: Final = 1.5
SAMPLE_S: Final = 0.02
LATE_MIN_PX: Final = 400
THIN_MAX_PX: Final = 3
CAP_S: Final = 60.0
START_S: Final = 5.0  # for a program to draw its window


def changed_px(before: Frame, after: Frame) -> int:
    """Return how many pixels differ, if they are no thin line."""
    differs = (before.pixels != after.pixels).any(axis=2)
    count = int(differs.sum())
    return count if count and np.ptp(np.nonzero(differs)[1]) >= THIN_MAX_PX else 0


def measured(command: list[str], inputs: list[str]) -> str:
    """Give a program the inputs, and tell how many pictures were too early."""
    control, late, waits = Control(), [], []
    with closing(VirtualDesktop(Size(1280, 900), control)) as desktop:
        desktop.launch(command)
        eyes = Eyes(desktop, control)
        control.until(lambda: any(window.active for window in desktop.windows()), CAP_S)
        with eyes.idle():
            control.wait(START_S)
        for one in inputs:
            before = eyes.show()
            if one.startswith("="):
                desktop.type(one[1:])
            else:
                desktop.press(one)
            settled = eyes.settle(before, quiet=None)
            waits.append(settled.ms)
            end, worst = time.monotonic() + THINK_S, 0
            with eyes.idle():
                while time.monotonic() < end:
                    worst = max(worst, changed_px(settled.frame, desktop.grab()))
                    control.wait(SAMPLE_S)
            if worst > LATE_MIN_PX:
                late.append(one)
    middle = statistics.median(waits)
    return f"{len(late)} of {len(inputs)} pictures too early {late}; settled after {middle:.0f} ms (median)"


if __name__ == "__main__":
    if len(sys.argv) <= 2:  # noqa: PLR2004 - a command and an input
        sys.exit("Give a command and at least one input: python benchmarks/late.py mousepad =Hello ctrl+a")
    sys.stdout.write(f"{measured(shlex.split(sys.argv[1]), sys.argv[2:])}\n")
