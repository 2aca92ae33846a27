"""The administrator's list of local hosts that may be called anyway."""

from ipaddress import ip_address, ip_network

from yarl import URL

from ingot.kit.patterns import Match, pattern

_ENTRY = pattern(r"\[(?P<v6>[^\]]+)\](?::(?P<port6>\d+))?|(?P<host>[^:]+):(?P<port>\d+)|(?P<plain>.+)")


def is_allowed(entries: tuple[str, ...], target: str, port: int) -> bool:
    """Whether a host name or an address, with its port, is on the list."""
    return any(_matches(entry.strip(), target, port) for entry in entries)


def names_addresses(entries: tuple[str, ...]) -> bool:
    """Whether an entry is an address or a network: a name that is not listed may lead there."""
    return any(_is_network(match) for entry in entries if (match := _ENTRY.fullmatch(entry.strip())) is not None)


def _is_network(match: Match) -> bool:
    try:
        ip_network(match["v6"] or match["host"] or match["plain"], strict=False)
    except ValueError:
        return False
    return True


def _matches(entry: str, target: str, port: int) -> bool:
    match = _ENTRY.fullmatch(entry)
    if match is None:
        return False
    host = match["v6"] or match["host"] or match["plain"]
    listed_port = match["port6"] or match["port"]
    if listed_port is not None and int(listed_port) != port:
        return False
    if _ascii_name(host).lower().rstrip(".") == target.lower().rstrip("."):
        return True
    try:
        return ip_address(target.partition("%")[0]) in ip_network(host, strict=False)
    except ValueError:
        return False


def _ascii_name(host: str) -> str:
    """An international name in its ASCII form; administrators may write it in either."""
    if host.isascii():
        return host
    try:
        return URL.build(scheme="https", host=host).raw_host or host
    except ValueError:
        return host
