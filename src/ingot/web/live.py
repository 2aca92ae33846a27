"""Pages that renew themselves: a stream of events that says when what is shown has changed.

The stream carries no content. The page's script then loads the page again and takes over its live parts.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.responses import Response, StreamingResponse

from ingot.instance.throttling import address_name
from ingot.kit.errors import ApiError, Unauthorized
from ingot.web import visitors

if TYPE_CHECKING:
    from ingot.web.call import PageCall

EVERY = 2.0  # seconds between two looks
HEARTBEATS = 8  # looks without a change until the connection says that it is alive
LOOKS = 300  # ten minutes; the browser then opens the stream again
PER_VISITOR = 6
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_open: Counter[Hashable] = Counter()


@dataclass(frozen=True, slots=True)
class Live:
    """What a page handler returns to keep the visitor informed."""

    call: "PageCall"
    look: Callable[[], str]  # a text that differs whenever the page does; empty once nothing will change any more

    async def respond(self) -> Response:
        """The stream of events."""
        visitor = self.call.actor.id if not self.call.actor.is_anonymous else address_name(self.call.request)
        if _open[visitor] >= PER_VISITOR:
            return Response(status_code=429)
        return StreamingResponse(self._events(visitor), media_type="text/event-stream", headers=HEADERS)

    async def _events(self, visitor: Hashable) -> AsyncIterator[str]:
        _open[visitor] += 1
        try:
            # The page may be older than the first look: what it showed comes back as the id of the last event.
            known = self.call.request.headers.get("last-event-id") or str(self.call.values.get("seen", ""))
            quiet = 0
            for _ in range(LOOKS):
                current = await self._look()
                if current != known:
                    yield f"id: {current}\nevent: changed\ndata: {current}\n\n"
                    known, quiet = current, 0
                if not current or self.call.services.stopping:
                    yield "event: over\ndata:\n\n"
                    return
                quiet += 1
                if quiet % HEARTBEATS == 0:
                    yield ": still here\n\n"
                await asyncio.sleep(EVERY)
        finally:
            _open[visitor] -= 1
            if not _open[visitor]:
                del _open[visitor]

    async def _look(self) -> str:
        pools = self.call.services.pools
        try:
            return await pools.run_git(self._look_and_close, can_end=True)
        except ApiError:
            return ""

    def _look_and_close(self) -> str:
        """What the visitor sees now: a session, token or role may have ended since the last look."""
        call = self.call
        try:
            visitor = visitors.identify(call)
            if visitor.user_id != call.actor.user_id:
                raise Unauthorized
            call.actor = visitor
            call.endpoint.guard.admit(call)
            return self.look()
        finally:
            call.close()
