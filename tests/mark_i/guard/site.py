"""Web sites of a test: pages, and what was asked of them."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Site(ThreadingHTTPServer):
    """Answers with a page for each path, and keeps every request as `host/path`."""

    def __init__(self, pages: Mapping[str, str], address: str = "127.0.0.1") -> None:
        super().__init__((address, 0), Asked)
        self.pages = pages
        self.requests: list[str] = []

    @property
    def url(self) -> str:
        return f"http://{self.server_address[0]!s}:{self.server_port}"


class Asked(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.requests.append(self.headers["Host"].partition(":")[0] + self.path)
        self._reply(self.server.pages.get(self.path.partition("?")[0], "Nothing here"), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """Answer like a search engine: what a page named after the query lists."""
        query = json.loads(self.rfile.read(int(self.headers["Content-Length"]))).get("query", "")
        found = [{"title": "A page", "url": url, "content": "Text"} for url in self.server.pages.get(query, "").split()]
        self._reply(json.dumps({"results": found}), "application/json")

    def _reply(self, text: str, kind: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:  # requests are kept, not printed
        pass


@contextmanager
def serving(pages: Mapping[str, str], address: str = "127.0.0.1") -> Iterator[Site]:
    with Site(pages, address) as site:
        thread = Thread(target=site.serve_forever, daemon=True)
        thread.start()
        try:
            yield site
        finally:
            site.shutdown()
            thread.join()
