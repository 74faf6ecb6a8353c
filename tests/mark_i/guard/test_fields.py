"""What stands in a field is judged by what the field is, and by what leaves it."""

from typing import Final

from tests.mark_i.guard.pretended import Shown, click, press, spelled, tried

OPEN: Final = Shown(("text Open File", "textbox Name", "text notes.txt", "button Cancel | button Open"), large=False)


def test_a_private_name_typed_key_by_key_is_asked_about_when_a_click_leaves_it() -> None:
    assert tried(OPEN, [click("Name"), *spelled("id_rsa"), click("Open")]).asked
    assert tried(OPEN, [*press("/", "ctrl+a"), *spelled(".env"), click("Open")]).asked
    assert not tried(OPEN, [click("Name"), *spelled("notes.txt"), click("Open")]).stopped
