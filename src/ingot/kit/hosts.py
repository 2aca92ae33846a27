"""Which `Host` headers are trusted: addresses of pages are built from them, so a stranger must not choose them."""

from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from ingot.kit.networks import is_loopback
from ingot.settings import Settings

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


class BelievedHosts:
    """Replaces an untrusted host with the server's own address.

    Trusted are the hosts of `base_url` and `allowed_hosts`, the address that the client really reached, and names of
    the loopback address, which lead everybody to their own machine.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._base = urlsplit(settings.base_url) if settings.base_url else None
        named = [part.strip().lower() for part in settings.allowed_hosts.split(",") if part.strip()]
        self._named = frozenset(named + ([self._base.netloc.lower()] if self._base else []))
        self._bound = settings.host.lower()
        self._scheme = settings.scheme
        self._usual_port = 443 if settings.tls_certificate else 80

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with a trusted host."""
        if scope["type"] == "http":
            host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1").lower()
            if not self._is_believed(host, scope):
                self._replace(scope)
        await self._app(scope, receive, send)

    def _is_believed(self, host: str, scope: Scope) -> bool:
        if host in self._named:
            return True
        name, _, port = host.rpartition(":") if ":" in host and not host.endswith("]") else (host, "", "")
        if port and not (port.isascii() and port.isdigit() and len(port) <= 5):
            return False
        if name in LOOPBACK_NAMES:
            return True
        address, bound_port = _own_address(scope)
        return name in (address, self._bound) and int(port or self._usual_port) == bound_port

    def _replace(self, scope: Scope) -> None:
        if self._base is not None:
            netloc, scheme = self._base.netloc, self._base.scheme
        else:
            address, port = _own_address(scope)
            netloc, scheme = f"{address}:{port}", self._scheme
        headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
        scope["headers"] = [(b"host", netloc.encode("latin-1")), *headers]
        scope["scheme"] = scheme
        scope["ingot.foreign_host"] = True  # read by `metrics_access`


def _own_address(scope: Scope) -> tuple[str, int]:
    """The address and port that the client reached, as a URL spells them."""
    host, port = scope.get("server") or ("localhost", 80)
    host = host.removeprefix("::ffff:")
    if is_loopback(host):
        return "localhost" if ":" in host else host, port or 80
    return (f"[{host}]" if ":" in host else host), port or 80
