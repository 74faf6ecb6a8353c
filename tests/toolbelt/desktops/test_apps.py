"""Applications are found and described by their desktop entries."""

from pathlib import Path

import pytest

from toolbelt.desktops.apps import command_for, commands_for, described_as, is_application, needs_wayland

ENTRY = """[Desktop Entry]
Type=Application
Exec={program} %U
Name=Abacus
Name[de]=Rechenbrett
GenericName[fr]=Calculatrice
Comment[sr@latin]=Za računanje
Categories=Utility;TextEditor;
[Desktop Action New]
Name=New window
"""


def test_an_application_is_described_in_every_language_that_its_entry_knows(tmp_path: Path) -> None:
    folder = tmp_path / "applications"
    folder.mkdir()
    (folder / "abacus.desktop").write_text(ENTRY.format(program="sh"), encoding="utf-8")
    environment = {"XDG_DATA_HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path / "none")}

    told = ("Abacus", "Rechenbrett", "Calculatrice", "Za računanje", "Text Editor")
    assert described_as("sh", environment) == described_as("Abacus", environment) == told
    assert described_as("other", environment) == ()


# Found by what a person calls it -----------------------------------------------------------------------------------


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A machine with these applications, of which each has a program; none has a generic name."""
    programs, entries = tmp_path / "bin", tmp_path / "applications"
    programs.mkdir()
    entries.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "Plain")
    for program, name, rest in (
        ("scribe", "Scribe", "Categories=GNOME;GTK;Utility;TextEditor;"),
        ("abacus", "Abacus", "Categories=Utility;Calculator;"),
        ("ledger", "Ledger", "Categories=Utility;Calculator;\nTerminal=true"),
        ("aqua", "Aqua", "Categories=System;TerminalEmulator;"),
        ("ebony", "Ebony", "Categories=System;TerminalEmulator;\nKeywords=shell;command line;"),
        ("panel", "Scribe Settings", "Categories=GTK;Settings;"),
        ("centre", "Settings Manager", "Categories=Settings;"),
        ("suite", "Fine Suite Writer", "Categories=Office;WordProcessor;"),
        ("globe", "Globe", "Categories=Network;WebBrowser;\nOnlyShowIn=Other;"),
        ("world", "World", "Categories=Network;WebBrowser;"),
        ("drawer", "Drawer", "Categories=System;FileManager;"),
    ):
        binary(programs / program, b"libX11.so.6" if program != "aqua" else b"")
        text = f"[Desktop Entry]\nType=Application\nExec={program} %U\nName={name}\n{rest}\n"
        (entries / f"{program}.desktop").write_text(text, encoding="utf-8")
    return {"XDG_DATA_HOME": str(tmp_path), "XDG_DATA_DIRS": str(tmp_path / "none")}


def binary(file: Path, *libraries: bytes) -> None:
    """A program that knows the library of Wayland, and those."""
    file.write_bytes(b"\0".join((b"\x7fELF", b"libwayland-client.so.0", *libraries)))
    file.chmod(0o755)


@pytest.mark.parametrize(
    ("said", "program"),
    [
        ("the text editor", "scribe"),
        ("an editor", "scribe"),
        ("the calculator", "abacus"),
        ("calculator app", "abacus"),
        ("a terminal", "ebony"),
        ("command line", "ebony"),
        ("my browser", "world"),
        ("the web browser", "world"),
        ("settings", "centre"),
        ("Writer", "suite"),
        ("the word processor", "suite"),
        ("file manager", "drawer"),
        ("Files", "drawer"),
        ("Scribe Settings", "panel"),
    ],
)
def test_an_application_is_found_by_its_kind(installed: dict[str, str], said: str, program: str) -> None:
    assert command_for(said, installed) == ([program], [])
    assert is_application(said, installed)


@pytest.mark.parametrize("said", ["utility", "system", "office", "GTK", "poem", "scribe and abacus"])
def test_what_many_are_or_none_is_names_no_application(installed: dict[str, str], said: str) -> None:
    assert command_for(said, installed)[0] is None


def test_all_of_a_kind_are_given_and_one_in_a_terminal_last(installed: dict[str, str]) -> None:
    found, _ = commands_for("calculator", installed)

    assert found == [["abacus"], ["x-terminal-emulator", "-e", "ledger"]]


def test_a_program_on_the_path_is_taken_before_what_only_a_keyword_names(
    installed: dict[str, str], tmp_path: Path
) -> None:
    binary(tmp_path / "bin" / "shell", b"libX11.so.6")

    assert command_for("shell", installed) == ([str(tmp_path / "bin" / "shell")], [])
    assert not is_application("shell", installed)


def test_a_program_that_knows_wayland_alone_needs_it(installed: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "bin" / "script"
    script.write_text("#!/bin/sh\n# libwayland-client")
    script.chmod(0o755)

    assert [needs_wayland(name) for name in ("aqua", "ebony", "script", "missing")] == [True, False, False, False]
    assert command_for("Aqua", installed)[0] is None
    assert commands_for("Aqua", installed, wayland=True)[0] == [["aqua"]]
