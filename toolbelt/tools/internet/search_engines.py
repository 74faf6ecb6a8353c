"""Searches the web: through Tavily with a key, through public search engines without one."""

from typing import Any, Final

import httpx2
from ddgs import DDGS
from ddgs.exceptions import DDGSException

from world_model import ToolFailure

TIMEOUT_S: Final = 15.0  # for an answer of Tavily
MAX_QUOTE_CHARS: Final = 200  # of an error message of a service
REFUSED_KEY: Final = (401, 403)
LIMITED: Final = (429, 432, 433)  # too many requests at once, in the plan, or beyond the plan
LATER: Final = "Wait a while, or continue with what is already known."
NO_NETWORK: Final = "Check the network, try again later, or continue without the web."


def by_engines(query: str, most: int) -> list[dict[str, str]]:
    """Search several engines together, without a key.

    Raises:
        ToolFailure: `NETWORK_ERROR`: there is no result, and at least one engine failed.
    """
    try:
        found = DDGS().text(query, max_results=most)
    except DDGSException as error:
        reason = error.args[0]
        if not isinstance(reason, Exception):  # a plain text if each engine answered
            return []
        raise ToolFailure("NETWORK_ERROR", f"The web cannot be searched: {_cut(str(reason))}", [NO_NETWORK]) from error
    return [{"title": one["title"], "url": one["href"], "text": one["body"]} for one in found]


def by_tavily(account: tuple[str, str], query: str, most: int) -> list[dict[str, str]]:
    """Search with Tavily; the account is a key and the address of the service.

    Raises:
        ToolFailure: `NETWORK_ERROR` if another try may help, otherwise what is wrong with the key or the query.
    """
    key, base = account
    try:
        answer = httpx2.post(
            f"{base.rstrip('/')}/search",
            json={"query": query, "max_results": most},
            headers={"Authorization": f"Bearer {key}"},
            timeout=TIMEOUT_S,
        )
    except httpx2.RequestError as error:
        told = f"Tavily cannot be reached: {_cut(str(error) or type(error).__name__)}."
        raise ToolFailure("NETWORK_ERROR", told, [NO_NETWORK]) from error
    if not answer.is_success:
        raise _refusal(answer)
    try:
        return [
            {"title": str(one["title"]), "url": str(one["url"]), "text": str(one["content"])}
            for one in answer.json()["results"]
        ]
    except (ValueError, KeyError, TypeError) as error:
        told = f"The answer from {base} is not one of Tavily: {_cut(answer.text)}"
        raise ToolFailure("NETWORK_ERROR", told, [LATER]) from error


def _refusal(answer: httpx2.Response) -> ToolFailure:
    said = f" It says: {_cut(_said(answer))}"
    if answer.status_code in REFUSED_KEY:
        return ToolFailure("PERMISSION_DENIED", f"Tavily refused the key.{said}", ["Continue without the web."])
    if answer.status_code in LIMITED:
        return ToolFailure("NETWORK_ERROR", f"Tavily accepts no requests at the moment.{said}", [LATER])
    if answer.is_client_error:
        return ToolFailure("INVALID_ARGS", f"Tavily cannot search for that.{said}", ["Word the query differently."])
    return ToolFailure("NETWORK_ERROR", f"Tavily has a problem: {answer.status_code}.{said}", [LATER])


def _said(answer: httpx2.Response) -> str:
    """Return the message of the service."""
    try:
        told: Any = answer.json()["detail"]["error"]
    except (ValueError, KeyError, TypeError):
        return answer.text
    return str(told)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_QUOTE_CHARS else text[: MAX_QUOTE_CHARS - 1] + "…"
