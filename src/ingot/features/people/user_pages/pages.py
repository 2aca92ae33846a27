"""Signing out."""

from html import escape

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ingot.features.people.user_pages.browser import base_url, current_session, is_genuine, local_path, read_form
from ingot.features.people.user_pages.cookies import OWN_COOKIE, SESSION_COOKIE, delete_cookie, read_cookie
from ingot.features.people.user_pages.frame import page, problem
from ingot.identity import sessions
from ingot.identity.authentication import actor_of_user
from ingot.instance.settings import application_setting
from ingot.kit.changes import Asked, answering
from ingot.kit.errors import ApiError
from ingot.kit.services import Services

SIGN_IN = "/users/sign_in"


def pages(services: Services) -> list[Route]:
    """The route that ends a session."""

    async def sign_out(request: Request) -> Response:
        """End the session."""
        try:
            form = await read_form(request)
        except ApiError as error:
            return problem("The form was not accepted", error.text, error.status)
        return await services.pools.run(lambda: _sign_out(services, request, form), wide=True)

    return [Route("/users/sign_out", sign_out, methods=["POST"])]


def _sign_out(services: Services, request: Request, form: dict[str, str]) -> Response:
    session = current_session(services, request)
    if session is None:
        return page("Please sign in", f'<p><a class="button primary" href="{SIGN_IN}">Sign in</a></p>', 401)
    if not is_genuine(session, form):
        return problem("The form was not accepted", "The form was not sent from a page of this server.", 403)
    address = None if request.client is None else request.client.host
    with answering(Asked(actor_of_user(session), address)), services.db.write() as tx:
        sessions.sign_out(tx, read_cookie(request, SESSION_COOKIE, base_url(services, request)), session)
        after = application_setting(tx, "after_sign_out_path") or "/"
    response = _farewell(after)
    # Pages may be kept for the browser's Back, and typed text beside them: the next person finds neither.
    response.headers["Clear-Site-Data"] = '"cache", "storage"'
    for name in (SESSION_COOKIE, OWN_COOKIE):
        delete_cookie(response, name, base_url(services, request))
    return response


def _farewell(after: str) -> Response:
    """To where people go after signing out; browsers follow no form to another server, so that one is a link."""
    if local_path(after, fallback="") == after:
        return RedirectResponse(after, 303)
    if not after.startswith(("https://", "http://")):
        return RedirectResponse("/", 303)
    return page("You are signed out", f'<p><a class="button primary" href="{escape(after)}">Continue</a></p>')
