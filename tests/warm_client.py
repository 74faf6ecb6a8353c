"""Have the program forked by `warm_program.py`, with the streams, folder and environment of this process.

It ends as the program does. It is started as `python -I -S`, and loads next to nothing.
"""

import _signal  # type: ignore[import-not-found]  # built in: a signal waits from here until it can be passed on

PASSED_ON = _signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP
_signal.pthread_sigmask(_signal.SIG_BLOCK, PASSED_ON)

import json  # noqa: E402
import os  # noqa: E402
import signal  # noqa: E402
import socket  # noqa: E402
import sys  # noqa: E402


def main() -> None:
    """Ask for it, pass on signals, and wait for its exit code."""
    umask = os.umask(0)
    folder = os.getcwd()  # noqa: PTH109 - pathlib takes as long to load as all else here
    request = {"arguments": sys.argv[2:], "folder": folder, "environment": dict(os.environ), "umask": umask}
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(sys.argv[1])
        socket.send_fds(server, [b"-"], [0, 1, 2])
        server.sendall(json.dumps(request).encode() + b"\n")
        for number in PASSED_ON:
            signal.signal(number, lambda number, _frame: server.send(bytes([number])))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
        code = int(server.recv(16))
    if code < 0:  # a signal ended it
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
