"""A very long run, in short: memory, open files and prompts stay as they are. `mark-i bench mind` does all of it."""

import pytest

from tests.support import Run, events

pytestmark = pytest.mark.timing


def test_a_long_run_grows_in_nothing(mark_i: Run) -> None:
    done = mark_i("bench", "mind", "--steps", "1000", "--json")

    [figures] = events(done.stdout)
    assert figures["long_run_steps"] == 1000
    assert figures["long_run_memory_growth"] < 0.05
    first, last = figures["long_run_handles"]
    assert last <= first + 1  # an image may be just being written
    assert figures["prompt_ratio_300_to_20"] <= 1.1
    assert figures["prompt_same_mean"] >= 0.8
