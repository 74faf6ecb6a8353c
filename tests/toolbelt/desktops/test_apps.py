"""Applications are found and described by their desktop entries."""

from pathlib import Path

from toolbelt.desktops.apps import described_as

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
