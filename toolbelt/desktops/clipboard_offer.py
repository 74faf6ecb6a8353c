"""A text on the clipboard, handed out by a thread of this process: X and Wayland have no clipboard but in programs."""

import socket
import threading
from abc import ABC, abstractmethod

from world_model import ToolFailure


class ClipboardOffer(ABC):
    """Offers a text until another program takes the clipboard or `close` is called.

    `_ours` is whether nobody has taken the clipboard yet; `_ending` can be read once the thread is to end.

    Raises:
        ToolFailure: The text is not valid Unicode.
    """

    def __init__(self, text: str) -> None:
        try:
            self._content = text.encode()
        except UnicodeEncodeError as error:
            raise ToolFailure(
                "INVALID_ARGS", f"Position {error.start} of the text is half a character.", ["Leave it out."]
            ) from error
        self.text, self._ours = text, True

    def _begin(self) -> None:
        """Hand it out from here on: the clipboard is taken."""
        self._ending, self._end = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="clipboard", daemon=True)
        self._thread.start()

    @property
    def is_held(self) -> bool:
        """Whether it is still on the clipboard."""
        return self._ours and self._thread.is_alive()

    def wait(self) -> None:
        """Wait until it is offered no more."""
        self._thread.join()

    def close(self) -> None:
        """Stop offering it."""
        self._end.close()
        self._thread.join()

    @abstractmethod
    def _serve(self) -> None:
        """Hand it to the programs that paste it, until it is offered no more; release everything then."""
