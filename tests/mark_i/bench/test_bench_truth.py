"""The benchmark of what is called done: it runs real programs, and believes the world."""

import pytest

from tests.support import Run, events

pytestmark = pytest.mark.timing


@pytest.mark.usefixtures("benchmark")
def test_the_command_counts_what_was_said_wrongly(mark_i: Run) -> None:
    done = mark_i("bench", "truth", "--runs", "4", "--json")

    [figures] = events(done.stdout)
    assert (figures["runs"], figures["reached"], figures["missed"]) == (4, 2, 2)
    assert figures["false_done"] + figures["false_doubt"] == len(figures["wrong"]) == 0
