"""The processes that read the screens of all runs of a fleet, so that its models are in memory once."""

import contextlib
import itertools
import os
import secrets
import tempfile
from collections.abc import Iterator
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Final

from mark_i.fleet.worker import read_for_all
from toolbelt.ocr import Address

CORES_EACH: Final = 4  # a reader uses no more
READY_MAX_S: Final = 60.0  # for its models to be loaded


@contextlib.contextmanager
def readers(context: ForkServerContext, runs: int) -> Iterator[Iterator[Address | None]]:
    """Start the readers for so many runs, at the same time or in turn, and yield for each whom to ask.

    A run that is alone, or whose reader does not start, reads by itself: then it is None.
    """
    if runs < 2:  # noqa: PLR2004 - one run shares nothing
        yield itertools.repeat(None)
        return
    addresses: list[Address] = []
    files = tempfile.TemporaryDirectory(prefix="mark-i-", ignore_cleanup_errors=True)  # a reader removes them, too
    with files as folder, contextlib.ExitStack() as ended:
        for number in range(-(-(os.cpu_count() or 1) // CORES_EACH)):
            address = Address(str(Path(folder) / str(number)), secrets.token_bytes(32))
            ours, theirs = context.Pipe()
            process = context.Process(target=read_for_all, args=(address, theirs), daemon=True)
            process.start()
            theirs.close()
            ended.callback(process.join)
            ended.callback(ours.close)  # before that: it ends with its pipe
            with contextlib.suppress(EOFError, OSError):  # it has ended
                if ours.poll(READY_MAX_S) and ours.recv():
                    addresses.append(address)
        yield itertools.cycle(addresses or [None])
