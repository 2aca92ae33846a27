"""Where a request came from, as its browser says."""

from urllib.parse import urlsplit

from starlette.requests import Request

from ingot.kit import wire


def is_from_here(request: Request, base_url: str) -> bool:
    """The browser says that a page of this server sent it; one that says nothing is judged by its token alone."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin", "null")
    if origin == "null":  # what browsers send from pages that keep their address to themselves
        return True
    return _is_ours(request, origin, base_url)


def is_surely_from_here(request: Request, base_url: str) -> bool:
    """The browser says so in words: enough to show a form again without its token, but not to do what it says."""
    site = request.headers.get("sec-fetch-site")
    return site == "same-origin" if site is not None else _is_ours(request, request.headers.get("origin", ""), base_url)


def _is_ours(request: Request, origin: str, base_url: str) -> bool:
    return urlsplit(origin).netloc in {urlsplit(base_url).netloc, urlsplit(wire.base_url(request)).netloc}
