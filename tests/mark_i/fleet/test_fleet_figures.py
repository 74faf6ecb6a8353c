"""The figures of a fleet: intervals against published values, tables, and two fleets beside each other."""

import pytest

from mark_i.fleet.figures import differences, row, rows, wilson
from mark_i.fleet.folder import Result


def result(number: int, *, solved: bool, task: str = "a", usd: float | None = 0.5) -> Result:
    return Result(f"{task}{number}", task, 0, number, "g", "offline", solved, "done", "", float(number), 2, 10, usd)


# From Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I, method 3.
@pytest.mark.parametrize(
    ("solved", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_that_of_wilson(solved: int, of: int, low: float, high: float) -> None:
    assert wilson(solved, of) == pytest.approx((low, high), abs=5e-5)


def test_nothing_is_known_without_runs_and_no_interval_is_beyond_all() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(5, 5)[1] == 1.0


def test_each_task_has_a_row_in_the_order_of_its_first_result() -> None:
    found = rows(
        [result(1, solved=True, task="b"), result(2, solved=False), result(3, solved=True)], lambda one: one.task
    )

    assert [(one.name, one.solved, one.of, one.median_s, one.tokens, one.usd) for one in found] == [
        ("b", 1, 1, 1.0, 10, 0.5),
        ("a", 1, 2, 2.5, 20, 1.0),
    ]
    assert row("All", [result(1, solved=True, usd=None), result(2, solved=True)]).usd is None, "a price is unknown"


# From Newcombe, "Interval estimation for the difference between independent proportions" (1998), table II, method 10.
@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [((48, 80), (56, 70), -0.3339, -0.0524), ((3, 10), (9, 10), -0.8090, -0.1705), ((0, 20), (0, 10), -0.2775, 0.1611)],
)
def test_the_difference_has_the_interval_of_newcombe(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    groups = [
        row("a", [result(number, solved=number < solved) for number in range(of)]) for solved, of in (first, second)
    ]
    [found] = differences(groups[1:], groups[:1])  # the published one is the first less the second

    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-4)
    assert found.is_clear is (high < 0)


def test_only_what_both_have_is_compared() -> None:
    assert differences([row("a", [result(1, solved=True)])], [row("b", [result(1, solved=True)])]) == []
