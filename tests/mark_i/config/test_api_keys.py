"""API keys: where they are kept, who finds them, and that they stand nowhere else."""

import json
import os
import pty
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest
from keyring.errors import KeyringLocked

from mark_i.config.api_keys import Keys
from mark_i.config.keyrings import KeyringRefusedError
from mark_i.testing import ANTHROPIC, GEMINI, OPENAI, Fault, ModelServer, Protocol
from mark_i.testing.faults import Kind
from tests.support import Run, events
from world_model import UsageError

KEY: Final = "AIzaSy-a-key-that-nobody-may-see"
FINISH: Final = {"thought": "I know it.", "answer": "Because."}


def written(*folders: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for folder in folders for file in folder.rglob("*") if file.is_file()}


def test_a_key_is_asked_for_kept_and_found(mark_i: Run, keyring: Path, home: Path) -> None:
    saved = mark_i("config", "set", "gemini.key", input=KEY + "\n")
    plain = f"without encryption: plain text in {keyring}"
    assert saved.returncode == 0
    assert saved.stdout.startswith(f"gemini.key is now in a keyring {plain}"), "as what it is"
    assert any(written(keyring).values())
    assert not any(KEY.encode() in content for content in written(home).values())
    shown = mark_i("config", "show")
    assert f"gemini.key             keyring, {plain}" in shown.stdout
    assert KEY not in shown.stdout
    with ModelServer(GEMINI, [FINISH], key=KEY) as server:
        ran = mark_i("ask", "Why?", "--base-url", server.base_url, "--brain", "gemini", "--json")
    assert events(ran.stdout)[-1]["summary"] == "Because."
    assert mark_i("config", "set", "gemini.key", "none").stdout == "gemini.key is removed.\n"
    assert "gemini.key             none" in mark_i("config", "show").stdout
    assert mark_i("config", "set", "gemini.key", "none").returncode == 0


@pytest.mark.usefixtures("processes")
def test_what_is_typed_is_not_shown(keyring: Path) -> None:
    ours, theirs = pty.openpty()
    program = [sys.executable, "-m", "mark_i", "config", "set", "openai.key"]
    with subprocess.Popen(program, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        os.close(theirs)
        said = b""
        while b"Key for openai" not in said:
            said += os.read(ours, 1000)
        os.write(ours, f"{KEY}\n".encode())
        while b"keyring" not in said:
            said += os.read(ours, 1000)
        assert process.wait() == 0
    os.close(ours)
    assert KEY.encode() not in said
    assert keyring.exists()


def test_keys_come_from_keyring_then_environment_then_file(
    keyring: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = Keys()
    assert keys.find("openai") == (None, "none")
    (tmp_path / ".env").write_text("# mine\nexport OPENAI_API_KEY='in the file'\n")
    assert keys.find("openai") == ("in the file", ".env")
    monkeypatch.setenv("OPENAI_API_KEY", "in the environment")
    assert keys.find("openai") == ("in the environment", "environment")
    keys.save("openai", "in the keyring")
    assert keys.find("openai") == ("in the keyring", "keyring")
    assert Keys("work").get("openai") == "in the environment", "a profile has keys of its own"
    keys.save("openai", "")
    assert keys.get("openai") == "in the environment"
    assert keyring.exists()


def test_a_home_of_ones_own_has_keys_of_its_own(keyring: Path, tmp_path: Path) -> None:
    usual = {"XDG_DATA_HOME": str(tmp_path)}
    assert Keys(environment=usual)._service() == "mark-i", "what was kept before is still found"
    one, other = (Keys("work", {"MARK_I_HOME": str(tmp_path / name)}) for name in "ab")
    one.save("secret.bank", "value of a")
    other.save("secret.bank", "value of b")
    assert (one.get("secret.bank"), other.get("secret.bank")) == ("value of a", "value of b")
    other.save("secret.bank", "")
    assert one.get("secret.bank") == "value of a"
    assert keyring.exists()


def test_two_who_save_at_once_lose_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keyring.set_password", lambda *_: None)
    monkeypatch.setattr("keyring.get_password", lambda *_: "a value")
    names = [f"{one}{number}" for one in "ab" for number in range(30)]
    with ThreadPoolExecutor(2) as both:
        list(both.map(lambda name: Keys().save(f"secret.{name}", "a value"), names))
    assert sorted(Keys().secrets().named) == sorted(names)


def test_a_keyring_that_lost_a_key_or_cannot_be_used_is_no_end(keyring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Keys().save("gemini", KEY)
    for file in keyring.rglob("*"):
        if file.is_file():
            file.unlink()
    monkeypatch.setenv("GEMINI_API_KEY", "another")
    assert Keys().get("gemini") == "another"
    Keys().save("gemini", "")


def test_without_a_keyring_it_says_where_else_a_key_can_be(mark_i: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    failed = mark_i("config", "set", "gemini.key", input=KEY + "\n")
    assert failed.returncode == 2
    assert "has no keyring that could keep the key. Set GEMINI" in failed.stderr
    assert "Set GEMINI_API_KEY in the environment, write it into a file .env, or keep it in a file" in failed.stderr
    assert failed.stderr.endswith("mark-i config set gemini.key --file.\n")
    assert failed.stderr.count("\n") == 1
    assert KEY not in failed.stderr
    secret = mark_i("config", "set", "secret.bank", input=KEY + "\n")
    assert "Set MARK_I_SECRET_BANK in the environment or keep it in a file that only you can read" in secret.stderr
    assert ".env" not in secret.stderr, "no secret is read there"


@pytest.mark.parametrize("said", ["The collection is locked", "The collection is locked.", "It is locked; sorry"])
def test_what_a_keyring_says_is_a_sentence(said: str, keyring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*_: str) -> None:
        raise KeyringLocked(said)

    Keys().save("openai", KEY)
    assert keyring.exists()
    monkeypatch.setattr("keyring.set_password", locked)
    monkeypatch.setattr("keyring.delete_password", locked)
    with pytest.raises(
        KeyringRefusedError, match=r"did not take the key: .* locked\. Set GEMINI_API_KEY in"
    ) as refused:
        Keys().save("gemini", KEY)
    assert refused.value.told.endswith("is locked.")
    with pytest.raises(UsageError, match=r"did not delete the key: .* locked\.$"):
        Keys().save("openai", "")


@pytest.mark.parametrize(
    ("arguments", "typed", "message"),
    [
        (["gemini.key", KEY], "", "stays in the shell's history"),
        (["gemini.key"], "€\n", "no key"),
        (["max_steps"], "", "Give a value for max_steps"),
        (["nobody.key", "x"], "", "There is no setting 'nobody.key'"),
        (["keys"], "", "Give a value for keys"),
    ],
)
def test_what_is_no_key_is_refused(arguments: list[str], typed: str, message: str, mark_i: Run) -> None:
    failed = mark_i("config", "set", *arguments, input=typed)
    assert failed.returncode == 2
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1
    assert KEY not in failed.stdout + failed.stderr


@pytest.mark.parametrize("protocol", [GEMINI, OPENAI, ANTHROPIC])
def test_a_key_stands_in_nothing_that_is_written(
    protocol: Protocol, mark_i: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever goes wrong: a journal, a log, an error and an event say nothing of it."""
    monkeypatch.setenv(f"{protocol.name.upper()}_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    kinds: tuple[Kind, ...] = ("limit", "cut", "garbage", "blocked", "types")
    faults = {number: Fault(kind) for number, kind in enumerate(kinds, 1)}
    said = ""
    with ModelServer(protocol, [FINISH], key=KEY, faults=faults) as server:
        options = ["--brain", protocol.name, "--base-url", server.base_url, "--debug"]
        for more in (["--json"], [], ["--json"], []):
            server.key = KEY if server.requests < len(faults) else "another"
            ran = mark_i("ask", "Why?", *options, *more)
            said += ran.stdout + ran.stderr
            assert ran.returncode == 4
    assert server.requests == len(faults) + 1
    assert KEY not in said
    files = written(home, tmp_path)
    assert any(name.endswith("run.json") for name in files)
    assert not [name for name, content in files.items() if KEY.encode() in content]


def test_a_file_of_keys_that_is_no_text_is_named(mark_i: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes(b"# Schl\xfcssel\n")
    failed = mark_i("ask", "Why?", "--brain", "offline")
    assert failed.returncode == 2
    assert str(tmp_path / ".env") in failed.stderr
    assert failed.stderr.count("\n") == 1


def test_the_file_of_keys_is_read_by_no_tool(mark_i: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"GEMINI_API_KEY={KEY}\n")
    for tool, args in (("read_file", {"path": ".env"}), ("write_file", {"path": "./.env", "text": "x"})):
        ran = mark_i("tools", "call", tool, json.dumps(args))
        assert KEY not in ran.stdout + ran.stderr
        assert ran.returncode != 0
    assert KEY in (tmp_path / ".env").read_text()
