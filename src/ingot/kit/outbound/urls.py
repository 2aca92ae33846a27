"""What an outgoing URL may look like, before any name is resolved."""

import socket
from urllib.parse import quote

import msgspec
from yarl import URL

from ingot.kit.outbound.errors import UrlRefused
from ingot.kit.patterns import pattern

_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
_CONTROL = pattern(r"[\x00-\x20\x7f]")
# A name in ASCII, or an IPv6 address. `%` is missing: some programs decode it, others take it for a network zone.
_HOST = pattern(r"[A-Za-z0-9][A-Za-z0-9._-]*|[0-9A-Fa-f:.]+")


class Rules(msgspec.Struct, frozen=True):
    """What a call may reach, as the administrator configured it.

    `allow_local` opens local addresses and plain http; `allowed` opens single hosts, addresses or networks, each with
    an optional port: `mirror.example`, `10.1.2.3:8443`, `10.1.0.0/16`, `[fd00::1]:443`. `deny_others` closes the rest.
    While the instance `is_silent`, others are read but nothing is sent to them.
    """

    allow_local: bool = False
    schemes: tuple[str, ...] = ("https",)
    allowed: tuple[str, ...] = ()
    deny_others: bool = False
    is_silent: bool = False

    @property
    def permitted_schemes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.schemes, "http"))) if self.allow_local else self.schemes


def check_syntax(url: str, rules: Rules) -> URL:
    """The parsed URL; raises `UrlRefused`. This very object is dialled, so no second parser can read it differently.

    Its text is ASCII: international names are spelled as a name server knows them. Store that text, not what was sent.
    """
    if _CONTROL.search(url):
        raise UrlRefused("URI is invalid")
    try:
        parsed = URL(url)
        port = parsed.port
    except ValueError:
        raise UrlRefused("URI is invalid") from None
    if parsed.scheme not in rules.permitted_schemes:
        raise UrlRefused(f"Only allowed schemes are {', '.join(sorted(rules.permitted_schemes))}")
    host = parsed.raw_host
    if not host or not port:
        raise UrlRefused("URI is invalid")
    if len(host) > 1024:
        raise UrlRefused("Host is too long (maximum is 1024 characters)")
    if not _HOST.fullmatch(host):
        raise UrlRefused("Hostname or IP address invalid")
    return _as_written(_with_plain_address(parsed, host), url)


def _as_written(parsed: URL, url: str) -> URL:
    """Path and query byte for byte: `%2F` and `/` are equal to a parser, but not in a signed text."""
    rest = url.partition("://")[2]
    start = min((rest.index(mark) for mark in "/?#" if mark in rest), default=len(rest))
    target = quote(rest[start:].partition("#")[0], safe=_PRINTABLE, errors="replace")
    path, _, query = target.partition("?")
    return URL.build(
        scheme=parsed.scheme, authority=parsed.raw_authority, path=path or "/", query_string=query, encoded=True
    )


def _with_plain_address(parsed: URL, host: str) -> URL:
    """Old spellings of IPv4 addresses (`127.1`, `0x7f000001`) in the usual one, as every resolver would read them."""
    try:
        address = socket.inet_ntoa(socket.inet_aton(host.rstrip(".")))
    except (OSError, UnicodeError):
        return parsed
    return parsed.with_host(address)


def without_secrets(url: str) -> str:
    """The URL as it may be shown: without user, password, query and fragment, which may hold secrets."""
    try:
        return str(URL(url).with_user(None).with_query(None).with_fragment(None))
    except ValueError:
        return "[FILTERED]"
