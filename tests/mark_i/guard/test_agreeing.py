"""A button that agrees means what is asked there, wherever that stands."""

from typing import Final

import pytest

from tests.mark_i.guard.pretended import Call, Shown, click, press, tried


def asks(question: str, *buttons: str, large: bool = False, title: str = "In front") -> Shown:
    rows = (f"text {question}", " | ".join(f"button {one}" for one in buttons))
    return Shown(rows, large=large, title=title)


FAR: Final = Shown(("text How to delete a file", *["text Nothing."] * 8, "button OK | button Help"))
HARMFUL: Final[dict[str, tuple[Shown, list[Call]]]] = {
    "within a page": (asks("Delete all files?", "Cancel", "OK", large=True), [click("OK")]),
    "within a page by enter": (asks("Delete all files?", "No", "Yes", large=True), press("enter")),
    "within a page by alt": (asks("Delete all files?", "No", "Yes", large=True), press("alt+y")),
    "in more words": (asks("Delete the note?", "No", "Yes, I'm sure"), [click("Yes, I'm sure")]),
    "in spite of a warning": (asks("This will erase the disk.", "Back", "Continue anyway"), [click("Continue anyway")]),
    "in another language": (asks("Alle Dateien löschen?", "Nein", "Ja, fortfahren"), [click("Ja, fortfahren")]),
    "asked in the title": (asks("Are you sure?", "Cancel", "OK", title="Delete the note"), [click("OK")]),
    "not to save": (asks("Save changes before closing?", "Yes", "No"), [click("No")]),
    "not to save by alt": (asks("Save changes before closing?", "Yes", "No"), press("alt+n")),
    "not to keep": (asks("Die Datei behalten?", "Ja", "Nein", large=True), [click("Nein")]),
}
HARMLESS: Final[dict[str, tuple[Shown, list[Call]]]] = {
    "a hint": (asks("The file was saved.", "OK"), [click("OK")]),
    "no to harm": (asks("Delete all files?", "No", "Yes"), [click("No")]),
    "yes to saving": (asks("Save changes before closing?", "Yes", "No"), [click("Yes")]),
    "a button elsewhere on the page": (FAR, [click("OK")]),
    "a name that begins like it": (asks("How to delete a file", "Okular"), [click("Okular")]),
    "back": (asks("This will erase the disk.", "Back", "Continue anyway"), [click("Back")]),
}


QUESTIONS: Final = {
    "cs": ("Smazat soubor?", "Ano"),
    "da": ("Slet filen?", "Ja"),
    "el": ("Διαγραφή αρχείου;", "Ναι"),
    "fi": ("Poista tiedosto?", "Kyllä"),
    "ar": ("هل تريد حذف الملف؟", "نعم"),
    "he": ("מחיקה של הקובץ?", "כן"),
    "hu": ("Biztos a törlés?", "Igen"),
    "id": ("Hapus file ini?", "Ya"),
    "it": ("Eliminare il file: elimina?", "Procedi"),
    "ja": ("ファイルを削除しますか", "はい"),
    "pt": ("Excluir a conta?", "Prosseguir"),
    "ro": ("Șterge fișierul?", "Da"),
    "th": ("ลบไฟล์นี้?", "ใช่"),
    "uk": ("Видалити файл?", "Так"),
    "vi": ("Xóa tệp này?", "Có"),
    "zh": ("确定要删除吗", "确定"),
}


@pytest.mark.parametrize("language", QUESTIONS)
def test_agreeing_is_known_in_the_languages_of_the_risky_words(language: str) -> None:
    question, yes = QUESTIONS[language]
    assert tried(asks(question, "X", yes), [click(yes)]).asked
    assert tried(asks(question, "X", yes, large=True), [click(yes)]).asked
    assert not tried(asks("1 2 3", "X", yes), [click(yes)]).stopped


@pytest.mark.parametrize(
    ("question", "no"),
    [("Uložit změny?", "Ne"), ("Зберегти зміни?", "Ні"), ("Simpan?", "Tidak"), ("Lưu tệp?", "Không")],
)
def test_refusing_to_save_is_known_in_these_languages(question: str, no: str) -> None:
    assert tried(asks(question, "X", no), [click(no)]).asked


@pytest.mark.parametrize("name", HARMFUL)
def test_agreeing_to_harm_is_asked_about(name: str) -> None:
    assert tried(*HARMFUL[name]).asked


@pytest.mark.parametrize("name", HARMLESS)
def test_agreeing_to_anything_else_is_not_asked_about(name: str) -> None:
    assert not tried(*HARMLESS[name]).stopped
