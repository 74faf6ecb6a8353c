"""Twenty secrets are planted, said, typed, read back and failed with; then all that was written is searched for them.

`python -m pytest tests/mark_i/guard/test_planted.py -s` prints how many were found.
"""

import base64
import html
import json
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest
from PIL import Image

from mark_i.config.api_keys import SECRET, VARIABLES, variable_of
from mark_i.config.paths import runs_folder
from tests.support import Run, action, script
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.perception.eyes import Eyes
from world_model import read_run

NAMED: Final = {
    "plain": "Tr0ub4dor-Zoe3",
    "umlauts": "Zürich-Größe-7",
    "spaces": "correct horse battery",
    "quotes": 'say "friend" \'n enter',
    "backslashes": r"C:\new\table\x",
    "braces": "{{a}}-{b}$[c]",
    "digits": "4929138271",
    "pin": "7351",
    "pictures": "🔑open🚪sesame",
    "chinese": "密码正确马电池",
    "markup": "100%25&x=<y>",
    "address": "postgres://u:pw9@db/x",
    "base64": "QWxhZGRpbjpvcGVu==",
    "long": "kV8#" * 50,
    "pattern": r"^a+(b|c)*$\d",
    "dots": "p.a.s.s-w.o.r.d...",
}
KEYS: Final = {vendor: f"sk-{vendor}-abcdefgh{number}" for number, vendor in enumerate(VARIABLES)}
VALUES: Final = {**NAMED, **KEYS}
NAMES: Final = " | ".join(f"{{{{secret:{name}}}}}" for name in NAMED)
WORDS: Final = " | ".join(VALUES.values())
ANSWERS: Final = '{"answer": "no"}\n'  # to what it asks
TYPED: Final = ("plain", "spaces", "digits")  # what a reader of the screen can read without a mistake


def forms(value: str) -> set[bytes]:
    """How a text may look in a file."""
    dumped = (json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1])
    written = {value, *dumped, json.dumps(dumped[0])[1:-1], repr(value)[1:-1], html.escape(value), quote(value)}
    return {one.encode() for one in written} | {base64.b64encode(value.encode()).rstrip(b"=")[:-1]}


def found_in(content: bytes) -> set[str]:
    return {name for name, value in VALUES.items() if any(form in content for form in forms(value))}


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder to work in, with a file that holds the secrets; the program knows them from its environment."""
    for name, value in NAMED.items():
        monkeypatch.setenv(variable_of(SECRET + name), value)
    for vendor, key in KEYS.items():
        monkeypatch.setenv(VARIABLES[vendor], key)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    (tmp_path / "planted.txt").write_text(WORDS, encoding="utf-8")
    return tmp_path


def conversation(folder: Path) -> list[object]:
    """What a model could do to tell them."""
    file = folder / "planted.txt"
    reads = f"t = open({str(file)!r}, encoding='utf-8').read(); print(t); print(repr(t)); t.split(' | ')"
    return [
        action("python_repl", code=reads) | {"thought": f"I know {WORDS}."},
        action("python_repl", code=f"import json; print(json.dumps({WORDS!r})); raise ValueError({WORDS!r})"),
        action("read_file", path=WORDS),
        action("read_file", path=NAMES),
        action("write_file", path="copy.txt", text=NAMES),
        action("read_file", path="copy.txt"),
        action("remember", fact=f"They are {WORDS} and {NAMES}"),
        action("recall", query="horse say They new open"),
        action("ask_user", question=WORDS),
        action(WORDS, x=WORDS),
        f"No JSON, but {WORDS}",
        {"thought": WORDS, "answer": f"They are {WORDS} and {NAMES}."},
        {"thought": WORDS, "answer": f"They are {WORDS} and {NAMES}."},
    ]


def work() -> list[object]:
    """What a model could do to show them."""
    failing = {"thought": WORDS, "action": {"tool": "fail", "args": {"reason": WORDS}}}
    return [
        action("open_app", name="xterm", args=["-fa", "DejaVu Sans Mono", "-fs", "14", "-e", "cat"]),
        *[action("type_text", text=f"name {{{{secret:{name}}}}}", enter=True) for name in TYPED],
        action("read_screen"),
        action("clipboard_write", text=NAMES),
        action("clipboard_read"),
        action("click", target={"text": NAMED["spaces"]}),
        failing,
        failing,
    ]


def seen_in_pictures() -> set[str]:
    """The secrets that can be read in the pictures of the last run."""
    shown = [frame for step in read_run(max(runs_folder().iterdir())).steps for frame in (step.before, step.after)]
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (8, 8)))
    eyes = Eyes(desktop, desktop.control)
    texts = ["\n".join(line.text for line in eyes.read(frame)) for frame in shown if frame]
    assert any("name" in text for text in texts)
    return {name for name in TYPED for text in texts if letters(NAMED[name]) in letters(text)}


def letters(text: str) -> str:
    return re.sub(r"\W", "", text).casefold()


def test_no_secret_is_in_any_written_file(planted: Path, home: Path, mark_i: Run) -> None:
    told = script(planted / "told.jsonl", *conversation(planted))
    seen = script(planted / "seen.jsonl", *work())
    said: list[Any] = [
        mark_i("ask", f"what of {WORDS}?", "--brain", told, "--yes", "--session", "s", "--debug"),
        mark_i("ask", f"once more {WORDS}?", "--brain", told, "--yes", "--session", "s", "--json", input=ANSWERS),
        mark_i("run", f"type {WORDS}", "--brain", seen, "--virtual", "800x500", "--yes", "--json", "--debug"),
        *[mark_i("runs", "show", "last", "--format", form) for form in ("text", "json", "markdown")],
        mark_i("runs", "list", "--json"),
        mark_i("config", "show"),
    ]
    assert [one.returncode for one in said] == [6, 6, 1, 0, 0, 0, 0, 0], [one.stderr for one in said]

    files = [file for file in home.rglob("*") if file.is_file()]
    assert len(files) > 20
    written = {str(file): file.read_bytes() for file in files}
    written |= {f"output {number}": (one.stdout + one.stderr).encode() for number, one in enumerate(said)}
    where = {name: found for name, content in written.items() if (found := found_in(content))}
    found = set().union(*where.values(), seen_in_pictures())

    print(f"\n{len(found)} of {len(VALUES)} secrets found in {len(written)} files and outputs")  # noqa: T201
    assert not found, where
    assert all(name in found_in((planted / "planted.txt").read_bytes()) for name in VALUES)
    assert found_in((planted / "work" / "copy.txt").read_bytes()) == set(NAMED)
    assert all(f"{{{{secret:{name}}}}}" in "".join(one.stdout for one in said) for name in NAMED)
