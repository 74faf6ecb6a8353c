"""The benchmark of skills: work that is shown by points, and done again where something is otherwise."""

import shutil

import pytest

from mark_i.bench import skills
from mark_i.bench.conditions import CONDITIONS
from mark_i.bench.demonstrations import demonstrations
from tests.support import Run
from toolbelt.control import Control


def test_each_demonstration_says_what_it_needs() -> None:
    works = demonstrations()

    assert len({work.name for work in works}) == len(works) >= 37
    for work in works:
        given = f"{work.goal} {work.calls} {work.check}"
        assert all(f"{{{name}}}" in given and first != other for name, (first, other) in work.values.items()), work.name
        assert all(old in work.program + work.page for old in work.relabelled), work.name
    assert len({work.needs for work in works}) >= 8


@pytest.mark.usefixtures("benchmark", "display", "browser", "patience")
def test_work_that_was_shown_once_is_done_again_with_other_values_elsewhere(
    monkeypatch: pytest.MonkeyPatch, control: Control
) -> None:
    if not shutil.which("mousepad"):
        pytest.skip("not installed: mousepad")
    chosen = tuple(work for work in demonstrations() if work.name in {"mousepad-menu", "page-order"})
    monkeypatch.setattr(skills, "demonstrations", lambda: chosen)
    monkeypatch.setattr(skills, "CONDITIONS", ("moved", "values"))

    figures = skills.measured(2, control, lambda _told: None)

    assert figures["not_right"] == []
    assert (figures["compiled"], figures["replays"], figures["right"]) == (2, 4, 4)
    assert (figures["parameters_found_percent"], figures["tokens"]) == (100.0, 0)


@pytest.mark.usefixtures("benchmark", "display")
def test_what_was_told_as_done_and_was_not_counts_as_wrong(monkeypatch: pytest.MonkeyPatch, control: Control) -> None:
    if not shutil.which("mousepad"):
        pytest.skip("not installed: mousepad")
    [work] = [work for work in demonstrations() if work.name == "mousepad-note"]
    only_first = work.model_copy(update={"check": f"{work.check} && grep -qx {work.values['item'][0]} list.txt"})
    monkeypatch.setattr(skills, "demonstrations", lambda: (only_first,))
    monkeypatch.setattr(skills, "CONDITIONS", ("values",))

    figures = skills.measured(1, control, lambda _told: None)

    assert (figures["right"], figures["silently_wrong"]) == (0, 1)


def test_a_wrong_number_is_told_in_one_line(mark_i: Run) -> None:
    done = mark_i("bench", "skills", "--demonstrations", "0")

    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_every_condition_has_a_name_for_people() -> None:
    from mark_i.cli.commands.bench_skills import MEANT  # noqa: PLC0415 - only this test needs it

    assert tuple(MEANT) == CONDITIONS
