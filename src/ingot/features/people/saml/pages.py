"""SAML pages of a group: metadata, the way to the identity provider and back, and connecting an account."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ingot.events import MembersChanged
from ingot.features.people.saml.commands.linking import complete_link, find_pending_link
from ingot.features.people.saml.commands.sign_in import Arrival, ProofNeeded, SignedIn, accept_response, begin_sign_in
from ingot.features.people.saml.entities import service_provider
from ingot.features.people.saml.link_form import LINK_PAGE, link_form
from ingot.features.people.saml.queries import find_provider_by_path, is_human
from ingot.features.people.saml.rows import GroupProviderRow
from ingot.features.people.saml.sso import ResponseRefused, ServiceProvider, service_provider_metadata
from ingot.features.people.user_pages import (
    SESSION_COOKIE,
    base_url,
    current_session,
    is_genuine,
    local_path,
    page,
    problem,
    read_form,
    set_cookie,
)
from ingot.instance import application_setting
from ingot.kit.errors import ApiError
from ingot.kit.events import announce
from ingot.kit.services import Services

T = TypeVar("T")

LINK_COOKIE = "_ingot_saml_link"
REFUSED = "Sign-in failed"
UNSTORED = {"Cache-Control": "no-store"}


def pages(services: Services) -> list[Route]:
    """The routes below `/groups/…/-/saml` and the page that connects accounts."""
    pages = SamlPages(services)
    return [
        Route("/groups/{group:path}/-/saml/metadata", pages.metadata),
        Route("/groups/{group:path}/-/saml/sso", pages.begin, methods=["GET", "POST"]),
        Route("/groups/{group:path}/-/saml/callback", pages.callback, methods=["POST"]),
        Route(LINK_PAGE, pages.show_link),
        Route(LINK_PAGE, pages.link, methods=["POST"]),
    ]


class SamlPages:
    """The handlers, over the services of the application."""

    def __init__(self, services: Services) -> None:
        self.services = services

    @property
    def _key(self) -> str:
        return self.services.secret_key

    def _service_provider(self, provider: GroupProviderRow) -> ServiceProvider:
        return service_provider(provider, provider.full_path, self.services.settings)

    async def metadata(self, request: Request) -> Response:
        """What an identity provider must know about this server."""
        provider = await self._run(lambda: self._provider(request.path_params["group"]))
        if provider is None:
            return _unknown()
        sp = self._service_provider(provider)
        return Response(service_provider_metadata(sp), media_type="application/samlmetadata+xml")

    async def begin(self, request: Request) -> Response:
        """Send the browser to the identity provider."""
        return_to = request.query_params.get("return_to") or request.query_params.get("redirect") or ""
        is_again = "again" in request.query_params

        def work() -> Response:
            provider = self._provider(request.path_params["group"], enabled=True)
            if provider is None:
                return _unknown()
            session = current_session(self.services, request)
            user_id = session.id if session is not None else None
            sp, target = self._service_provider(provider), local_path(return_to)
            url = begin_sign_in(provider, sp, self._key, target, user_id, is_again=is_again)
            return RedirectResponse(url, status_code=302, headers=UNSTORED)

        return await self._answer(work)

    async def callback(self, request: Request) -> Response:
        """The identity provider's answer, posted by the browser."""
        try:
            form = await read_form(request)
        except ApiError as error:
            return problem(REFUSED, error.text, error.status)

        def work() -> Response:
            provider = self._provider(request.path_params["group"], enabled=True)
            if provider is None:
                return _unknown()
            arrival = self._arrival(request, form.get("SAMLResponse", ""), form.get("RelayState", ""))
            outcome = accept_response(self.services.db, provider, self._service_provider(provider), arrival)
            if isinstance(outcome, ProofNeeded):
                response = RedirectResponse(LINK_PAGE, status_code=303, headers=UNSTORED)
                set_cookie(response, LINK_COOKIE, outcome.secret, base_url(self.services, request), max_age=600)
                return response
            return self._enter(request, outcome)

        return await self._answer(work)

    async def show_link(self, request: Request) -> Response:
        """Ask for a proof that the account with this e-mail address is theirs."""
        return await self._answer(lambda: self._link_page(request))

    async def link(self, request: Request) -> Response:
        """Connect the identity: as the signed-in requester, or with a personal access token."""
        try:
            form = await read_form(request)
        except ApiError as error:
            return problem(REFUSED, error.text, error.status)

        def work() -> Response:
            secret = request.cookies.get(LINK_COOKIE, "")
            if form.get("proof", ""):
                user_id = self._by_token(request, form["proof"].strip())
                if user_id is None:
                    return self._link_page(request, "This is not a valid token with the scope api.", status=403)
            else:
                session = current_session(self.services, request)
                if session is None or not is_genuine(session, form) or not self._asked_by(secret, session.id):
                    return problem(REFUSED, "Start the sign-in again.", 403)
                user_id = session.id
            arrival = self._arrival(request, "", "")
            with self.services.db.write() as tx:
                outcome = complete_link(tx, secret, user_id, arrival)
            response = self._enter(request, outcome)
            response.delete_cookie(LINK_COOKIE)
            return response

        return await self._answer(work)

    def _link_page(self, request: Request, error_text: str = "", status: int = 200) -> Response:
        secret = request.cookies.get(LINK_COOKIE, "")
        with self.services.db.read() as conn:
            pending = find_pending_link(conn, secret) if secret else None
        if pending is None:
            return problem(REFUSED, "The sign-in expired. Start again.", 404)
        session = current_session(self.services, request)
        requester = session if session is not None and pending.requested_by_id == session.id else None
        return page("Connect your account", link_form(pending, requester, error_text), status)

    def _by_token(self, request: Request, clear: str) -> int | None:
        try:
            with self.services.db.read() as conn:
                actor = self.services.tokens.by_token(conn, clear, base_url(self.services, request))
                # An impersonation token shows that an administrator made it, a bot's that its project did.
                is_own = actor is not None and actor.token_kind == "personal" and is_human(conn, actor.id)
        except ApiError:
            return None
        return actor.user_id if actor is not None and is_own and "api" in actor.scopes else None

    def _asked_by(self, secret: str, user_id: int) -> bool:
        with self.services.db.read() as conn:
            pending = find_pending_link(conn, secret)
        return pending is not None and pending.requested_by_id == user_id

    def _provider(self, path: str, *, enabled: bool = False) -> GroupProviderRow | None:
        if not self.services.settings.has_tier("premium"):
            return None
        with self.services.db.read() as conn:
            provider = find_provider_by_path(conn, path)
        return None if provider is None or (enabled and not provider.enabled) else provider

    def _arrival(self, request: Request, response: str, return_to: str) -> Arrival:
        with self.services.db.read() as conn:
            minutes = application_setting(conn, "session_expire_delay")
        return Arrival(
            response=response,
            key=self._key,
            return_to=local_path(return_to),
            address=request.client.host if request.client else "",
            custom_roles=self.services.settings.has_tier("ultimate"),
            session_lifetime=timedelta(minutes=int(minutes)),
        )

    def _enter(self, request: Request, outcome: SignedIn) -> Response:
        for group_id in outcome.changed_groups:
            announce(self.services, MembersChanged(outcome.user_id, group_id=group_id))
        response = RedirectResponse(outcome.return_to, status_code=303, headers=UNSTORED)
        set_cookie(response, SESSION_COOKIE, outcome.session, base_url(self.services, request))
        return response

    async def _run(self, work: Callable[[], T]) -> T:
        return await self.services.pools.run(work, wide=True)

    async def _answer(self, work: Callable[[], Response]) -> Response:
        try:
            return await self._run(work)
        except ResponseRefused as error:
            return problem(REFUSED, error.reason, 403)
        except ApiError as error:
            return problem(REFUSED, error.text, error.status)


def _unknown() -> Response:
    return problem("Not found", "This group has no SAML sign-in.", 404)
