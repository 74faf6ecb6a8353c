"""Searching the web and reading its pages."""

from functools import partial
from typing import Annotated, Final

from pydantic import Field

from toolbelt.control import Control
from toolbelt.extras import are_installed, not_installed
from toolbelt.parameters import Address, Query
from toolbelt.tool import ToolResult, tool
from world_model import ToolFailure, UsageError

TAVILY: Final = "https://api.tavily.com"


class Web:
    """Searches the web and fetches pages. It sends only what a tool was asked for.

    Args:
        control: a stop ends a download.
        tavily_key: with a key searches go through Tavily, without one to public search engines.
        tavily_url: the address of Tavily, or of a gateway to it.
        private: whether pages of this machine and the local network may be fetched too. A page can make the agent
            fetch others, so this opens the local network to strangers.

    Raises:
        UsageError: the key has characters that no key has.
    """

    def __init__(
        self, control: Control, tavily_key: str | None = None, *, tavily_url: str = TAVILY, private: bool = False
    ) -> None:
        key = (tavily_key or "").strip()
        if not (key.isascii() and key.isprintable()):  # the error of the HTTP client would quote it
            raise UsageError("The Tavily key has characters in it that no key has. Copy it again, or leave it out.")
        self._control = control
        self._tavily = (key, tavily_url) if key else None
        self._private = private

    @tool(risk="look", instead=["fetch_page"], finds_addresses=True)
    def search_web(
        self,
        query: Annotated[str, Field(min_length=1, description="What to search for."), Query],
        max_results: Annotated[int, Field(ge=1, le=20, description="How many pages at most.")] = 5,
    ) -> ToolResult:
        """Search the web.

        Returns title, address and some text of each page.
        """
        _require_packages()
        from toolbelt.tools.internet.search_engines import by_engines, by_tavily  # noqa: PLC0415 - slow to import, seldom needed

        search = partial(by_tavily, self._tavily) if self._tavily else by_engines
        found = search(query, max_results)
        if not found:
            told = f"Nothing was found for {query!r}. Try other words, or fewer. Where that does not help, wait: search"
            return ToolResult(f"{told} engines also answer with nothing to those who ask too often.", found)
        lines = [f"{number}. {one['title']}\n{one['url']}\n{one['text']}" for number, one in enumerate(found, 1)]
        return ToolResult("\n\n".join(lines), found)

    @tool(risk="look", instead=["search_web"])
    def fetch_page(self, url: Annotated[str, Field(min_length=1, description="Its address."), Address]) -> ToolResult:
        """Return the text of a web page."""
        _require_packages()
        from toolbelt.tools.internet.pages import fetch  # noqa: PLC0415 - slow to import, seldom needed

        page = fetch(url, self._control, private=self._private)
        head = f"{page.title}\n{page.url}" if page.title else page.url
        return ToolResult(f"{head}\n\n{page.text}", {"title": page.title, "url": page.url, "links": list(page.links)})


def _require_packages() -> None:
    if not are_installed("ddgs", "httpx2", "lxml", "trafilatura"):
        raise ToolFailure(
            "TOOL_ERROR", not_installed("Searching and reading the web", "web"), ["Continue without the web."]
        )
