"""Applications are found and described by their desktop entries."""

from pathlib import Path

import pytest

from toolbelt.desktops.apps import command_for, commands_for, described_as, is_application, needs_wayland
from toolbelt.desktops.file_openers import files_named, openers_of

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


# Files ---------------------------------------------------------------------------------------------------------------


def opens(installed: dict[str, str], program: str, types: str) -> None:
    """Let the entry of an application name the types of files that it opens."""
    entry = Path(installed["XDG_DATA_HOME"]) / "applications" / f"{program}.desktop"
    entry.write_text(f"{entry.read_text(encoding='utf-8')}MimeType={types}\n", encoding="utf-8")


def test_a_file_is_opened_by_what_is_for_its_type(installed: dict[str, str], tmp_path: Path) -> None:
    for name, content in (("monday.txt", b"soup"), ("notes", b"stew"), ("page.html", b"<p>"), ("x.bin", b"\0")):
        (tmp_path / name).write_bytes(content)
    opens(installed, "suite", "text/plain;")
    opens(installed, "scribe", "text/plain;")
    opens(installed, "world", "text/html;")

    assert openers_of(tmp_path / "monday.txt", installed) == [["scribe"], ["suite"]]
    assert openers_of(tmp_path / "notes", installed)[0] == ["scribe"]
    assert openers_of(tmp_path / "page.html", installed) == [["world"]]
    assert openers_of(tmp_path / "x.bin", installed) == []


def test_the_person_chooses_what_opens_a_type(installed: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "monday.txt").write_text("soup")
    opens(installed, "suite", "text/plain;")
    opens(installed, "scribe", "text/plain;")
    (tmp_path / "mimeapps.list").write_text("[Default Applications]\ntext/plain=suite.desktop\n")

    found = openers_of(tmp_path / "monday.txt", {**installed, "XDG_CONFIG_HOME": str(tmp_path)})

    assert found == [["suite"], ["scribe"]]


def test_a_file_is_found_where_programs_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("work", "home", "home/Documents", "home/Desktop"):
        (tmp_path / folder).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "work")
    assert files_named("monday.txt") == []

    documents, desktop = (tmp_path / "home" / one / "monday.txt" for one in ("Documents", "Desktop"))
    documents.write_text("soup")
    assert files_named("monday.txt") == [documents] == files_named("~/Documents/monday.txt")
    desktop.write_text("soup")
    assert files_named("monday.txt") == [desktop, documents]
    Path("monday.txt").write_text("soup")
    assert files_named("monday.txt") == [tmp_path / "work" / "monday.txt"]
