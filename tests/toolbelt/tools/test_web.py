"""The real packages against local servers: pages, Tavily, and search engines behind a proxy of our own."""

import datetime as dt
import gzip
import http.server
import json
import socket
import socketserver
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support import Unhurried
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.tools.internet.pages import MAX_BYTES, public
from toolbelt.tools.web import Web
from world_model import Action, Halt, Observation, UsageError

KEY: Final = "tvly-a-key-that-nobody-may-see"
ROOT: Final = Path(__file__).parents[3]
STORY: Final = """<html><head><title> The  lighthouse </title></head><body>
<nav><a href="/home">Home</a> <a href="#top">Top</a></nav>
<article><h1>The lighthouse</h1>
<p>The keeper of the lighthouse on Bell Rock climbed its ninety-six steps twice a day, in every weather.</p>
<p>He wrote each ship into a book, with its name and its flag: <a href="ships.html?a=1&amp;b=2">the ships</a>.</p>
<p>More is told <a href="https://example.org/more">elsewhere</a>, <a href="mailto:keeper@example.org">by mail</a>.</p>
</article><script>alert("no")</script></body></html>"""

Answer = tuple[int, Mapping[str, str], bytes]


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with what the server was given for a path; keeps what it was asked."""

    server: "Server"

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.path, dict(self.headers), body))
        answer = self.server.answers.get(self.path, (404, {}, b""))
        status, headers, content = answer(self) if callable(answer) else answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET  # noqa: N815 - the name is the library's

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, handler: type[socketserver.BaseRequestHandler] = Handler) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: dict[str, Answer | Callable[[Handler], Answer]] = {}

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""

    def page(self, path: str, content: str | bytes, kind: str | None = "text/html; charset=utf-8") -> str:
        data = content.encode() if isinstance(content, str) else content
        self.answers[path] = (200, {"Content-Type": kind} if kind else {}, data)
        return self.url + path


def running(server: Server) -> Iterator[Server]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    yield from running(Server())


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "DDGS_PROXY"):
        monkeypatch.delenv(name, raising=False)


def called(web: Web, tool: str, control: Control | None = None, **args: Any) -> Observation:
    return Toolbelt(web).call(Action(tool, args), control or Unhurried()).observation


def fetched(url: str) -> Observation:
    return called(Web(Control(), private=True), "fetch_page", url=url)


def failure(observation: Observation) -> tuple[str, str, str]:
    assert not observation.ok
    assert observation.error is not None
    return observation.error.code, observation.error.message, " ".join(observation.error.hints)


# Pages


def test_a_page_has_title_address_text_and_links(server: Server) -> None:
    seen = fetched(server.page("/a/story", STORY))
    assert seen.ok
    assert seen.text.startswith(f"The lighthouse\n{server.url}/a/story\n\n")
    assert "ninety-six steps twice a day" in seen.text
    assert "alert" not in seen.text
    assert "<" not in seen.text
    assert seen.data == {
        "title": "The lighthouse",
        "url": f"{server.url}/a/story",
        "links": [
            {"text": "Home", "url": f"{server.url}/home"},
            {"text": "Top", "url": f"{server.url}/a/story#top"},
            {"text": "the ships", "url": f"{server.url}/a/ships.html?a=1&b=2"},
            {"text": "elsewhere", "url": "https://example.org/more"},
        ],
    }


def test_a_short_page_without_an_article_is_read_whole(server: Server) -> None:
    seen = fetched(server.page("/", "<title>Shop</title><form>Name <input></form><p>Open until 18:00"))
    assert "Open until 18:00" in seen.text


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("Grüße aus Köln, 今日は", "text/html; charset=utf-8"),
        ("Grüße aus Köln, 今日は", "text/html"),
        ("Grüße aus Köln", "text/html; charset=iso-8859-1"),
        ("Привет из Москвы", "text/html; charset=windows-1251"),
        ("Grüße aus Köln", "text/plain; charset=latin-1"),
        ("Grüße aus Köln, 今日は", "text/plain; charset=utf-16"),
    ],
)
def test_letters_come_through_in_every_encoding_that_is_named(server: Server, content: str, kind: str) -> None:
    charset = kind.partition("charset=")[2] or "utf-8"
    page = f"<p>{content}</p>" if "html" in kind else content
    assert content in fetched(server.page("/", page.encode(charset), kind)).text


def test_an_encoding_that_only_the_page_names_counts(server: Server) -> None:
    page = '<meta charset="windows-1251"><title>Письмо</title><p>Привет из Москвы'
    seen = fetched(server.page("/", page.encode("windows-1251"), "text/html"))
    assert seen.data["title"] == "Письмо"
    assert "Привет из Москвы" in seen.text


def test_an_encoding_that_nobody_knows_does_not_matter(server: Server) -> None:
    assert "Grüße" in fetched(server.page("/", "<p>Grüße", "text/html; charset=klingon")).text


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "application/problem+json; charset=utf-8", None])
def test_plain_text_and_json_come_as_they_are(server: Server, kind: str | None) -> None:
    text = '{"a": [1, 2],\n  "b": "<p>ü</p>"}\n'
    seen = fetched(server.page("/data", text, kind))
    assert seen.text == f"{server.url}/data\n\n{text}"
    assert seen.data == {"title": "", "url": f"{server.url}/data", "links": []}


@pytest.mark.parametrize(
    ("kind", "content"),
    [("application/pdf", b"%PDF-1.7"), ("image/png", b"\x89PNG"), ("application/octet-stream", b"x")],
)
def test_what_is_no_text_is_said_so_by_its_kind(server: Server, kind: str, content: bytes) -> None:
    code, message, hints = failure(fetched(server.page("/file", content, kind)))
    assert code == "TOOL_ERROR"
    assert kind in message
    assert "open_app" in hints


@pytest.mark.parametrize("kind", ["text/plain", "text/html", None])
def test_bytes_that_only_claim_to_be_text_are_not_given_as_text(server: Server, kind: str | None) -> None:
    code, message, _ = failure(fetched(server.page("/file", b"\x7fELF\x02\0\0\0", kind)))
    assert code == "TOOL_ERROR"
    assert "it is not text" in message


@pytest.mark.parametrize("content", ["", "  ", "<html><body></body></html>", "<script>draw()</script>"])
def test_a_page_without_text_is_an_error_not_an_empty_answer(server: Server, content: str) -> None:
    code, message, _ = failure(fetched(server.page("/empty", content)))
    assert code == "TOOL_ERROR"
    assert "has no text" in message


def test_a_compressed_page_is_unpacked(server: Server) -> None:
    headers = {"Content-Type": "text/html", "Content-Encoding": "gzip"}
    server.answers["/"] = (200, headers, gzip.compress(STORY.encode()))
    assert "ninety-six" in fetched(server.url + "/").text


def test_a_page_that_is_too_large_is_refused_even_compressed(server: Server) -> None:
    headers = {"Content-Type": "text/plain", "Content-Encoding": "gzip"}
    server.answers["/bomb"] = (200, headers, gzip.compress(b"a" * (MAX_BYTES + 1)))
    code, message, _ = failure(fetched(server.url + "/bomb"))
    assert code == "TOOL_ERROR"
    assert f"{MAX_BYTES:,} bytes" in message


def test_redirects_are_followed_and_the_final_address_is_told(server: Server) -> None:
    server.answers["/old"] = (302, {"Location": "/newer"}, b"")
    server.answers["/newer"] = (301, {"Location": server.page("/new", STORY)}, b"")
    seen = fetched(server.url + "/old")
    assert seen.data["url"] == f"{server.url}/new"
    assert f"{server.url}/new" in seen.text


def test_a_redirect_to_another_site_is_told_and_not_followed(server: Server) -> None:
    """What may be fetched is decided by the site that a call names."""
    target = server.page("/inside", STORY).replace("127.0.0.1", "localhost")
    server.answers["/"] = (302, {"Location": target}, b"")
    code, message, hints = failure(fetched(server.url + "/"))
    assert code == "TOOL_ERROR"
    assert message == f"{server.url}/ leads to {target}, which is another site."
    assert "Fetch that address" in hints
    assert [path for path, *_ in server.asked] == ["/"]
    assert "ninety-six" in fetched(target).text


def test_redirects_in_a_circle_come_to_an_end(server: Server) -> None:
    server.answers["/round"] = (302, {"Location": "/round"}, b"")
    code, message, _ = failure(fetched(server.url + "/round"))
    assert code == "TOOL_ERROR"
    assert "redirects more than" in message
    assert len(server.asked) < 10


@pytest.mark.parametrize("target", ["file:///etc/hostname", "ftp://127.0.0.1/x", "gopher://127.0.0.1/"])
def test_a_redirect_to_another_scheme_is_not_followed(server: Server, target: str) -> None:
    server.answers["/"] = (302, {"Location": target}, b"")
    code, message, _ = failure(fetched(server.url + "/"))
    assert code == "INVALID_ARGS"
    assert target.partition(":")[0] in message


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://example.org/", "example.org/page", "javascript:alert(1)", "http://", "https:", "x"],
)
def test_only_http_and_https_addresses_are_fetched(url: str) -> None:
    code, _, hints = failure(fetched(url))
    assert code == "INVALID_ARGS"
    assert "https://" in hints


@pytest.mark.parametrize("url", ["http://[::1", "http://a b/", "http://\x00/", "http://example.org:99999/"])
def test_an_address_that_is_none_is_told_as_one(url: str) -> None:
    assert failure(fetched(url))[0] in {"INVALID_ARGS", "NETWORK_ERROR"}


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (404, "FILE_NOT_FOUND"),
        (410, "FILE_NOT_FOUND"),
        (401, "PERMISSION_DENIED"),
        (403, "PERMISSION_DENIED"),
        (429, "NETWORK_ERROR"),
        (503, "NETWORK_ERROR"),
        (418, "TOOL_ERROR"),
        (304, "TOOL_ERROR"),
    ],
)
def test_a_status_is_an_error_with_its_number(server: Server, status: int, code: str) -> None:
    server.answers["/"] = (status, {"Content-Type": "text/html"}, b"")
    found, message, hints = failure(fetched(server.url + "/"))
    assert found == code
    assert str(status) in message
    assert hints


def test_a_server_in_trouble_is_asked_again(server: Server) -> None:
    answers = iter([(503, {}, b""), (200, {"Content-Type": "text/plain"}, b"here at last")])
    server.answers["/"] = lambda _: next(answers)
    assert "here at last" in fetched(server.url + "/").text
    assert len(server.asked) == 2


def test_no_server_and_no_name_are_network_errors() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/"
        assert failure(fetched(url))[0] == "NETWORK_ERROR"
    code, message, hints = failure(fetched("http://no-such-host.invalid/"))
    assert code == "NETWORK_ERROR"
    assert "no-such-host.invalid" in message
    assert "Check the address" in hints


def test_a_page_that_never_ends_is_felt_by_a_stop(server: Server) -> None:
    control, begun, gone = Control(), threading.Event(), threading.Event()

    def endless(handler: Handler) -> Answer:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        begun.set()
        try:
            while not gone.wait(0.02):
                handler.wfile.write(b"and on ")
        except OSError:
            gone.set()
        return 200, {}, b""

    server.answers["/"] = endless

    def stop() -> None:
        begun.wait(60)
        control.stop()

    stopper = threading.Thread(target=stop)
    stopper.start()
    with pytest.raises(Halt):
        called(Web(control, private=True), "fetch_page", control, url=server.url + "/")
    assert gone.wait(60), "the download went on after the stop"
    stopper.join()


def test_the_certificate_is_checked_against_the_host_name(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = certificate(tmp_path, "localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    server.socket = tls(tmp_path).wrap_socket(server.socket, server_side=True)
    server.page("/", "<p>Safely here")
    assert "Safely here" in fetched(f"https://localhost:{server.server_port}/").text
    assert server.asked[0][1]["Host"] == f"localhost:{server.server_port}"
    code, message, _ = failure(fetched(f"https://127.0.0.1:{server.server_port}/"))
    assert code == "NETWORK_ERROR"
    assert "certificate" in message.lower()


# The local network


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.1", "0.0.0.0", "10.0.0.1", "192.168.1.1"),
        *("169.254.169.254", "100.64.0.1", "224.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[fe80::1]", "[fd00::1]"),
    ],
)
def test_a_page_of_the_local_network_is_not_fetched(server: Server, host: str) -> None:
    observation = called(Web(Control()), "fetch_page", url=f"http://{host}:{server.server_port}/")
    code, message, hints = failure(observation)
    assert code == "DENIED"
    assert "local network" in message
    assert "browser" in hints
    assert not server.asked


@pytest.mark.parametrize(
    "address",
    ["64:ff9b::7f00:1", "2002:7f00:1::", "::ffff:10.0.0.1", "::", "fe80::1%1", "ff02::1", "255.255.255.255"],
)
def test_an_address_inside_another_is_seen_for_what_it_is(address: str) -> None:
    assert not public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert public(address)


INSIDE: Final = """
import subprocess, sys, threading, http.server
subprocess.run("ip link set lo up && ip addr add 198.41.0.4/32 dev lo", shell=True, check=True)
from toolbelt.control import Control
from toolbelt.tools.web import Web
from world_model import ToolFailure

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        inside = self.path == "/inside"
        self.send_response(302 if inside else 200)
        self.send_header("Location", "http://127.0.0.1:8000/secret")
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        self.wfile.write(b"" if inside else f"This is {self.path}".encode())
        print("asked", self.path, flush=True)
    def log_message(self, *_): pass

server = http.server.ThreadingHTTPServer(("", 8000), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
web = Web(Control())
print(web.fetch_page("http://198.41.0.4:8000/open").text)
try:
    print(web.fetch_page("http://198.41.0.4:8000/inside").text)
except ToolFailure as error:
    print(error.code, error.message)
"""


@pytest.mark.usefixtures("processes")
def test_a_public_page_cannot_lead_into_the_local_network() -> None:
    """In a network of its own, a public address lies on this machine."""
    alone = ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*alone, "ip", "addr"], capture_output=True, check=False).returncode:
        pytest.skip("needs `unshare` with user namespaces, and `ip`")
    ran = subprocess.run(
        [*alone, sys.executable, "-c", INSIDE], cwd=ROOT, capture_output=True, text=True, check=False, timeout=250
    )
    assert ran.returncode == 0, ran.stderr
    assert "This is /open" in ran.stdout
    assert "asked /inside" in ran.stdout
    assert "TOOL_ERROR http://198.41.0.4:8000/inside leads to http://127.0.0.1:8000/secret" in ran.stdout
    assert "asked /secret" not in ran.stdout


# Tavily


def tavily(server: Server, key: str = KEY, **args: Any) -> Observation:
    return called(Web(Control(), key, tavily_url=server.url), "search_web", **{"query": "lighthouse", **args})


def test_with_a_key_tavily_is_asked(server: Server) -> None:
    found = [{"title": "Bell Rock", "url": "https://bellrock.example/", "content": "Built in 1810.", "score": 0.9}]
    server.page("/search", json.dumps({"query": "lighthouse", "results": found}), "application/json")
    seen = tavily(server, max_results=3)
    assert seen.data == [{"title": "Bell Rock", "url": "https://bellrock.example/", "text": "Built in 1810."}]
    assert seen.text == "1. Bell Rock\nhttps://bellrock.example/\nBuilt in 1810."
    [(_, headers, body)] = server.asked
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert json.loads(body) == {"query": "lighthouse", "max_results": 3}


def test_nothing_found_is_said_in_words(server: Server) -> None:
    server.page("/search", '{"results": []}', "application/json")
    seen = tavily(server)
    assert seen.ok
    assert seen.data == []
    assert "Nothing was found for 'lighthouse'" in seen.text


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "PERMISSION_DENIED"),
        (403, "PERMISSION_DENIED"),
        (429, "NETWORK_ERROR"),
        (432, "NETWORK_ERROR"),
        (433, "NETWORK_ERROR"),
        (400, "INVALID_ARGS"),
        (500, "NETWORK_ERROR"),
    ],
)
def test_what_tavily_refuses_has_a_code_and_its_own_words(server: Server, status: int, code: str) -> None:
    body = json.dumps({"detail": {"error": "These are the service's words."}}).encode()
    server.answers["/search"] = (status, {"Content-Type": "application/json"}, body)
    found, message, hints = failure(tavily(server))
    assert found == code
    assert "the service's words" in message
    assert hints
    assert KEY not in message + hints


@pytest.mark.parametrize("content", ["<html>a login page</html>", "[]", '{"results": [{"title": "x"}]}', "{}"])
def test_what_is_no_answer_of_tavily_is_none(server: Server, content: str) -> None:
    server.page("/search", content, "application/json")
    code, message, _ = failure(tavily(server))
    assert code == "NETWORK_ERROR"
    assert "is not one of Tavily" in message


def test_without_a_network_tavily_is_a_network_error() -> None:
    web = Web(Control(), KEY, tavily_url="http://no-such-host.invalid")
    code, message, hints = failure(called(web, "search_web", query="lighthouse"))
    assert code == "NETWORK_ERROR"
    assert "cannot be reached" in message
    assert "network" in hints


@pytest.mark.parametrize("key", ["tvly-ключ", "tvly-a\nb"])
def test_a_key_that_cannot_be_one_is_refused_and_not_quoted(key: str) -> None:
    with pytest.raises(UsageError) as refused:
        Web(Control(), key)
    assert key not in str(refused.value)


@pytest.mark.parametrize("args", [{"query": ""}, {"query": "x", "max_results": 0}, {"query": "x", "max_results": 21}])
def test_arguments_that_make_no_search_are_refused(args: dict[str, Any]) -> None:
    assert failure(called(Web(Control()), "search_web", **args))[0] == "INVALID_ARGS"


# Search engines, through ddgs: a proxy that ends the encryption itself speaks for all of them

HITS: Final = """<html><body>{}</body></html>"""
HIT: Final = """<div class="result__body"><h2>{title}</h2><a href="{url}">{text}</a></div>"""


class Engines(socketserver.StreamRequestHandler):
    """`CONNECT`, then TLS with our certificate, then one answer: that of DuckDuckGo, or nothing from the others."""

    server: "Proxy"

    def handle(self) -> None:
        host = self.rfile.readline().split()[1].decode().partition(":")[0]
        while self.rfile.readline().strip():
            pass
        if self.server.closed:
            return
        self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with self.server.tls.wrap_socket(self.connection, server_side=True) as stream:
            answering = Answering(stream, self.client_address, self.server)
            self.server.hosts.append((host, answering.asked))


class Answering(http.server.BaseHTTPRequestHandler):
    server: "Proxy"
    asked = ""

    def do_GET(self) -> None:
        self.asked = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        known = "duckduckgo" in self.headers.get("Host", "")
        content = self.server.found.encode() if known else b"<p>Not so often.</p>"
        self.send_response(200 if known else 429)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET  # noqa: N815 - the name is the library's

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Proxy(Server):
    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__(Engines)
        self.tls = context
        self.found = ""
        self.closed = False
        self.hosts: list[tuple[str, str]] = []


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    names = ["wikipedia.org", "duckduckgo.com", "grokipedia.com", "bing.com", "brave.com", "google.com", "mojeek.com"]
    names += ["yahoo.com", "yandex.com", "startpage.com"]
    authority = certificate(tmp_path, *names, *(f"*.{name}" for name in names), "*.search.yahoo.com")
    monkeypatch.setenv("PRIMP_CA_BUNDLE", str(authority))
    for proxy in running(Proxy(tls(tmp_path))):
        monkeypatch.setenv("DDGS_PROXY", proxy.url)
        assert isinstance(proxy, Proxy)
        yield proxy


def test_without_a_key_search_engines_are_asked(engines: Proxy) -> None:
    hits = [{"title": f"Lighthouse {n}", "url": f"https://l{n}.example/", "text": f"Built in 18{n}0"} for n in range(4)]
    engines.found = HITS.format("".join(HIT.format(**hit) for hit in hits))
    seen = called(Web(Control()), "search_web", query="the lighthouse & the sea", max_results=3)
    assert seen.ok, seen.error
    assert len(seen.data) == 3
    assert all(one in hits for one in seen.data)
    assert seen.data[0]["title"] in seen.text
    asked = [parse_qs(body) for host, body in engines.hosts if host == "html.duckduckgo.com"]
    assert asked[0]["q"] == ["the lighthouse & the sea"]


def test_engines_that_find_nothing_are_an_empty_list_in_words(engines: Proxy) -> None:
    engines.found = HITS.format("<p>No results.</p>")
    seen = called(Web(Control()), "search_web", query="lighthouse")
    assert seen.ok, seen.error
    assert seen.data == []
    assert "Nothing was found" in seen.text
    assert "too often" in seen.text


def test_engines_that_cannot_be_reached_are_a_network_error(engines: Proxy) -> None:
    engines.closed = True
    code, message, hints = failure(called(Web(Control()), "search_web", query="lighthouse"))
    assert code == "NETWORK_ERROR"
    assert "cannot be searched" in message
    assert "network" in hints


# Certificates


def certificate(folder: Path, *names: str) -> Path:
    """An authority that only the test trusts, and a certificate of its for these names; the authority's file."""
    authority, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "An authority of the test")])
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    now = dt.datetime.now(dt.UTC)

    def signed(name: x509.Name, public_key: ec.EllipticCurvePublicKey, *extensions: x509.ExtensionType) -> bytes:
        builder = (
            x509.CertificateBuilder(issuer, name, public_key, x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        )
        for extension in extensions:
            builder = builder.add_extension(extension, critical=True)
        return builder.sign(authority, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    alternatives = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
    pem, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, pem, plain)
    (folder / "server.pem").write_bytes(private + signed(subject, key.public_key(), alternatives))
    # Python 3.13 demands what the standard does: an authority says that it may sign certificates.
    others = "digital_signature content_commitment key_encipherment data_encipherment key_agreement"
    never = dict.fromkeys((*others.split(), "encipher_only", "decipher_only"), False)
    usage = x509.KeyUsage(**never, key_cert_sign=True, crl_sign=True)
    constraints = x509.BasicConstraints(ca=True, path_length=0)
    (folder / "authority.pem").write_bytes(signed(issuer, authority.public_key(), constraints, usage))
    return folder / "authority.pem"


def tls(folder: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    return context
