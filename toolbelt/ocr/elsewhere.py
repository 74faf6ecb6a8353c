"""Reading in another process, which reads for several: so its models, 170 MB, are in memory once.

A picture goes there over a socket in a private folder, with a key; what was found comes back.
"""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection, Listener
from threading import Thread
from typing import Any, Final

Functions = Mapping[str, Callable[[Any], Any]]
_GONE: Final = (OSError, EOFError)


@dataclass(frozen=True, slots=True)
class Address:
    """Where the process listens, and the key to it."""

    path: str
    key: bytes


def ask(address: Address, name: str, value: object) -> Any:  # noqa: ANN401 - what the function returns
    """Have a function called there, and return what it returns.

    Raises:
        ConnectionError: the process is gone.
    """
    try:
        with Client(address.path, "AF_UNIX", address.key) as pipe:
            pipe.send((name, value))
            return pipe.recv()
    except _GONE as error:
        raise ConnectionError(f"Nobody reads at {address.path}") from error


def serve(address: Address, functions: Functions, ready: Callable[[], object]) -> None:
    """Call functions for others, for as long as this process lives.

    Args:
        address: where to listen.
        functions: by their names.
        ready: is called once others can ask.
    """
    with closing(Listener(address.path, "AF_UNIX", authkey=address.key)) as listener:
        ready()
        while True:
            try:
                pipe = listener.accept()
            except _GONE:  # who asked has ended meanwhile
                continue
            Thread(target=_answer, args=(pipe, functions), name="asked", daemon=True).start()


def _answer(pipe: Connection, functions: Functions) -> None:
    with pipe:
        try:
            name, value = pipe.recv()
            pipe.send(functions[name](value))
        except _GONE:
            return
