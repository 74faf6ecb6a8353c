"""The page of the settings in the window itself, on a virtual desktop, by mouse and keys."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from gui.history_page.model import PAGES
from gui.kit.style import BACKGROUND
from gui.settings_page.fields import VENDORS, grouped
from gui.settings_page.mask_dialog import COLOR, MAX_PART
from mark_i.config.api_keys import Keys
from mark_i.config.paths import settings_file
from mark_i.config.settings import load, save
from mark_i.testing import OPENAI, ModelServer
from tests.gui.opened_window import CAP_S, Window
from tests.seeing_model import seeing
from tests.support import script
from toolbelt.ocr.text_match import find, plain
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.masks import Masks
from world_model import Point, Size

SCREEN_SIZE: Final = Size(1000, 900)
KEY: Final = "AIzaSy-a-key-that-nobody-may-see"
LIGHT, DARK = (list(bytes.fromhex(color[1:])) for color in BACKGROUND)


def opened(screen: Eyes, home: Path) -> Window:
    """The window, with the keyring of the test."""
    return Window(screen, home, **{name: os.environ[name] for name in ("PYTHON_KEYRING_BACKEND", "XDG_DATA_HOME")})


@pytest.fixture
def window(screen: Eyes, home: Path, keyring: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    assert not keyring.exists()
    monkeypatch.chdir(Path(__file__).parents[3])  # the program beside these tests, wherever another is installed
    with contextlib.closing(opened(screen, home)) as one:
        yield one


def turn_to(window: Window, page: str) -> None:
    window.desktop.press(f"ctrl+{[*PAGES].index(page) + 1}")  # type: ignore[arg-type]


def open_settings(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    turn_to(window, "Settings")
    assert window.sees("Keys", "Gemini", "saved at once")


def tab_to(window: Window, key: str) -> None:
    """From the page itself: a field and two buttons for each key, where keys are kept, what is shown, and the check."""
    keys = [field.key for fields in grouped().values() for field in fields if not field.advanced]
    for _ in range(3 * len(VENDORS) + 2 + keys.index(key) + (2 if keys.index(key) else 1)):
        window.desktop.press("tab")


def go_to_end(window: Window) -> None:
    """Scroll until the end is there: the page grows while it is laid out."""

    def at_end() -> bool:
        window.desktop.press("page down")
        return bool(find("Size (percent)", window.screen.read(window.screen.look())))

    assert window.wait(at_end)
    window.screen.settle(window.screen.look(), 2)  # the last of the keys may come after that is seen


def ground(window: Window) -> list[int]:
    """The color of the window beside what is on its page."""
    frame, (shown,) = window.screen.look(), (one for one in window.desktop.windows() if one.title == "MARK-I")
    return [int(value) for value in frame.pixels[shown.region.bottom - 20, shown.region.x + 6]]


def height(window: Window, text: str) -> int:
    """How high this is written."""
    place, *_ = find(text, window.screen.read(window.screen.look()))
    assert place.region
    return place.region.height


def says_saved(window: Window) -> bool:
    """Whether a field comes to say that it is saved; the page's first line says that it will be."""
    lines = window.screen.until(lambda lines: any(line.text.startswith("Saved") for line in lines), CAP_S)
    return any(line.text.startswith("Saved") for line in lines)


def settled(window: Window, key: str, value: object) -> bool:
    """Whether the file comes to say so."""
    return window.wait(lambda: getattr(load(), key) == value)


def test_a_number_is_edited_validated_and_reset(window: Window) -> None:
    open_settings(window)
    tab_to(window, "max_steps")
    assert window.sees("Maximum steps", "max_steps: a whole number, 1 or more. Default: 50.")
    window.desktop.type("many\n")
    assert window.sees("max_steps must be a whole number, 1 or more, not 'many'.")
    assert not settings_file().exists()

    window.desktop.press("ctrl+a")
    window.desktop.type("7")
    assert window.gone("not 'many'")
    assert not settings_file().exists()
    window.desktop.type("\n")
    assert says_saved(window)
    assert load().max_steps == 7

    window.desktop.press("tab")
    window.desktop.press("space")  # Default
    assert says_saved(window)
    assert window.wait(lambda: load().model_fields_set == set())
    window.screen.settle(window.screen.look(), 2)  # the field shows its default after the file has it
    window.desktop.press("ctrl+a")
    window.desktop.type("12")
    turn_to(window, "Agent")  # leaving the field saves it
    assert settled(window, "max_steps", 12)


def test_theme_and_size_apply_at_once_and_at_the_next_start(window: Window, screen: Eyes) -> None:
    open_settings(window)
    go_to_end(window)
    window.click("dark")
    assert window.wait(lambda: ground(window) == DARK)
    assert says_saved(window)
    assert load().theme == "dark"
    window.click("light")
    assert window.wait(lambda: ground(window) == LIGHT)
    window.click("dark")
    assert window.wait(lambda: ground(window) == DARK)
    assert settled(window, "theme", "dark")

    usual = height(window, "Settings")
    window.desktop.press("tab")  # Default
    window.desktop.press("tab")
    window.desktop.type("205\n")
    assert window.sees("scale must be a percentage from 100 to 200, not '205'.")
    window.desktop.press("ctrl+a")
    window.desktop.type("180\n")
    assert says_saved(window)
    assert window.wait(lambda: height(window, "Settings") > 1.5 * usual)
    assert load().scale == 180

    window.close()
    with contextlib.closing(opened(screen, window.home)) as again:
        assert again.sees("Settings")
        assert again.wait(lambda: ground(again) == DARK)
        assert again.wait(lambda: height(again, "Settings") > 1.5 * usual)


def test_a_key_is_saved_hidden_and_deleted(window: Window) -> None:
    save({"base_url": "http://127.0.0.1:9"})  # nothing listens there, so nobody is sent the key
    open_settings(window)
    assert window.sees("No key. Get one at https://aistudio.google.com/apikey", "keyring without encryption")
    window.desktop.press("tab")
    window.desktop.type("schlüssel\n")
    assert window.sees("That is not a key")
    window.desktop.type(KEY)
    shown = [plain(line.text) for line in window.screen.read(window.screen.look())]
    assert not any(plain(KEY) in line for line in shown)
    window.desktop.type("\n")
    assert window.sees("The key is in a keyring without encryption")
    assert Keys().find("gemini") == (KEY, "keyring")
    assert KEY not in "".join(file.read_text() for file in window.home.rglob("*.t*"))

    turn_to(window, "Agent")
    assert window.sees("Goal", "gemini")
    turn_to(window, "Settings")
    assert window.sees("Keys", "The key is in")
    for _ in range(3):
        window.desktop.press("tab")
    window.desktop.press("space")  # Delete
    assert window.wait(lambda: Keys().find("gemini") == (None, "none"))
    assert window.sees("Deleted. No key.")
    turn_to(window, "Agent")
    assert window.sees("Goal", "offline")


def test_no_button_comes_where_save_was(window: Window) -> None:
    save({"base_url": "http://127.0.0.1:9"})  # as above
    open_settings(window)
    window.desktop.press("tab")
    window.desktop.type(KEY)
    assert window.gone("Delete")
    buttons = [one.point for one in find("Save", window.screen.read(window.screen.look())) if one.point.x > 600]
    first = min(buttons, key=lambda point: point.y)
    window.desktop.click(first)
    assert window.sees("Saved. The key is in", "Delete")
    window.desktop.click(first)
    turn_to(window, "Agent")
    assert window.sees("Goal", "gemini")
    turn_to(window, "Settings")
    assert window.sees("Keys", "The key is in", "Delete")
    assert Keys().find("gemini") == (KEY, "keyring")


def test_a_key_is_saved_in_the_closed_file_where_that_is_chosen(window: Window) -> None:
    save({"base_url": "http://127.0.0.1:9"})  # as above
    open_settings(window)
    for _ in range(3 * len(VENDORS) + 1):
        window.desktop.press("tab")
    window.desktop.press("space")
    for _ in range(3 * len(VENDORS)):
        window.desktop.press("shift+tab")
    window.desktop.type(f"{KEY}\n")
    assert window.sees("The key is in a file of the profile that only you can read.")
    assert Keys().find("gemini") == (KEY, "file")
    assert Keys().file.stat().st_mode & 0o777 == 0o600


def test_the_page_of_a_vendor_is_opened(window: Window, tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    assert window.sees("Ready")
    window.close()
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    browser.chmod(0o700)
    with contextlib.closing(Window(window.screen, window.home, BROWSER=str(browser))) as another:
        open_settings(another)
        for _ in range(3):
            another.desktop.press("tab")
        another.desktop.press("space")
        assert another.wait(opened.exists)
        assert another.wait(lambda: opened.read_text() == "https://aistudio.google.com/apikey\n")


def test_what_few_people_need_is_shown_where_it_was_changed_or_when_all_is(window: Window) -> None:
    save({"max_tokens": 4321})
    open_settings(window)
    go_to_end(window)
    assert not window.found("Policy file")
    scroll_up_to(window, "Maximum tokens")
    assert not window.found("Actions that a reply may plan")
    scroll_up_to(window, "Show advanced settings")
    window.click("Show advanced settings")
    go_to_end(window)
    scroll_up_to(window, "Policy file")
    scroll_up_to(window, "Actions that a reply may plan")
    scroll_up_to(window, "Model for the final answer")


def test_what_was_rejected_is_corrected_before_a_check(window: Window) -> None:
    with ModelServer(OPENAI, seeing) as server:
        Keys().save("openai", server.key)
        save({"brain": "openai:mine", "base_url": server.base_url})
        open_settings(window)
        tab_to(window, "brain")
        window.click("http://127")
        window.desktop.press("ctrl+a")
        window.desktop.type("nowhere")
        window.click("Check the model")
        assert window.sees('Correct "Model address" first')
        assert server.requests == 0

        window.click("nowhere")
        window.desktop.press("ctrl+a")
        window.desktop.type(f"{server.base_url}\t")
        assert window.gone('Correct "Model address" first')
        window.click("Check the model")
        assert window.wait(lambda: server.requests == 1)


def test_a_model_is_checked_stopped_and_mended(window: Window) -> None:
    with ModelServer(OPENAI, seeing, seconds=10 * CAP_S) as server:
        Keys().save("openai", server.key)
        save({"base_url": server.base_url})
        open_settings(window)
        tab_to(window, "brain")
        assert window.sees("Now it is openai.")
        window.desktop.type("openai:mine\t")
        window.desktop.press("space")
        assert window.sees("The model is being asked.")
        assert window.gone("Now it is")
        assert window.wait(lambda: server.requests == 1)
        window.click("Check the model")  # nothing happens
        turn_to(window, "Agent")
        assert window.sees("Goal", "openai:mine")
        server.seconds = 0.0
        turn_to(window, "Settings")
        assert window.sees("Sends the model one picture")
        window.click("Check the model")
        assert window.sees("openai:mine missed the button", "The answer fits coordinates = normalized")
        assert server.requests == 2

        window.click("Use normalized coordinates, and check again")
        assert window.sees("openai:mine clicked the button")
        assert settled(window, "coordinates", "normalized")
        assert server.requests == 3  # the focus is on the check

        server.seconds = 10 * CAP_S
        window.desktop.press("space")
        assert window.wait(lambda: server.requests == 4)
        (only,) = window.desktop.windows()
        window.desktop.close_window(only)
        assert window.ends() == 0


def test_a_mask_is_drawn_moved_by_numbers_and_deleted(window: Window) -> None:
    open_settings(window)
    go_to_end(window)
    scroll_up_to(window, "Draw on a screenshot")
    window.click("Draw on a screenshot")
    assert window.sees("Drag to mask a part.", "Close")
    start = window.place("Masks").center
    end = Point(start.x + 140, start.y + 70)
    drag(window, start, end)
    assert window.wait(lambda: len(load().masks) == 1)
    (part,) = Masks.parse(load().masks).parts
    assert abs(part.width - 140 / MAX_PART) <= 2
    assert abs(part.height - 70 / MAX_PART) <= 2
    assert window.wait(lambda: list(window.screen.look().pixels[start.y + 30, start.x]) == drawn())

    drag(window, Point(start.x - 100, start.y - 100), start)
    assert window.wait(lambda: len(load().masks) == 2)
    window.desktop.click(Point(start.x + 70, start.y + 20))
    window.desktop.press("delete")
    assert window.wait(lambda: len(load().masks) == 1)
    assert Masks.parse(load().masks).parts != (part,)
    window.desktop.press("escape")
    assert window.wait(lambda: window.titles() == ["MARK-I"])

    (mask,) = load().masks
    scroll_up_to(window, mask)  # it stands above what was seen when the picture was taken
    window.click(mask)
    window.desktop.press("ctrl+a")
    window.desktop.type("10,20,30x40\n")
    assert settled(window, "masks", ("10,20,30x40",))
    window.desktop.press("tab")  # Delete
    window.desktop.press("tab")
    window.desktop.type("KeePass\n")
    assert settled(window, "masks", ("10,20,30x40", "KeePass"))
    assert len(window.screen.until(lambda lines: len(find("Delete", lines)) == 2, CAP_S))  # the page knows it too
    window.desktop.type("10,20\n")
    assert window.sees("masks must be parts such as 0,0,400x100")
    assert load().masks == ("10,20,30x40", "KeePass")


def scroll_up_to(window: Window, text: str) -> None:
    window.desktop.move(Point(500, 500))

    def there() -> bool:
        seen = window.screen.look()
        if find(text, window.screen.read(seen)):
            return True
        window.desktop.scroll("up", 1)
        window.screen.settle(seen)
        return False

    assert window.wait(there)


def drag(window: Window, start: Point, end: Point) -> None:
    window.desktop.move(start)
    window.desktop.mouse_down("left")
    window.desktop.move(end)
    window.desktop.mouse_up("left")


def drawn() -> list[int]:
    return list(bytes.fromhex(COLOR[1:]))


def test_outside_changes_are_shown_and_broken_files_left_alone(window: Window) -> None:
    open_settings(window)
    turn_to(window, "Agent")
    save({"max_steps": 33, "style": "strict", "brain": "openai:mine", "base_url": "http://127.0.0.1:9"})
    Keys().save("anthropic", KEY)
    turn_to(window, "Settings")
    assert window.sees("Keys", "The key is in a keyring without encryption")
    turn_to(window, "Agent")
    assert window.sees("Style: Strict data mode", "openai:mine")  # chosen already

    settings_file().write_text("max_steps = = 3\n")
    turn_to(window, "Settings")
    assert window.sees("is not TOML", "Fix the file and read it again")
    assert window.gone("Gemini")
    assert settings_file().read_text() == "max_steps = = 3\n"
    settings_file().write_text("max_steps = 3\n")
    window.click("Reload")
    assert window.sees("Keys", "Gemini")


def test_what_is_being_written_is_saved_when_the_window_closes(window: Window) -> None:
    open_settings(window)
    tab_to(window, "max_seconds")
    window.desktop.type("45")
    assert window.sees("45")
    (only,) = window.desktop.windows()
    window.desktop.close_window(only)

    assert window.ends() == 0
    assert load().max_seconds == 45


def test_the_page_says_that_a_run_keeps_what_it_began_with(window: Window, tmp_path: Path) -> None:
    long = {"thought": "I wait.", "action": {"tool": "wait_for", "args": {"text": "x", "timeout": 60}}}
    window.start(script(tmp_path / "long.jsonl", long))
    assert window.sees("Acting: Wait for")
    turn_to(window, "Settings")
    assert window.sees("The current run keeps its settings.")
    window.desktop.press("escape")
    assert window.gone("The current run")
