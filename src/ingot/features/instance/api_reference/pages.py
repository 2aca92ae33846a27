"""The reference page for people, at `/-/reference`: made from the description, served with our own assets only."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from ingot.features.instance.api_reference.document import document_of
from ingot.features.instance.api_reference.html import page
from ingot.kit.services import Services

ASSETS = Path(__file__).parent / "assets"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "max-age=300",
}


def pages(services: Services) -> list[Route]:
    """The page and its two assets."""

    rendered: list[str] = []

    async def reference(_: Request) -> Response:
        if not rendered:
            rendered.append(await services.pools.run(lambda: page(document_of(services)), wide=True))
        return HTMLResponse(rendered[0], headers=HEADERS)

    async def style(_: Request) -> Response:
        return FileResponse(ASSETS / "reference.css", media_type="text/css", headers=HEADERS)

    async def script(_: Request) -> Response:
        return FileResponse(ASSETS / "reference.js", media_type="text/javascript", headers=HEADERS)

    return [
        Route("/-/reference", reference),
        Route("/-/reference/reference.css", style),
        Route("/-/reference/reference.js", script),
    ]
