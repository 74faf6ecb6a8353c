"""MARK-I in the menu of the desktop: what is put among a person's files, and that nothing of it stays."""

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from gui.icons import SIZES_PX, icon_file
from gui.menu_entry import install_entry, remove_entry
from mark_i.config import DEFAULT_PROFILE
from tests.gui.opened_window import Window
from tests.support import Run, soon
from toolbelt.desktops import VirtualDesktop
from toolbelt.desktops.apps import commands_for
from toolbelt.desktops.x11.connection import Connection
from toolbelt.perception.eyes import Eyes
from world_model import UsageError


@pytest.fixture
def data(home: Path) -> Path:
    """Where a desktop looks for what a person added to it."""
    return home.parent / ".local" / "share"


def files(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_the_icon_has_the_sizes_that_it_says() -> None:
    for size in SIZES_PX:
        with Image.open(icon_file(size)) as image:
            assert image.size == (size, size)


def test_it_is_put_into_the_menu_and_taken_out_again(data: Path) -> None:
    entry = install_entry(DEFAULT_PROFILE)

    assert entry == data / "applications" / "mark-i.desktop"
    sized = {f"icons/hicolor/{size}x{size}/apps/mark-i.png" for size in SIZES_PX}
    assert files(data) == {"applications/mark-i.desktop", "icons/hicolor/scalable/apps/mark-i.svg", *sized}
    assert commands_for("MARK-I")[0][0] == [sys.executable, "-P", "-m", "mark_i", "gui"]
    assert install_entry(DEFAULT_PROFILE) == entry
    assert remove_entry(DEFAULT_PROFILE)
    assert files(data) == set()
    assert not remove_entry(DEFAULT_PROFILE)


def test_each_profile_has_its_entry_and_the_last_takes_the_icon_along(data: Path) -> None:
    install_entry(DEFAULT_PROFILE)
    install_entry("work")

    assert commands_for("MARK-I: work")[0][0][-2:] == ["--profile", "work"]
    assert remove_entry(DEFAULT_PROFILE)
    assert "icons/hicolor/scalable/apps/mark-i.svg" in files(data)
    assert remove_entry("work")
    assert files(data) == set()


@pytest.mark.skipif(not shutil.which("gio"), reason="the reader of GLib, which desktops use, is not installed")
def test_a_python_in_a_folder_with_odd_signs_is_started(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    python, said = tmp_path / 'my "own" $HOME `x` \\ things' / "python", tmp_path / "said"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\necho "$@" > {said}.part\nmv {said}.part {said}\n')
    python.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(python))

    started = subprocess.run(["gio", "launch", str(install_entry("work"))], capture_output=True, text=True, check=False)

    assert (started.returncode, started.stderr) == (0, "")
    assert soon(said.exists)
    assert said.read_text() == "-P -m mark_i gui --profile work\n"


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="desktop-file-utils is not installed")
@pytest.mark.parametrize("profile", [DEFAULT_PROFILE, "work"])
def test_the_entry_is_valid(profile: str, processes: None) -> None:
    checked = subprocess.run(
        ["desktop-file-validate", str(install_entry(profile))], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")


def test_a_name_that_is_none_and_a_file_in_the_way_are_refused(data: Path) -> None:
    with pytest.raises(UsageError, match="cannot be a profile"):
        install_entry("../x")
    data.parent.mkdir()
    data.write_text("")
    with pytest.raises(UsageError, match="cannot be written: Not a directory"):
        install_entry(DEFAULT_PROFILE)


def test_other_systems_are_told_how_the_window_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(UsageError, match="Only desktops on Linux"):
        install_entry(DEFAULT_PROFILE)


def test_the_command_says_what_it_did(mark_i: Run, data: Path) -> None:
    assert "--install or --uninstall" in mark_i("gui", "--install", "--uninstall").stderr
    assert str(data / "applications" / "mark-i.desktop") in mark_i("gui", "--install").stdout
    assert mark_i("gui", "--uninstall").stdout == "The window is out of the menu.\n"
    assert mark_i("gui", "--uninstall").stdout == "The window is not in the menu.\n"


def test_the_window_has_the_icon(screen: Eyes, home: Path) -> None:
    with contextlib.closing(Window(screen, home)) as window:
        assert window.sees("Ready")
        (only,) = window.desktop.windows()
        assert isinstance(window.desktop, VirtualDesktop)
        with contextlib.closing(Connection(window.desktop.display)) as connection:
            sizes, numbers = [], connection.numbers(only.id, "_NET_WM_ICON")
            while numbers:
                width, height, *_ = numbers
                sizes.append((width, height))
                numbers = numbers[2 + width * height :]
    assert sizes == [(size, size) for size in SIZES_PX]
