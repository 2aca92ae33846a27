"""Default headers of every answer: no scripts, no framing, no caching by proxies.

One place for the API, the pages, git and files of users, so that a new page cannot forget them.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A page that needs more (styles, forms) brings its own policy. `sandbox` keeps a committed or uploaded file from
# running as this server even where a browser shows it.
NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'; sandbox"
DEFAULTS = {
    "Content-Security-Policy": NOTHING_RUNS,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "no-referrer",
    # Tokens come in headers that shared caches do not know, so `Vary` must name them.
    "Cache-Control": "max-age=0, private, must-revalidate",
}


RAW = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in DEFAULTS.items()]


def complete(headers: list[tuple[bytes, bytes]]) -> None:
    """Add the defaults that are missing to headers whose names are in lower case."""
    present = dict(headers)
    headers += [pair for pair in RAW if pair[0] not in present]


class SafeHeaders:
    """Adds the defaults to each answer that lacks them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and complete the head of its answer."""

        async def completed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                present = {name.lower() for name, _ in headers}
                message["headers"] = [*headers, *(pair for pair in RAW if pair[0] not in present)]
            await send(message)

        await self._app(scope, receive, completed if scope["type"] == "http" else send)
