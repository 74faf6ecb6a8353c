"""A scripted model server, which checks each request and gives its replies in order."""

import json
import math
import threading
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final, Self

from mark_i.testing.faults import Fault
from mark_i.testing.protocols import Protocol, Received, RefusedError, encoded
from world_model import Usage

HUGE_BYTES: Final = 100 * 1024 * 1024
DRIP_S: Final = 0.02  # between two bytes
POLL_S: Final = 0.01
HERE: Final = ("127.0.0.1", 0)


class ModelServer:
    """A local server that speaks a vendor's protocol.

    Args:
        protocol: The vendor's protocol.
        replies: The model's replies in order: texts, or objects that are sent as JSON; or what makes one for a request.
        key: The valid API key.
        faults: The failures to simulate, by the number of the request, counted from 1.
        usage: The usage that each reply reports.
        models: The names of the available models, which it lists; None accepts any, and lists none.
        seconds: How long each reply takes.
        list_fault: The failure to simulate where the models are listed.

    Attributes:
        received: The valid requests.
        complaints: What was wrong with each of the other requests.
        requests: The number of requests.
        answered: The number of requests that received a reply or a refusal.
    """

    def __init__(  # noqa: PLR0913 - each is an independent option
        self,
        protocol: Protocol,
        replies: Iterable[Any] | Callable[[Received], Any],
        *,
        key: str = "a-key-that-nobody-may-see",
        faults: Mapping[int, Fault] | None = None,
        usage: Usage = Usage(1000, 50),
        models: Iterable[str] | None = None,
        seconds: float = 0.0,
        list_fault: Fault | None = None,
    ) -> None:
        self.seconds = seconds
        self.protocol, self.key, self.usage = protocol, key, usage
        self.received: list[Received] = []
        self.complaints: list[str] = []
        self.requests = 0
        self.answered = 0
        self.closing = threading.Event()
        self.list_fault = list_fault
        self._models = None if models is None else list(models)
        self._faults = dict(faults or {})
        self._reply = replies if callable(replies) else _in_order(replies)
        self._lock = threading.Lock()
        self._http = _Server(HERE, _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": POLL_S}, daemon=True)

    @property
    def base_url(self) -> str:
        """Return the address, in the form of `--base-url`."""
        return f"http://127.0.0.1:{self._http.server_port}{self.protocol.prefix}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> tuple[int, bytes, Fault | None]:
        """Return the status and the body for a request, and the fault to simulate, if any."""
        with self._lock:
            self.requests += 1
            try:
                received = self._checked(path, headers, body)
            except RefusedError as error:
                self.complaints.append(str(error))
                status = 400 if self.protocol.name == "gemini" and error.status == 401 else error.status  # noqa: PLR2004
                return status, encoded(self.protocol.refusal(error.status, str(error))), None
            self.received.append(received)
            fault = self._faults.get(self.requests)
            if fault and fault.kind != "late":
                return 200, b"", fault
            reply = self._reply(received)
            if reply is None:
                return 400, encoded(self.protocol.refusal(400, "The script has no reply left.")), None
            text = reply if isinstance(reply, str) else json.dumps(reply)
            return 200, encoded(self.protocol.reply(text, self.usage)), fault

    def listed(self, path: str, headers: Mapping[str, str]) -> tuple[int, bytes]:
        """Return the status and the body for a request of the list of models."""
        if self.protocol.key_of(headers) != self.key:
            status = 400 if self.protocol.name == "gemini" else 401
            return status, encoded(self.protocol.refusal(401, "The API key is not valid."))
        if self._models is None or path.partition("?")[0] != self.protocol.list_path:
            return 404, encoded(self.protocol.refusal(404, f"There is no {path}."))
        return 200, encoded(self.protocol.listing(self._models))

    def _checked(self, path: str, headers: Mapping[str, str], body: bytes) -> Received:
        try:
            received = self.protocol.read(path, headers, json.loads(body))
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            raise RefusedError(400, f"The request has the wrong form: {type(error).__name__}: {error}") from error
        if received.key != self.key:
            raise RefusedError(401, "The API key is not valid.")
        if self._models is not None and received.model not in self._models:
            raise RefusedError(404, f"There is no model {received.model}.")
        return received


def _in_order(replies: Iterable[Any]) -> Callable[[Received], Any]:
    left = iter(list(replies))
    return lambda _: next(left, None)


class _Server(ThreadingHTTPServer):
    owner: ModelServer
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as in its parent
        """Ignore clients that disconnect; some tests do so on purpose."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        """Answer one request of the list of models."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        if fault := self.server.owner.list_fault:
            self._fail(fault)
        else:
            self._give(*self.server.owner.listed(self.path, headers))

    def do_POST(self) -> None:
        """Answer one request."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, content, fault = self.server.owner.answer(self.path, headers, body)
        if fault and fault.kind != "late":
            self._fail(fault)
            return
        self.server.owner.closing.wait(fault.wait if fault else self.server.owner.seconds)
        self._give(status, content)
        self.server.owner.answered += 1

    def _fail(self, fault: Fault) -> None:  # noqa: C901, PLR0912 - one case for each kind
        protocol, closing = self.server.owner.protocol, self.server.owner.closing
        match fault.kind:
            case "limit":
                wait = {"Retry-After": str(math.ceil(fault.wait))}
                self._give(429, encoded(protocol.refusal(429, "Too many requests.")), wait)
            case "error":
                self._give(500, encoded(protocol.refusal(500, "Something went wrong.")))
            case "unavailable":
                self._give(503, encoded(protocol.refusal(503, "The model is overloaded.")))
            case "hang":
                closing.wait()
            case "drip":
                self._begin(200, HUGE_BYTES)
                while not closing.wait(DRIP_S):
                    self.wfile.write(b" ")
            case "cut":
                self._begin(200, 1000)
                self.wfile.write(b'{"candidates": [')
            case "refused":
                pass
            case "garbage":
                self._give(200, b"<html>Please log in.</html>")
            case "types":
                self._give(200, encoded(protocol.wrong))
            case "empty":
                self._give(200, encoded(protocol.empty))
            case "blocked":
                self._give(200, encoded(protocol.blocked))
            case "huge":
                self._begin(200, HUGE_BYTES)
                for _ in range(HUGE_BYTES // 2**20):
                    self.wfile.write(b" " * 2**20)

    def _give(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self._begin(status, len(body), headers)
        self.wfile.write(body)

    def _begin(self, status: int, length: int, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")  # so that no connection outlives its test
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - as in its parent
        """Log nothing."""
