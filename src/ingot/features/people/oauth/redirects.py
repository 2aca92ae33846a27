"""Redirect URIs: which may be registered, which of them a request may name, and addresses with an answer added."""

from urllib.parse import urlencode, urlsplit, urlunsplit

from ingot.kit.patterns import ALPHANUMERIC, consists_of

FORBIDDEN = frozenset({"javascript", "data", "vbscript"})
OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"
# A native application listens on a port that it gets when it starts (RFC 8252).
LOOPBACK = frozenset({"127.0.0.1", "[::1]", "localhost"})
LONGEST = 2000
_SCHEME = ALPHANUMERIC + "+.-"
_HOST = ALPHANUMERIC + ".-:[]_"


def problems_of(text: str) -> list[str]:
    """What is wrong with the redirect URIs of an application, one on each line."""
    result = []
    for uri in text.split():
        if uri == OUT_OF_BAND:
            continue
        try:
            parts = urlsplit(uri)
            _ = parts.port
        except ValueError:
            result.append("must be an absolute URI.")
            continue
        if parts.scheme.lower() in FORBIDDEN:
            result.append("is forbidden by the server.")
        elif not parts.scheme or not _is_plain(uri) or (parts.scheme in ("http", "https") and not parts.hostname):
            result.append("must be an absolute URI.")
        elif parts.fragment or uri.endswith("#"):
            result.append("cannot contain a fragment.")
    return list(dict.fromkeys(result))


def is_registered(uri: str, registered: str) -> bool:
    """Exactly one of the registered URIs; only a loopback address may come with another port."""
    if not _is_plain(uri):
        return False
    return any(uri == known or _is_same_loopback(uri, known) for known in registered.split())


def _is_plain(uri: str) -> bool:
    return len(uri) <= LONGEST and uri.isascii() and uri.isprintable() and not set(uri) & set(" \\<>\"'`{}|^")


def _is_same_loopback(uri: str, known: str) -> bool:
    try:
        one, other = urlsplit(uri), urlsplit(known)
        ports = one.port, other.port
    except ValueError:
        return False
    if one.scheme != "http" or other.scheme != "http" or None in ports:
        return False
    hosts = one.netloc.rpartition(":")[0], other.netloc.rpartition(":")[0]
    return hosts[0] == hosts[1] and hosts[0] in LOOPBACK and one._replace(netloc="") == other._replace(netloc="")


def with_answer(uri: str, mode: str, **values: str | None) -> str:
    """The URI with the values added, in its query or its fragment."""
    added = urlencode({name: value for name, value in values.items() if value is not None})
    parts = urlsplit(uri)
    if mode == "fragment":
        return urlunsplit(parts._replace(fragment=added))
    return urlunsplit(parts._replace(query=f"{parts.query}&{added}" if parts.query else added))


def origin_of(uri: str) -> str:
    """What a content security policy calls the place of the URI; empty for one that it cannot name."""
    parts = urlsplit(uri)
    if parts.scheme not in ("http", "https"):
        return f"{parts.scheme}:" if consists_of(parts.scheme, _SCHEME) else ""
    return f"{parts.scheme}://{parts.netloc}" if consists_of(parts.netloc, _HOST) else ""
