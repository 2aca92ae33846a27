"""Maps faults of pages outside the API (store unreachable, disk full) to the same statuses as in the API."""

import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ingot.kit.errors import ApiError, render
from ingot.kit.faults import as_api_error

log = logging.getLogger("ingot.pages")


class PageFaults:
    """Answers known faults where an exception would become a bare 500."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; step in only while nothing has been sent."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_begun = False

        async def watched(message: Message) -> None:
            nonlocal has_begun
            has_begun = has_begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            known = error if isinstance(error, ApiError) else as_api_error(error)
            if known is None or has_begun:
                raise
            log.warning("%s: %s", scope["path"], type(error).__name__)
            await render(known)(scope, receive, send)
