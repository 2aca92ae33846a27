"""Requests whose length or target two parsers could read differently: refused before anybody acts on them.

The parser refuses most of them (folded headers, bare line feeds, blanks before a colon, two lengths). These are the
rules that it leaves to the server.
"""

MAX_TARGET = 64 * 1024
MAX_HEAD = 128 * 1024
MAX_HEADERS = 128


class Refusal(Exception):
    """The connection is answered with this status and closed."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        self.text = text
        super().__init__(text)


def check_head(version: str, target: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    """Refuse a head that a proxy may have read in another way."""
    if version not in ("1.0", "1.1"):
        raise Refusal(505, "The server speaks HTTP/1.1.")
    values: dict[bytes, list[bytes]] = {}
    for name, value in headers:
        if name in (b"host", b"content-length", b"transfer-encoding"):
            values.setdefault(name, []).append(value.strip())
    hosts = values.get(b"host", [])
    if len(hosts) > 1 or (not hosts and version == "1.1"):
        raise Refusal(400, "The request needs one Host header.")
    encodings = values.get(b"transfer-encoding", [])
    if encodings and (values.get(b"content-length") or version != "1.1"):
        raise Refusal(400, "The length of the body is not clear.")
    if len(encodings) > 1 or any(value.lower() != b"chunked" for value in encodings):
        raise Refusal(501, "The transfer encoding is not supported.")
    if len(values.get(b"content-length", [])) > 1:
        raise Refusal(400, "The length of the body is not clear.")
    _check_target(target, hosts[0] if hosts else b"")


def _check_target(target: bytes, host: bytes) -> None:
    if target.startswith(b"/") or target == b"*":
        return
    scheme, separator, rest = target.partition(b"://")
    if not separator or scheme.lower() not in (b"http", b"https"):
        raise Refusal(400, "The target of the request is not a path.")
    # The absolute address wins over the header; accept the request only where both agree.
    authority = rest.partition(b"/")[0].partition(b"?")[0]
    if authority.lower() != host.lower():
        raise Refusal(400, "The Host header and the target of the request differ.")
