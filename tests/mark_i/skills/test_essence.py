"""Of a run a skill has what must be done again: no failures, waits, corrections, and ways that were gone back from."""

from pathlib import Path

import numpy as np
import pytest

from mark_i.skills.essence import Why, essential
from world_model import Action, Frame, Journal, Observation, Point, Problem, ScreenChange, Step, Thought

SCREENS = {
    name: Frame(np.full((40, 60, 3), shade, np.uint8), Point(0, 0))
    for name, shade in zip("abc", (10, 90, 200), strict=True)
}
Done = tuple[str, dict[str, object]]


def steps_of(folder: Path, *done: Done, screens: str = "", failed: tuple[int, ...] = ()) -> tuple[Step, ...]:
    """Write a run with these steps; `screens` names that before each step and that after the last one."""
    journal = Journal(folder, {"goal": "g"})
    steps = []
    for index, (tool, args) in enumerate(done, 1):
        seen = Observation(
            index not in failed,
            "",
            error=Problem("TARGET_NOT_FOUND", "Not there.") if index in failed else None,
            screen=ScreenChange(changed=True),
        )
        before, after = (SCREENS[one] for one in screens[index - 1 : index + 1]) if screens else (None, None)
        steps.append(Step(index, Thought(""), Action(tool, args), seen, before, after))
        journal.add(steps[-1])
    journal.close({"outcome": "done"})
    return tuple(steps)


def typed(text: str, **more: object) -> Done:
    return "type_text", {"text": text, **more}


def press(keys: str, **more: object) -> Done:
    return "press", {"keys": keys, **more}


CLICK: Done = ("click", {"target": "File"})


@pytest.mark.parametrize(
    ("done", "screens", "failed", "left", "dropped"),
    [
        ([CLICK, ("wait", {"seconds": 1}), CLICK], "", (), [CLICK, CLICK], {2: "looked"}),
        ([CLICK, ("ask_user", {"question": "?"})], "", (), [CLICK], {2: "asked"}),
        ([CLICK, CLICK], "", (1,), [CLICK], {1: "failed"}),
        ([CLICK, ("finish", {"summary": "s"})], "", (), [CLICK], {}),
        (
            [typed("Hallo"), press("backspace", times=4), typed("ello")],
            "",
            (),
            [typed("H"), typed("ello")],
            {2: "corrected"},
        ),
        (
            [typed("Hallo"), press("backspace", times=5), typed("x")],
            "",
            (),
            [typed("x")],
            {1: "corrected", 2: "corrected"},
        ),
        ([typed("ab"), press("backspace", times=3)], "", (), [typed("ab"), press("backspace", times=3)], {}),
        ([typed("ab", enter=True), press("backspace")], "", (), [typed("ab", enter=True), press("backspace")], {}),
        ([CLICK, typed("ab"), press("ctrl+z")], "", (), [CLICK], {2: "undone", 3: "undone"}),
        ([CLICK, press("escape"), typed("x")], "abac", (), [typed("x")], {1: "undone", 2: "undone"}),
        ([CLICK, press("escape"), typed("x")], "abca", (), [CLICK, press("escape"), typed("x")], {}),
        ([press("escape"), typed("x")], "aab", (), [press("escape"), typed("x")], {}),
    ],
)
def test_only_what_must_be_done_again_is_left(
    tmp_path: Path,
    done: list[Done],
    screens: str,
    failed: tuple[int, ...],
    left: list[Done],
    dropped: dict[int, Why],
) -> None:
    steps = steps_of(tmp_path / "run", *done, screens=screens, failed=failed)

    kept, others = essential(steps, tmp_path / "run")

    assert [(one.action.tool, one.action.args) for one in kept] == left
    assert {one.index: one.why for one in others} == dropped
