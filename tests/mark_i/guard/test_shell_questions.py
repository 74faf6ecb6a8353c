"""A question in a terminal is answered only with approval, whatever the agent ran before."""

import pytest

from tests.mark_i.guard.pretended import Call, Shown, press, spelled, tried, typed

RUN = "Run ./setup.sh"
QUESTIONS = (
    "Remove all old data? [Y/n]",
    "Remove all old data? [Y/n]:",
    "Supprimer tout ? [o/N]",
    "overwrite thesis.txt (yes/no)",
    "Keep it (y/n/all)?",
)
SHELL = Shown(("text $",), shell="prompt")


def stopped(last: str, calls: list[Call], shell: str = "program") -> bool:
    after = Shown((f"text {last}",), shell=shell)
    return tried([SHELL, *[after] * len(calls)], [typed("./setup.sh", enter=True), *calls], RUN).stopped


@pytest.mark.parametrize("asks", QUESTIONS)
@pytest.mark.parametrize("call", [*press("enter", "y", "o"), typed("\n")])
def test_a_question_is_answered_with_approval_only(asks: str, call: Call) -> None:
    assert stopped(asks, [call])


def test_a_script_that_looks_like_a_shell_asks_too() -> None:
    assert stopped("Remove all? [y/N]", press("y"), "prompt")
    assert stopped("Remove all? [Y/n]", press("enter"), "prompt")


@pytest.mark.parametrize("last", ["$", "ada@host:~/a (fix/ui) $", "^X Exit", "Done."])
def test_enter_where_nothing_is_asked_is_allowed(last: str) -> None:
    assert not stopped(last, press("enter"))


def test_a_line_with_a_question_mark_may_be_typed() -> None:
    later = Shown(("text $ ls file?",), shell="prompt")

    assert not tried([SHELL] * 8 + [later] * 2, spelled("ls file?.t"), "Run ls file?.txt").stopped
