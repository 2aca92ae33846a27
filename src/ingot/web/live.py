"""Pages that renew themselves: a stream of events that says when what is shown has changed.

The stream carries no content. The page's script then loads the page again and takes over its live parts.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from ingot.instance.throttling import address_name
from ingot.web import watching
from ingot.web.watching import Listener, Look

if TYPE_CHECKING:
    from ingot.web.call import PageCall

HEARTBEAT = 15.0  # seconds without a change until the connection says that it is alive
LONGEST = 600.0  # seconds; the browser then opens the stream again
PER_VISITOR = 6
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_open: Counter[Hashable] = Counter()


@dataclass(frozen=True, slots=True)
class Live:
    """What a page handler returns to keep the visitor informed."""

    call: "PageCall"
    subject: tuple[object, ...]  # what is watched; equal for all who would see the same state
    look: Look  # a text that differs whenever the page does; empty once nothing will change any more
    state: str  # what the visitor saw when the stream was opened

    async def respond(self) -> Response:
        """The stream of events."""
        visitor = self.call.actor.id if not self.call.actor.is_anonymous else address_name(self.call.request)
        if _open[visitor] >= PER_VISITOR:
            return Response(status_code=429, headers={"Retry-After": str(int(LONGEST))})
        return _Stream(self, visitor)

    async def events(self) -> AsyncIterator[str]:
        """The events, as they are sent."""
        call, clock = self.call, asyncio.get_running_loop().time
        # The page may be older than the first look: what it showed comes back as the id of the last event.
        known = call.request.headers.get("last-event-id") or str(call.values.get("seen", ""))
        listener = Listener(call, self.state)
        watching.join(self.subject, listener, self.look)
        try:
            end = clock() + LONGEST
            while not listener.is_cut and clock() < end:
                if listener.state != known:
                    known = listener.state
                    yield f"id: {known}\nevent: changed\ndata: {known}\n\n"
                if not known:
                    yield "event: over\ndata:\n\n"
                    return
                if not await listener.has_news(HEARTBEAT):
                    yield ": still here\n\n"
        finally:
            watching.leave(self.subject, listener)


class _Stream(StreamingResponse):
    """Counts as open for its visitor until it ends, however that happens."""

    def __init__(self, live: Live, visitor: Hashable) -> None:
        super().__init__(live.events(), media_type="text/event-stream", headers=HEADERS)
        self._visitor = visitor
        _open[visitor] += 1

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            _open[self._visitor] -= 1
            if not _open[self._visitor]:
                del _open[self._visitor]
