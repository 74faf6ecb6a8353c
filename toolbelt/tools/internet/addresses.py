"""The one parser of the addresses that are fetched: whoever decides about a site asks here which one it would be."""

from toolbelt.extras import are_installed


def site_of(url: str) -> str:
    """Return the host that `fetch` would contact for an address; an empty text if it would contact none."""
    if not are_installed("httpx2"):
        return ""
    import httpx2  # noqa: PLC0415 - slow to import, seldom needed

    try:
        return httpx2.URL(url).host.rstrip(".").casefold()
    except (httpx2.InvalidURL, ValueError):
        return ""
