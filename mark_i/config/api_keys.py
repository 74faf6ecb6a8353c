"""API keys: in the system's keyring, a file of the profile, the environment, and `.env` in the current folder."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from mark_i.config.file_lock import locked
from mark_i.config.key_file import NAME, read_keys, write_keys
from mark_i.config.keyrings import KeyringRefusedError, keyring_in_use
from mark_i.config.paths import DEFAULT_PROFILE, make_private, profile_folder
from mark_i.guard.one_time_codes import OneTimeCode
from mark_i.guard.secrets import SHORTEST_CHARS, Secrets
from world_model import UsageError, file_fault
from world_model.journal import write_whole

VARIABLES: Final = {
    "gemini": "GEMINI_API_KEY",
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "tavily": "TAVILY_API_KEY",
}
SECRET: Final = "secret."  # noqa: S105 - the prefix of the user's own secrets
TOTP: Final = "totp."  # the prefix of their keys for one-time codes
OWN_VARIABLES: Final = {SECRET: "MARK_I_SECRET_", TOTP: "MARK_I_TOTP_"}  # the prefixes of their environment variables
NO_KEYRING: Final = "This system has no keyring that could keep the key."
SERVICE: Final = "mark-i"  # the service name in the keyring


def variable_of(vendor: str) -> str:
    """Return the environment variable for a vendor's key, or for a secret or a code's key of the user's own."""
    prefix = TOTP if vendor.startswith(TOTP) else SECRET
    return VARIABLES.get(vendor) or OWN_VARIABLES[prefix] + vendor.removeprefix(prefix).upper()


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one profile.

    A list in the profile's folder names the keys that `save` put in the keyring. Only those are read from it: a read
    takes a third of a second, and the desktop may ask the user for a password.
    """

    profile: str = DEFAULT_PROFILE
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    folder: Path = field(default_factory=Path)

    def get(self, vendor: str) -> str | None:
        """Return the key of a vendor; None if there is none."""
        return self.find(vendor)[0]

    def find(self, vendor: str) -> tuple[str | None, str]:
        """Return the key of a vendor, and in words where it is kept."""
        variable = variable_of(vendor)
        if vendor in self._saved() and (key := self._from_keyring(vendor)):
            return key, "keyring"
        if key := read_keys(self.file).get(vendor):
            return key, "file"
        if key := self.environment.get(variable):
            return key, "environment"
        if key := self._from_file(variable):
            return key, ".env"
        return None, "none"

    def secrets(self) -> Secrets:
        """Return the secrets that a run may type by name, and every value to redact.

        Raises:
            UsageError: A secret is too short to be redacted reliably, or a key for one-time codes is none.
        """
        named = self._own(SECRET)
        if short := [name for name, value in named.items() if len(value) < SHORTEST_CHARS]:
            raise UsageError(
                f"The secret in {variable_of(SECRET + short[0])} has fewer than {SHORTEST_CHARS} characters: it may "
                "be part of other words, so it cannot be redacted reliably. Remove it, or set a longer one."
            )
        codes = {name: OneTimeCode(name, key) for name, key in self._own(TOTP).items()}
        return Secrets(named, tuple(filter(None, map(self.get, VARIABLES))), codes)

    def _own(self, prefix: str) -> dict[str, str]:
        """Return what the user keeps under names with a prefix."""
        kept, variable = self._saved() | read_keys(self.file).keys(), OWN_VARIABLES[prefix]
        names = {name.removeprefix(prefix) for name in kept if name.startswith(prefix)}
        names |= {one.removeprefix(variable).lower() for one in self.environment if one.startswith(variable)}
        return {name: value for name in sorted(names) if (value := self.get(prefix + name))}

    @property
    def file(self) -> Path:
        """The profile's own file of keys, which may not exist."""
        return self._list().with_name(NAME)

    def save(self, vendor: str, key: str, *, in_file: bool = False) -> None:
        """Save a key in the system's keyring, or in the profile's file; an empty key deletes the saved one.

        It is kept in one of them only.

        Raises:
            UsageError: It cannot be a key, or there is no keyring, or the keyring refuses it.
        """
        # A password may contain any letter.
        if not ((key.isascii() or vendor.startswith(SECRET)) and key.isprintable()):
            raise UsageError("That is not a key: it contains characters that no key has.")
        make_private(self._list().parent)
        try:
            with locked(self._list()):
                others = {name: kept for name, kept in read_keys(self.file).items() if name != vendor}
                self._keep(vendor, "" if in_file else key)
                write_keys(self.file, {**others, vendor: key} if in_file and key else others)
        except OSError as error:
            raise UsageError(f"{error.filename or self._list()} cannot be written: {file_fault(error)}.") from error

    def _keep(self, vendor: str, key: str) -> None:
        import keyring  # noqa: PLC0415 - it takes a third of a second to choose a backend
        from keyring.errors import KeyringError, NoKeyringError, PasswordDeleteError  # noqa: PLC0415

        try:
            if key:
                keyring.set_password(self._service(), vendor, key)
            elif vendor in self._saved():
                keyring.delete_password(self._service(), vendor)
        except PasswordDeleteError:  # it was deleted already
            pass
        except NoKeyringError as error:
            raise KeyringRefusedError(NO_KEYRING, _elsewhere(vendor)) from error
        except KeyringError as error:
            reason = " ".join(str(error).split(";")[0].split()) or type(error).__name__
            reason += "" if reason.endswith((".", "!", "?")) else "."
            if not key:
                raise UsageError(f"The system's keyring did not delete the key: {reason}") from error
            raise KeyringRefusedError(
                f"The system's keyring did not take the key: {reason}", _elsewhere(vendor)
            ) from error
        if key and self._from_keyring(vendor) != key:  # such as one that is switched off
            raise KeyringRefusedError(
                f"{keyring_in_use().name} is this system's keyring, and kept nothing.", _elsewhere(vendor)
            )
        saved = self._saved() - {vendor} | ({vendor} if key else set())
        write_whole(self._list(), "".join(f"{name}\n" for name in sorted(saved)).encode())

    def _from_keyring(self, vendor: str) -> str | None:
        import keyring  # noqa: PLC0415 - see above
        from keyring.errors import KeyringError  # noqa: PLC0415

        try:
            return keyring.get_password(self._service(), vendor)
        except KeyringError:  # locked or gone; the key may still be elsewhere
            return None

    def _from_file(self, variable: str) -> str | None:
        import dotenv  # noqa: PLC0415 - most runs have no such file

        file = self.folder / ".env"
        try:
            return dotenv.dotenv_values(file).get(variable) if file.is_file() else None
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{file.absolute()} cannot be read for keys: {error}.") from error

    def _service(self) -> str:
        """Return the service name in the keyring; each `MARK_I_HOME` and each profile has its own."""
        home = self.environment.get("MARK_I_HOME")
        parts = [SERVICE, *([str(Path(home).absolute())] if home else [])]
        return ":".join(parts if self.profile == DEFAULT_PROFILE else [*parts, self.profile])

    def _list(self) -> Path:
        return profile_folder(self.profile, self.environment) / "keys.txt"

    def _saved(self) -> set[str]:
        try:
            return set(self._list().read_text(encoding="utf-8").split())
        except (OSError, ValueError):
            return set()


def _elsewhere(vendor: str) -> str:
    """Say where else a key or secret can be kept; secrets are not read from `.env`."""
    variable, secret = variable_of(vendor), vendor.startswith((SECRET, TOTP))
    env, name = ("", vendor) if secret else (", write it into a file .env,", f"{vendor}.key")
    return (
        f"Set {variable} in the environment{env} or keep it in a file that only you can read: "
        f"mark-i config set {name} --file."
    )
