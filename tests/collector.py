"""A collector of OpenTelemetry on this machine."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Collector:
    """A local collector: the spans that it received, by name, and all bytes."""

    def __init__(self) -> None:
        self.raw, self.resources = b"", dict[str, str]()
        self.spans: list[Any] = []

    def named(self, name: str) -> list[Any]:
        return [span for span in self.spans if span.name == name]

    def take(self, body: bytes) -> None:
        request = ExportTraceServiceRequest.FromString(body)
        self.raw += body
        for one in request.resource_spans:
            self.resources |= {pair.key: pair.value.string_value for pair in one.resource.attributes}
            self.spans.extend(span for scope in one.scope_spans for span in scope.spans)


def told(span: Any) -> dict[str, Any]:
    """The attributes of a span."""
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in span.attributes}


@contextmanager
def collecting() -> Iterator[tuple[Collector, str]]:
    """A collector with its address."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/traces"
            collector.take(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield collector, f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
