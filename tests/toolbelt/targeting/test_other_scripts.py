"""A text whose letters cannot be read is never told to be absent, on a real page; what can be read is clicked."""

from pathlib import Path
from typing import Any, Final

import pytest

from tests.support import CAP_S
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Observation

UNREADABLE: Final = ("Κλείσιμο", "Αποθήκευση", "Đăng nhập", "Mở tệp", "Сохранить", "저장")
READABLE: Final = ("Öffnen", "Créer", "Zażółć", "Größe")


def page_on(desktop: VirtualDesktop, tmp_path: Path, *program: str) -> Eyes:
    """Look at a page with a button for each text."""
    page, profile = tmp_path / "page.html", f"--user-data-dir={tmp_path / 'profile'}"
    buttons = "".join(f"<p><button>{text}</button>" for text in (*UNREADABLE, *READABLE))
    page.write_text(f"<meta charset=utf-8><title>Texts</title><body style='font: 20px sans-serif'>{buttons}<p>The end")
    desktop.launch([*program, "--no-sandbox", "--no-first-run", profile, f"--app=file://{page}"])
    eyes = Eyes(desktop, desktop.control)
    assert eyes.until(lambda lines: find("The end", lines), CAP_S)
    return eyes


def used(eyes: Eyes, tool: str, **args: Any) -> Observation:
    eyes.show()
    return standard_toolbelt(eyes).call(Action(tool, args), eyes.control).observation


@pytest.mark.usefixtures("browser")
def test_what_cannot_be_read_is_told_as_such(desktop: VirtualDesktop, tmp_path: Path) -> None:
    eyes = page_on(desktop, tmp_path, "env", "chromium")  # which is not asked to say what it shows

    for text in UNREADABLE:
        for tool, args in (("click", {"target": text}), ("wait_for", {"text": text, "gone": True})):
            error = used(eyes, tool, **args).error
            assert error, text
            assert (error.code, error.message) == ("TARGET_NOT_FOUND", f'"{text}" is not found by its letters.')
            assert "cannot be read from a screen: use a mark, a point or an image" in error.hints[0]

    for text in READABLE:
        assert used(eyes, "click", target=text).ok, text


@pytest.mark.usefixtures("browser", "patience")
def test_what_cannot_be_read_is_found_where_its_program_says_it(desktop: VirtualDesktop, tmp_path: Path) -> None:
    eyes = page_on(desktop, tmp_path, "chromium")

    for text in UNREADABLE:
        assert used(eyes, "click", target=text).ok, text
