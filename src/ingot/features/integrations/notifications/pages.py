"""The address that mail programs call to end mails with one click (RFC 8058): its token is all that it needs."""

from functools import partial

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from ingot.features.integrations.notifications.unsubscribing import find_unsubscription, unsubscribe
from ingot.kit.services import Services


def pages(services: Services) -> list[Route]:
    """The route; people who open it get the page that asks first."""

    def work(token: str) -> Response:
        with services.db.read() as conn:
            ended = find_unsubscription(services, conn, token)
        if ended is None:
            return PlainTextResponse("404 Not Found\n", 404)
        with services.db.write() as tx:
            unsubscribe(tx, ended)
        return PlainTextResponse("You will no longer receive emails about this.\n")

    async def end_mails(request: Request) -> Response:
        if request.method != "POST":
            return RedirectResponse("unsubscribe", 302)
        return await services.pools.run(partial(work, str(request.path_params["token"])), wide=False)

    return [Route("/-/sent_notifications/{token}/one_click", end_mails, methods=["GET", "POST"])]
