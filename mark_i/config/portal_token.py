"""The permission to use a desktop that asks its person first, kept so that it need not ask again. It is a secret."""

import contextlib
from dataclasses import dataclass
from typing import Final

from mark_i.config.api_keys import Keys
from mark_i.config.paths import DEFAULT_PROFILE
from world_model import UsageError

NAME: Final = "portal.token"


@dataclass(frozen=True, slots=True)
class PortalToken:
    """The token of a profile: where its API keys are, or without a keyring in its file that only its owner can read."""

    profile: str = DEFAULT_PROFILE

    def read(self) -> str | None:
        """Return it; None if there is none, or it cannot be read: the person is asked again."""
        with contextlib.suppress(UsageError):
            return Keys(self.profile).get(NAME)
        return None

    def write(self, token: str) -> None:
        """Replace it, for each is good for one use; an empty one deletes it. What cannot be kept is asked for again."""
        keys = Keys(self.profile)
        try:
            keys.save(NAME, token)
        except UsageError:  # no keyring, or it is locked
            with contextlib.suppress(UsageError):
                keys.save(NAME, token, in_file=True)
