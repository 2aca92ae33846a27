"""Files that a page hands out: streams of the API's own endpoints, sent from the event loop as the API sends them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from ingot.access.call import Call
from ingot.kit.errors import NotFound
from ingot.kit.params import Params


@dataclass(frozen=True, slots=True)
class Download:
    """What a page handler returns instead of a view: the call of an endpoint that answers with bytes."""

    call: Call[Params]
    headers: Mapping[str, str] = field(default_factory=dict)  # instead of those for clients of the API

    async def respond(self) -> Response:
        """The endpoint's answer; its guard and checks run as they do over HTTP."""
        await self.call.run(self._prepare)
        handler: Any = self.call.endpoint.handler
        result = await handler(self.call) if self.call.endpoint.is_async else await self.call.run(handler, self.call)
        if not isinstance(result, Response):
            raise NotFound
        result.headers.update(self.headers)
        return result

    def _prepare(self) -> None:
        endpoint = self.call.endpoint
        if endpoint.tier is not None and not self.call.services.settings.has_tier(endpoint.tier):
            raise NotFound
        if endpoint.guard_first:
            endpoint.guard.admit(self.call)
        self.call.params = endpoint.params.parse({**self.call.values, **self.call.path})
        if not endpoint.guard_first:
            endpoint.guard.admit(self.call)
