"""The token of a desktop that asks its person first: kept as a secret, and only the newest of them."""

import stat
from pathlib import Path

import pytest

from mark_i.config.api_keys import Keys
from mark_i.config.portal_token import NAME, PortalToken

FIRST, SECOND = "2cf24dba-5fb0-a30e", "486ea462-24d1-bb4f"


@pytest.fixture(params=["keyring", "file"])
def kept(request: pytest.FixtureRequest) -> None:
    """Where it is kept."""
    if request.param == "keyring":
        request.getfixturevalue("keyring")


def holds(folder: Path, text: str) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


def test_it_is_kept_in_the_keyring(keyring: Path, home: Path) -> None:
    token = PortalToken()
    assert token.read() is None
    token.write(FIRST)
    assert token.read() == FIRST
    assert Keys().find(NAME) == (FIRST, "keyring")
    assert holds(home, FIRST) == []


def test_without_a_keyring_only_its_owner_can_read_it(home: Path) -> None:
    token = PortalToken()
    token.write(FIRST)
    assert token.read() == FIRST
    [file] = holds(home, FIRST)
    assert file == Keys().file
    assert stat.S_IMODE(file.stat().st_mode) == stat.S_IRUSR | stat.S_IWUSR


def test_each_replaces_the_one_before(kept: None, home: Path) -> None:
    token = PortalToken()
    token.write(FIRST)
    token.write(SECOND)
    assert token.read() == SECOND
    assert holds(home, FIRST) == []
    token.write("")
    assert token.read() is None
    assert holds(home, SECOND) == []


def test_each_profile_has_its_own(kept: None) -> None:
    PortalToken("work").write(FIRST)
    assert PortalToken().read() is None
    assert PortalToken("work").read() == FIRST


def test_one_that_others_can_read_is_asked_for_again(home: Path) -> None:
    token = PortalToken()
    token.write(FIRST)
    Keys().file.chmod(0o644)
    assert token.read() is None
    token.write(SECOND)
    assert holds(home, SECOND) == []


def test_it_is_no_secret_that_a_run_may_type(kept: None) -> None:
    PortalToken().write(FIRST)
    assert Keys().secrets().named == {}
    assert FIRST not in repr(PortalToken())
