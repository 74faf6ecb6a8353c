"""How the web is searched: through Tavily with a key, through public search engines without one."""

from typing import Any, Final

import httpx2
from ddgs import DDGS
from ddgs.exceptions import DDGSException

from world_model import ToolFailure

SECONDS: Final = 15.0  # for one answer of Tavily
QUOTED: Final = 200  # characters of what somebody else said went wrong
REFUSED_KEY: Final = (401, 403)
LIMITED: Final = (429, 432, 433)  # too many requests at once, in the plan, in what is paid beside it
LATER: Final = "Wait a while, or go on with what is known already."
NO_NETWORK: Final = "Check the network, try again later, or go on without the web."


def by_engines(query: str, most: int) -> list[dict[str, str]]:
    """What several search engines find together, none of them asked for a key.

    Raises:
        ToolFailure: `NETWORK_ERROR`: nothing came, and at least one engine could not be used.
    """
    try:
        found = DDGS().text(query, max_results=most)
    except DDGSException as error:
        reason = error.args[0]
        if not isinstance(reason, Exception):  # ddgs says so in words of its own where each engine answered
            return []
        raise ToolFailure("NETWORK_ERROR", f"The web cannot be searched: {_cut(str(reason))}", [NO_NETWORK]) from error
    return [{"title": one["title"], "url": one["href"], "text": one["body"]} for one in found]


def by_tavily(account: tuple[str, str], query: str, most: int) -> list[dict[str, str]]:
    """What Tavily finds; the account is a key and the address of the service.

    Raises:
        ToolFailure: `NETWORK_ERROR` where another try may help, otherwise what is wrong with the key or the query.
    """
    key, base = account
    try:
        answer = httpx2.post(
            f"{base.rstrip('/')}/search",
            json={"query": query, "max_results": most},
            headers={"Authorization": f"Bearer {key}"},
            timeout=SECONDS,
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
        told = f"What came from {base} is no answer of Tavily: {_cut(answer.text)}"
        raise ToolFailure("NETWORK_ERROR", told, [LATER]) from error


def _refusal(answer: httpx2.Response) -> ToolFailure:
    said = f" It says: {_cut(_said(answer))}"
    if answer.status_code in REFUSED_KEY:
        return ToolFailure("PERMISSION_DENIED", f"Tavily refused the key.{said}", ["Go on without the web."])
    if answer.status_code in LIMITED:
        return ToolFailure("NETWORK_ERROR", f"Tavily takes no more requests for now.{said}", [LATER])
    if answer.is_client_error:
        return ToolFailure("INVALID_ARGS", f"Tavily cannot search for that.{said}", ["Word the query differently."])
    return ToolFailure("NETWORK_ERROR", f"Tavily has trouble of its own: {answer.status_code}.{said}", [LATER])


def _said(answer: httpx2.Response) -> str:
    """The service's own words."""
    try:
        told: Any = answer.json()["detail"]["error"]
    except (ValueError, KeyError, TypeError):
        return answer.text
    return str(told)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"
