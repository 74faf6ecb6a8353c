"""Keys in a file of the profile: only its owner can read it, and it is never used if others can."""

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from keyring.core import load_keyring

from mark_i.cli.commands.config import config
from mark_i.config import keyrings
from mark_i.config.api_keys import Keys
from mark_i.config.keyrings import KeyringInUse, keyring_in_use
from mark_i.doctor.prerequisites import survey
from tests.support import Run
from toolbelt.tools.sandbox.private_files import is_private
from world_model import UsageError

KEY: Final = "sk-a-key-that-nobody-may-see"
POSIX: Final = pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")


def configured(*arguments: str, typed: str = "") -> str:
    """What `mark-i config` prints."""
    done = CliRunner().invoke(config, arguments, input=typed, standalone_mode=False)
    if done.exception:
        raise done.exception
    assert KEY not in done.output
    return done.output


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_a_key_can_be_kept_in_a_file_and_is_found_there() -> None:
    said = configured("set", "openai.key", "--file", typed=f"{KEY}\n")

    file = Keys().file
    assert said == f"openai.key is now in {file}, which only you can read.\n"
    assert Keys().find("openai") == (KEY, "file")
    assert Keys("work").get("openai") is None
    assert "openai.key             file" in configured("show")
    assert json.loads(configured("show", "--json"))["keys"]["openai"] == "file"
    assert configured("set", "openai.key", "none") == "openai.key is removed.\n"
    assert not file.exists()


@POSIX
def test_the_file_is_closed_to_others_from_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    replace = Path.replace

    def watching(path: Path, target: Any) -> Path:
        seen.append(mode(path))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", watching)
    before = os.umask(0)
    try:
        Keys().save("openai", KEY, in_file=True)
        Keys().save("gemini", KEY, in_file=True)
    finally:
        os.umask(before)

    assert mode(Keys().file) == 0o600
    assert set(seen) == {0o600}


@POSIX
@pytest.mark.parametrize("open_mode", [0o644, 0o640, 0o604, 0o602])
def test_a_file_that_others_can_open_is_refused(open_mode: int) -> None:
    Keys().save("openai", KEY, in_file=True)
    Keys().file.chmod(open_mode)

    for use in (lambda: Keys().get("openai"), lambda: Keys().save("gemini", "x" * 20, in_file=True), Keys().secrets):
        with pytest.raises(UsageError, match=rf"mode {open_mode:o}.*chmod 600") as caught:
            use()
        assert KEY not in str(caught.value)
    [finding] = [one for one in survey() if one.about == "key"]
    assert "chmod 600" in finding.told
    Keys().file.chmod(0o600)
    assert (Keys().get("openai"), Keys().get("gemini")) == (KEY, None)


@POSIX
@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_somebody_else_is_refused() -> None:
    Keys().save("openai", KEY, in_file=True)
    os.chown(Keys().file, 12345, 12345)

    with pytest.raises(UsageError, match="belongs to somebody else"):
        Keys().get("openai")


@pytest.mark.parametrize("content", ["{", "[]", '{"openai": 5}', "\udcff"])
def test_a_file_that_holds_something_else_is_told(content: str) -> None:
    Keys().save("openai", KEY, in_file=True)
    Keys().file.write_text(content, errors="surrogateescape")

    with pytest.raises(UsageError, match="Delete it, and save its keys again"):
        Keys().get("openai")


def test_a_key_is_kept_in_one_place_only(keyring: Path) -> None:
    keys = Keys()
    keys.save("openai", KEY)
    keys.save("openai", "another-key", in_file=True)
    assert keys.find("openai") == ("another-key", "file")
    assert not any(KEY in file.read_text() for file in keyring.rglob("*.cfg"))
    keys.save("openai", KEY)
    assert keys.find("openai") == (KEY, "keyring")
    assert not keys.file.exists()


def test_the_file_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "in the environment")
    Keys().save("openai", KEY, in_file=True)
    assert Keys().find("openai") == (KEY, "file")


def test_a_secret_of_ones_own_can_be_kept_there_too() -> None:
    assert "which only you can read." in configured("set", "secret.bank", "--file", typed=f"{KEY}\n")
    assert Keys().secrets().named == {"bank": KEY}
    assert KEY in Keys().secrets().values


def test_a_setting_is_no_key() -> None:
    with pytest.raises(UsageError, match="--file is for keys and secrets"):
        configured("set", "max_steps", "7", "--file")


def test_no_tool_reads_the_file(mark_i: Run) -> None:
    Keys().save("openai", KEY, in_file=True)
    file = Keys().file
    assert is_private(file)
    read = mark_i("tools", "call", "read_file", json.dumps({"path": file.name}), cwd=file.parent)
    code = json.dumps({"code": f"print(open({str(file)!r}).read())"})
    ran = mark_i("tools", "call", "run_python", code, cwd=file.parent)

    assert KEY not in read.stdout + read.stderr + ran.stdout + ran.stderr
    assert read.returncode == 1


# Keyrings ----------------------------------------------------------------------------------------------------------


def test_a_keyring_without_encryption_is_named_as_that(keyring: Path) -> None:
    said = configured("set", "openai.key", typed=f"{KEY}\n")

    found = keyring_in_use()
    assert (found.name, found.plaintext) == ("file.PlaintextKeyring", True)
    assert Path(found.file).is_relative_to(keyring)
    assert said == f"openai.key is now in a keyring without encryption: plain text in {found.file}.\n"
    assert f"openai.key             keyring, without encryption: plain text in {found.file}" in configured("show")
    assert json.loads(configured("show", "--json"))["keyring"]["plaintext"]
    [finding] = [one for one in survey() if one.about == "key"]
    assert f"OpenAI (key in a keyring without encryption: plain text in {found.file})" in finding.told


class Chain:
    """As keyring's own chain of keyrings."""

    def __init__(self, *backends: object) -> None:
        self.backends = backends


class Protected:
    pass


class MyPlaintextThing:
    file_path = "/somewhere"


class Odd:
    scheme = "no encryption"


@pytest.mark.parametrize(
    ("backend", "found"),
    [
        (Protected(), KeyringInUse("test_key_file.Protected", plaintext=False)),
        (MyPlaintextThing(), KeyringInUse("test_key_file.MyPlaintextThing", plaintext=True, file="/somewhere")),
        (Odd(), KeyringInUse("test_key_file.Odd", plaintext=True)),
        (Chain(Odd(), Protected()), KeyringInUse("test_key_file.Odd", plaintext=True)),
        (Chain(Protected(), Odd()), KeyringInUse("test_key_file.Protected", plaintext=False)),
    ],
)
def test_the_keyring_that_takes_the_key_counts(
    backend: object, found: KeyringInUse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keyring.get_keyring", lambda: backend)

    assert keyrings.keyring_in_use() == found
    assert ("without encryption" in found.told) == found.plaintext


def test_a_keyring_that_keeps_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keyring.core._keyring_backend", load_keyring("keyring.backends.null.Keyring"))

    with pytest.raises(UsageError, match=r"null.Keyring .* kept nothing.*mark-i config set openai.key --file"):
        Keys().save("openai", KEY)
    assert Keys().find("openai") == (None, "none")
