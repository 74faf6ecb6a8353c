"""How a benchmark tells what it measured."""

import os
import statistics
import sys
from collections.abc import Sequence


def tell(what: str, seconds: Sequence[float]) -> None:
    """The median and the worst of several times."""
    worst, middle = max(seconds), statistics.median(seconds)
    say(what, f"median {1000 * middle:.0f} ms, worst {1000 * worst:.0f} ms of {len(seconds)}")


def say(what: str, figures: str) -> None:
    """A line, with how busy the machine is."""
    sys.stdout.write(f"{what}: {figures} (load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)\n")
    sys.stdout.flush()
