"""Pages for operators: health, readiness, liveness and metrics."""

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from ingot.features.people.user_pages import identify_reader
from ingot.kit.metrics_access import is_open_to
from ingot.kit.observe import measures
from ingot.kit.services import Services


def pages(services: Services) -> list[Route]:
    """The routes below `/-/`."""

    async def health(_: Request) -> Response:
        return PlainTextResponse("Ingot OK")

    async def liveness(_: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def readiness(_: Request) -> Response:
        try:
            # In a thread of its own: the pools may be full of requests that wait for the database.
            await asyncio.to_thread(services.db.ping)
        except Exception as error:  # noqa: BLE001 - readiness tells the truth about any fault
            return JSONResponse(
                {"status": "failed", "database": type(error).__name__}, status_code=503, headers={"Retry-After": "2"}
            )
        return JSONResponse({"status": "ok", "database": "ok"})

    def is_administrator(request: Request) -> bool:
        with services.db.read() as conn:
            return identify_reader(services, conn, request).is_admin

    async def metrics(request: Request) -> Response:
        is_known = is_open_to(request, services.settings)
        if not is_known and not await services.pools.run(lambda: is_administrator(request), wide=True):
            return PlainTextResponse("Not Found", status_code=404)
        lines = list(measures.lines())
        for source in services.metrics:
            lines += await services.pools.run(source, wide=True)
        return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")

    return [
        Route("/-/health", health),
        Route("/-/liveness", liveness),
        Route("/-/readiness", readiness),
        Route("/-/metrics", metrics),
    ]
