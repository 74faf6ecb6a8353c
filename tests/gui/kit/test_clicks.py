"""Which clicks of a double click a button takes."""

from gui.kit.clicks import MAX_MS, NEAR_PX, Press

SAVE, DELETE = ".page.save", ".page.delete"
FIRST = Press(1000, 200, 300, f"{SAVE}.label")


def test_each_click_of_a_double_click_belongs_to_what_took_the_first() -> None:
    second = Press(1000 + MAX_MS, 200 + NEAR_PX, 300 - NEAR_PX, f"{DELETE}.label").after(FIRST)
    third = Press(1000 + 2 * MAX_MS, 200, 300, f"{DELETE}.label").after(second)

    for press in (FIRST, second, third):
        assert press.is_for(SAVE)
        assert not press.is_for(DELETE)


def test_a_click_later_or_elsewhere_belongs_to_what_is_there() -> None:
    for later in (
        Press(1001 + MAX_MS, 200, 300, DELETE),
        Press(1001, 201 + NEAR_PX, 300, DELETE),
        Press(1001, 200, 299 - NEAR_PX, DELETE),
        Press(999, 200, 300, DELETE),  # the clock of the display begins anew after some weeks
    ):
        assert later.after(FIRST).is_for(DELETE)
    assert FIRST.after(None).is_for(SAVE)


def test_a_button_whose_name_begins_as_that_of_another_is_another() -> None:
    assert not Press(0, 0, 0, f"{SAVE}2.label").is_for(SAVE)
    assert Press(0, 0, 0, SAVE).is_for(SAVE)
    assert not Press(0, 0, 0, "").is_for(SAVE)
