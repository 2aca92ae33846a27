"""Receivers that send a delivery elsewhere. Each address is checked as the first one was."""

from urllib.parse import urljoin, urlsplit

import msgspec

from ingot.kit.outbound import OutboundFailed
from ingot.kit.outbound.client import Reply

MOST = 5
# These ask for the same request at the other address; after the others, the other address is only read.
_SAME_REQUEST = {307, 308}
_OTHERS = {301, 302, 303}


class Step(msgspec.Struct, frozen=True):
    """One request of a delivery."""

    url: str
    headers: dict[str, str]
    method: str = "POST"


def onward(step: Step, reply: Reply, plain: dict[str, str]) -> Step | None:
    """Where the receiver sends the delivery; None for an answer. Another server gets the `plain` headers only."""
    location = reply.headers.get("Location")
    if not location or reply.status not in _SAME_REQUEST | _OTHERS:
        return None
    try:
        url = urljoin(step.url, location)
        same_place = _origin(url) == _origin(step.url)
    except ValueError:
        raise OutboundFailed("the receiver sends the delivery to what is no address") from None
    headers = step.headers if same_place else plain
    if reply.status in _SAME_REQUEST:
        return Step(url, headers, step.method)
    return Step(url, {name: value for name, value in headers.items() if name.lower() != "content-type"}, "GET")


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port
