"""Which keyring this system has, and whether it protects what it keeps."""

from dataclasses import dataclass
from typing import Any, Final

from world_model import UsageError

NO_ENCRYPTION: Final = "no enc"  # how the scheme of a keyring without any begins


class KeyringRefusedError(UsageError):
    """The keyring did not take a key.

    Args:
        told: what happened, in a sentence.
        elsewhere: where else the key can be kept, for a person at the terminal.
    """

    def __init__(self, told: str, elsewhere: str) -> None:
        super().__init__(f"{told} {elsewhere}")
        self.told = told


@dataclass(frozen=True, slots=True)
class KeyringInUse:
    """The keyring that keys are saved in.

    Attributes:
        name: of its class, such as `SecretService.Keyring`.
        plaintext: whether it keeps keys as they are, so that whoever reads its file has them.
        file: the file that it keeps them in; empty if that is not known.
    """

    name: str
    plaintext: bool
    file: str = ""

    @property
    def told(self) -> str:
        """What it is, in words."""
        if not self.plaintext:
            return "the system's keyring"
        return f"a keyring without encryption: plain text in {self.place}"

    @property
    def place(self) -> str:
        """Where it keeps keys, as far as that is known."""
        return self.file or self.name


def keyring_in_use() -> KeyringInUse:
    """Return the keyring in use. To load it takes a third of a second."""
    import keyring  # noqa: PLC0415 - see above

    backend: Any = keyring.get_keyring()
    while inner := _within(backend):
        backend = inner
    kinds = type(backend).__mro__
    plain = any("plaintext" in kind.__name__.lower() for kind in kinds)
    plain = plain or str(getattr(backend, "scheme", "")).lower().startswith(NO_ENCRYPTION)
    name = f"{type(backend).__module__.rpartition('.')[2]}.{type(backend).__name__}"
    return KeyringInUse(name, plain, str(getattr(backend, "file_path", "")))


def _within(backend: Any) -> Any:  # noqa: ANN401 - keyrings share no type for this
    """Return the keyring that a chain or a wrapper passes keys to."""
    return next(iter(getattr(backend, "backends", ())), None) or getattr(backend, "_keyring", None)
