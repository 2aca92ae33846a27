"""Double slashes in paths of the API count as one: some clients append paths to a base address that ends in a slash."""

from urllib.parse import unquote

from starlette.types import ASGIApp, Receive, Scope, Send

from ingot.kit.patterns import pattern

_DOUBLED = pattern(r"/{2,}")


class SingleSlashes:
    """Rewrites the path of a request; encoded slashes stay as they are."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with the path that was meant."""
        raw: bytes = scope.get("raw_path") or b""
        if b"//" in raw:
            path, question, query = raw.decode("latin-1").partition("?")
            single = _DOUBLED.sub("/", path)
            if single.startswith("/api/"):
                scope = {**scope, "path": unquote(single), "raw_path": (single + question + query).encode("latin-1")}
        await self._app(scope, receive, send)
