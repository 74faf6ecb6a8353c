"""Fetches a web page and extracts its text.

An address is checked after its name was resolved, again for each redirect, and the connection goes to exactly that
address, so that a name that resolves differently a moment later gains nothing. Therefore no proxy is used.

Not supported: pages built by scripts, forms, cookies, logins.
"""

import codecs
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

import httpx2
from lxml import etree, html
from trafilatura import extract, html2txt

from toolbelt.control import Control
from world_model import ToolFailure

MAX_REDIRECTS: Final = 5
TIMEOUT_S: Final = 15.0  # to connect, and between two chunks of a page
MAX_BYTES: Final = 5_000_000  # of a page
MARKUP: Final = ("text/html", "application/xhtml+xml")
TEXTS: Final = ("application/json", "application/xml", "application/javascript", "application/yaml")
HEADERS: Final = {"User-Agent": "mark-i", "Accept": "text/html, text/*, application/json, */*;q=0.1"}
NAT64: Final = IPv6Network("64:ff9b::/96")  # RFC 6052: it ends with an IPv4 address
BROWSER: Final = "Open it in a browser with open_app."
LATER: Final = "Check the address, try again later, or continue without it."
GONE: Final = (404, 410)
FORBIDDEN: Final = (401, 403)
BUSY: Final = (408, 425, 429)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as text.

    Attributes:
        url: its address after redirects.
        links: `{text, url}` of each link, in order.
    """

    url: str
    title: str
    text: str
    links: tuple[dict[str, str], ...] = ()


class _Guarded(httpx2.BaseTransport):
    """Connects to one site, and only to public addresses unless `private`; redirects pass through here too."""

    def __init__(self, *, private: bool) -> None:
        self._private = private
        self._first: httpx2.URL | None = None
        # A connection is only for the name that it was made for, so none is reused.
        self._inner = httpx2.HTTPTransport(limits=httpx2.Limits(max_keepalive_connections=0))

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send the request to one of the allowed addresses."""
        if request.url.scheme not in {"http", "https"} or not request.url.host:
            hint = "Write the whole address, such as https://example.org/page. A file is for read_file."
            raise ToolFailure("INVALID_ARGS", f"{request.url} is not the address of a web page.", [hint], ["read_file"])
        self._first = self._first or request.url
        if _site(request.url) != _site(self._first):  # the guard has to decide about that site
            told = f"{self._first} leads to {request.url}, which is another site."
            raise ToolFailure("TOOL_ERROR", told, ["Fetch that address, if it is of use."])
        *others, last = self._addresses(request.url)
        for address in others:
            try:
                return self._inner.handle_request(_to(address, request))
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return self._inner.handle_request(_to(last, request))

    def close(self) -> None:
        self._inner.close()

    def _addresses(self, url: httpx2.URL) -> list[str]:
        """Resolve the host name."""
        host = url.raw_host.decode("ascii")
        try:
            found = socket.getaddrinfo(host, url.port or url.scheme, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise ToolFailure("NETWORK_ERROR", f"{host} cannot be reached: {error}.", [LATER]) from error
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        inside = None if self._private else next((one for one in addresses if not public(one)), None)
        if inside:
            told = f"{host} is {inside}, on this machine or in the local network. Pages there are not fetched."
            raise ToolFailure("DENIED", told, [f"If the user wants it: {BROWSER}"], ["open_app"])
        return addresses


def _site(url: httpx2.URL) -> str:
    """Return what identifies a site, without scheme, port and `www.`."""
    return url.host.removeprefix("www.")


def public(address: str) -> bool:
    """Whether an address is on the public internet, even if it wraps another one."""
    inner = _unwrapped(ip_address(address))
    return inner.is_global and not inner.is_multicast


def _unwrapped(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def _to(address: str, request: httpx2.Request) -> httpx2.Request:
    """Return the request with that address; `Host` and the certificate name stay those of the page."""
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.raw_host.decode("ascii")},
    )


def fetch(url: str, control: Control, *, private: bool) -> Page:
    """Fetch the page at that address.

    Raises:
        ToolFailure: it does not exist, cannot be reached, may not be fetched, or is not readable.
    """
    client = httpx2.Client(
        transport=_Guarded(private=private),
        trust_env=False,
        follow_redirects=True,
        max_redirects=MAX_REDIRECTS,
        timeout=TIMEOUT_S,
        headers=HEADERS,
    )
    try:
        with client, client.stream("GET", url) as response:
            return _page(response, control)
    except httpx2.InvalidURL as error:
        raise ToolFailure("INVALID_ARGS", f"{url} is not the address of a web page: {error}.") from error
    except httpx2.TooManyRedirects as error:
        raise ToolFailure(
            "TOOL_ERROR", f"{url} redirects more than {MAX_REDIRECTS} times.", [BROWSER], ["open_app"]
        ) from error
    except httpx2.RequestError as error:
        told = f"{url} cannot be fetched: {str(error) or type(error).__name__}."
        raise ToolFailure("NETWORK_ERROR", told, [LATER]) from error


def _page(response: httpx2.Response, control: Control) -> Page:
    _check(response)
    url, charset = str(response.url), _charset(response)
    kind = response.headers.get("Content-Type", "text/plain").partition(";")[0].strip().lower()
    if not (kind.startswith("text/") or kind in (*MARKUP, *TEXTS) or kind.endswith(("+json", "+xml"))):
        raise ToolFailure("TOOL_ERROR", f"{url} is not text but {kind}.", [BROWSER], ["open_app"])
    data = b"".join(_pieces(response, control))
    if b"\0" in data and not (charset or "").startswith(("utf-16", "utf-32")):
        raise ToolFailure("TOOL_ERROR", f"{url} claims to be {kind}, but it is not text.", [BROWSER], ["open_app"])
    if kind in MARKUP:
        return _readable(url, data, charset)
    return Page(url, "", data.decode(charset or "utf-8", "replace"))


def _check(response: httpx2.Response) -> None:
    status, url = response.status_code, response.url
    told = f"{url} was answered with {status} {response.reason_phrase}".rstrip() + "."
    if status in GONE:
        raise ToolFailure("FILE_NOT_FOUND", told, ["Search for the page with search_web."], ["search_web"])
    if status in FORBIDDEN:
        raise ToolFailure("PERMISSION_DENIED", told, [BROWSER], ["open_app"])
    if status in BUSY or response.is_server_error:
        raise ToolFailure("NETWORK_ERROR", told, [LATER])
    if not response.is_success:
        raise ToolFailure("TOOL_ERROR", told, [BROWSER], ["open_app"])


def _pieces(response: httpx2.Response, control: Control) -> Iterator[bytes]:
    size = 0
    for piece in response.iter_bytes():
        control.check()
        size += len(piece)
        if size > MAX_BYTES:
            told = f"{response.url} is larger than {MAX_BYTES:,} bytes, which is the most that is fetched."
            raise ToolFailure("TOOL_ERROR", told, [BROWSER], ["open_app"])
        yield piece


def _charset(response: httpx2.Response) -> str | None:
    """Return the encoding that the server names, by its Python name."""
    try:
        return codecs.lookup(response.charset_encoding or "").name
    except LookupError:
        return None


def _readable(url: str, data: bytes, charset: str | None) -> Page:
    """Extract title, links and text of HTML: the main text of the page, or all of it if that cannot be identified."""
    tree = _tree(data, charset)
    everything = "" if tree is None else html2txt(tree)
    if tree is None or not everything:
        raise ToolFailure(
            "TOOL_ERROR", f"{url} has no text that could be read without a browser.", [BROWSER], ["open_app"]
        )
    title = " ".join((tree.findtext(".//title") or "").split())
    text = extract(tree, url=url) or everything
    return Page(url, title, text, _links(tree, url))


def _tree(data: bytes, charset: str | None) -> html.HtmlElement | None:
    if not charset and not data.isascii() and _is_utf8(data):
        charset = "utf-8"
    if charset:
        data = data.decode(charset, "replace").encode()
    parser = html.HTMLParser(encoding="utf-8" if charset else None)  # None: as the page declares
    try:
        return html.document_fromstring(data, parser=parser)
    except etree.ParserError:  # it is empty
        return None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _links(tree: html.HtmlElement, url: str) -> tuple[dict[str, str], ...]:
    tree.make_links_absolute(url, handle_failures="ignore")
    found: dict[str, str] = {}
    for link in tree.iter("a"):
        target = link.get("href", "").strip()
        if target.startswith(("http://", "https://")):
            found[target] = found.get(target) or " ".join(link.text_content().split())
    return tuple({"text": text, "url": target} for target, text in found.items())
