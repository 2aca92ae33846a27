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
    allowed = {urlsplit(base_url).netloc, urlsplit(wire.base_url(request)).netloc}
    return urlsplit(origin).netloc in allowed
