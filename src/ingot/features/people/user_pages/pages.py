"""The page where signed-in users create and revoke personal access tokens."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from html import escape
from urllib.parse import quote, urlencode

from sqlalchemy import select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ingot.features.people.user_pages.browser import (
    OWN_COOKIE,
    SESSION_COOKIE,
    TOKENS_PAGE,
    TWO_FACTOR_PAGE,
    base_url,
    current_session,
    is_genuine,
    lacks_second_factor,
    read_form,
)
from ingot.features.people.user_pages.flash import set_flash
from ingot.features.people.user_pages.frame import own_pages, page, problem
from ingot.identity import sessions, tokens
from ingot.identity.authentication import actor_of_user
from ingot.identity.form_tokens import masked
from ingot.identity.rows import PersonalAccessTokenRow, SessionRow
from ingot.identity.tables import personal_access_tokens
from ingot.kit.changes import Asked, answering
from ingot.kit.clock import today
from ingot.kit.errors import ApiError
from ingot.kit.services import Services

NOTHING_TYPED: Mapping[str, str] = {}
STALE = "The form came from a page of another session, so nothing was made. Look at it, and send it once more."
OFFERED_SCOPES = {
    "api": "use the whole API (api)",
    "read_api": "read through the API (read_api)",
    "read_user": "read your profile (read_user)",
    "read_repository": "clone and fetch (read_repository)",
    "write_repository": "clone, fetch and push (write_repository)",
}


def pages(services: Services) -> list[Route]:
    """The routes of the tokens page, and signing out."""
    pages = TokenPages(services)
    return [
        Route(TOKENS_PAGE, pages.show),
        Route(TOKENS_PAGE, pages.create, methods=["POST"]),
        Route(TOKENS_PAGE + "/{token_id:int}/revoke", pages.revoke, methods=["POST"]),
        Route("/users/sign_out", pages.sign_out, methods=["POST"]),
    ]


class TokenPages:
    """The handlers, over the services of the application."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def show(self, request: Request) -> Response:
        """The person's tokens and a form for a new one."""

        def work() -> Response:
            session = current_session(self.services, request)
            typed = typed_in_address(dict(request.query_params))
            if session is None:
                return _sign_in_page(typed)
            if self._is_closed(session):
                return RedirectResponse(TWO_FACTOR_PAGE, 302)
            return self._page(request, session, typed=typed)

        return await self._run(work)

    async def create(self, request: Request) -> Response:
        """Create a token and show its value, once."""

        def work(session: SessionRow, form: dict[str, str]) -> Response:
            name = form.get("name", "").strip()
            scopes = [scope for scope in OFFERED_SCOPES if form.get(f"scope_{scope}")]
            expires_at, error_text = _expiry(form.get("expires_at", ""))
            if not name or len(name) > 255:
                error_text = "The token needs a name of at most 255 characters."
            if not scopes:
                error_text = "Choose at least one scope."
            if error_text:
                return self._page(request, session, error_text=error_text, status=400, typed=form)
            with self.services.db.write() as tx:
                _, clear = tokens.create(tx, session.id, name, scopes, expires_at=expires_at)
            return self._page(request, session, fresh=clear, status=201)

        return await self._posted(request, work)

    async def revoke(self, request: Request) -> Response:
        """Revoke one of the person's own tokens."""

        def work(session: SessionRow, _: dict[str, str]) -> Response:
            with self.services.db.write() as tx:
                tokens.revoke(
                    tx,
                    personal_access_tokens.c.id == request.path_params["token_id"],
                    personal_access_tokens.c.user_id == session.id,
                )
            self.services.tokens.forget()
            response = RedirectResponse(TOKENS_PAGE, status_code=303)
            set_flash(response, session, "Token revoked.", base_url(self.services, request))
            return response

        return await self._posted(request, work)

    async def sign_out(self, request: Request) -> Response:
        """End the session."""

        def work(session: SessionRow, _: dict[str, str]) -> Response:
            with self.services.db.write() as tx:
                sessions.sign_out(tx, request.cookies.get(SESSION_COOKIE, ""), session)
            # Pages may be kept for the browser's Back, and typed text beside them: the next person finds neither.
            response = RedirectResponse("/", 303, {"Clear-Site-Data": '"cache", "storage"'})
            response.delete_cookie(SESSION_COOKIE)
            response.delete_cookie(OWN_COOKIE)
            return response

        return await self._posted(request, work, always=True)

    def _is_closed(self, session: SessionRow) -> bool:
        with self.services.db.read() as conn:
            return lacks_second_factor(conn, session)

    async def _posted(
        self, request: Request, work: Callable[[SessionRow, dict[str, str]], Response], *, always: bool = False
    ) -> Response:
        try:
            form = await read_form(request)
        except ApiError as error:
            return problem("The form was refused", error.text, error.status)

        def checked() -> Response:
            session = current_session(self.services, request)
            if session is None:
                return _sign_in_page(form)
            if not is_genuine(session, form):
                if form.get("name"):
                    return self._page(request, session, error_text=STALE, status=403, typed=form)
                return problem("The form was refused", "It did not come from a page of this server.", 403)
            if not always and self._is_closed(session):
                return RedirectResponse(TWO_FACTOR_PAGE, 303)
            address = None if request.client is None else request.client.host
            with answering(Asked(actor_of_user(session), address)):
                return work(session, form)

        return await self._run(checked)

    async def _run(self, work: Callable[[], Response]) -> Response:
        return await self.services.pools.run(work, wide=True)

    def _page(
        self,
        request: Request,
        session: SessionRow,
        *,
        fresh: str = "",
        error_text: str = "",
        status: int = 200,
        typed: Mapping[str, str] = NOTHING_TYPED,
    ) -> Response:
        with self.services.db.read() as conn:
            rows = conn.execute(
                select(personal_access_tokens)
                .where(
                    personal_access_tokens.c.user_id == session.id,
                    personal_access_tokens.c.revoked.is_(False),
                    personal_access_tokens.c.impersonation.is_(False),
                )
                .order_by(personal_access_tokens.c.id.desc())
                .limit(100)
            ).all()
        guard = f'<input type="hidden" name="authenticity_token" value="{masked(session.csrf)}">'
        parts = []
        if fresh:
            parts.append(
                '<div class="flash" role="status"><label for="token">'
                "Your new token. Copy it now: it is not shown again."
                f'</label><div class="copy"><input id="token" readonly value="{escape(fresh)}">'
                '<button type="button" class="with-script" data-copies="token">Copy</button></div></div>'
            )
        if error_text:
            parts.append(f'<p class="problem" role="alert">{escape(error_text)}</p>')
        parts += [_form(guard, typed), _list(rows, guard)]
        return own_pages.page(request, "Personal access tokens", "".join(parts), session, status)


def _form(guard: str, typed: Mapping[str, str]) -> str:
    ticked = {scope: " checked" if typed.get(f"scope_{scope}") else "" for scope in OFFERED_SCOPES}
    name, expires_at = escape(typed.get("name", "")), escape(typed.get("expires_at", ""))
    boxes = "".join(
        f'<label class="check"><input type="checkbox" name="scope_{scope}" value="1"{ticked[scope]}> {words}</label>'
        for scope, words in OFFERED_SCOPES.items()
    )
    return (
        f'<form class="card" method="post" action="{TOKENS_PAGE}">{guard}<label for="name">Name</label>'
        f'<input type="text" id="name" name="name" value="{name}" maxlength="255" autocomplete="off" required>'
        '<label for="expires_at">Expires on</label>'
        f'<input type="date" id="expires_at" name="expires_at" value="{expires_at}" aria-describedby="expires_hint">'
        '<p class="hint" id="expires_hint">Empty: in a year, which is the longest.</p>'
        f'<fieldset><legend>It may</legend>{boxes}</fieldset><button class="primary">Create token</button></form>'
    )


def _list(rows: Sequence[PersonalAccessTokenRow], guard: str) -> str:
    lines = "".join(
        f'<li><div class="grow"><span class="title break">{escape(row.name)}</span>'
        f'<p class="muted">{escape(", ".join(row.scopes))}</p>'
        f'<p class="muted">expires {row.expires_at or "never"} · '
        f"{'never used' if row.last_used_at is None else f'last used {row.last_used_at:%Y-%m-%d %H:%M}'}</p></div>"
        f'<div class="actions"><form method="post" action="{TOKENS_PAGE}/{row.id}/rotate">{guard}'
        f'<button class="small">Rotate<span class="hidden"> {escape(row.name)}</span></button></form>'
        f'<form method="post" action="{TOKENS_PAGE}/{row.id}/revoke">{guard}'
        f'<button class="small danger">Revoke<span class="hidden"> {escape(row.name)}</span></button></form></div></li>'
        for row in rows
    )
    title = '<h2 id="h_tokens">Active tokens</h2>'
    listed = f'<ul class="rows">{lines}</ul>' if rows else '<p class="muted">None yet.</p>'
    return f'<section class="block" aria-labelledby="h_tokens">{title}{listed}</section>'


def _expiry(text: str) -> tuple[date | None, str]:
    if not text.strip():
        return None, ""
    try:
        expires_at = date.fromisoformat(text.strip())
    except ValueError:
        return None, "The expiry is not a date."
    if not today() < expires_at <= tokens.default_expiry():
        return None, "The expiry must lie in the future, at most a year ahead."
    return expires_at, ""


def typed_in_address(query: Mapping[str, str]) -> dict[str, str]:
    """The form as an address fills it: `?name=laptop&scopes=read_api,read_user`, as GitLab's does."""
    scopes = query.get("scopes", "").split(",")
    ticked = {f"scope_{scope}": "1" for scope in OFFERED_SCOPES if scope in scopes}
    return {"name": query.get("name", "")[:255], "expires_at": query.get("expires_at", "")[:10], **ticked}


def _sign_in_page(typed: Mapping[str, str]) -> Response:
    """Afterwards the form is as it was."""
    scopes = ",".join(scope for scope in OFFERED_SCOPES if typed.get(f"scope_{scope}"))
    given = {"name": typed.get("name", "")[:255], "expires_at": typed.get("expires_at", "")[:10], "scopes": scopes}
    query = urlencode({name: value for name, value in given.items() if value})
    sign_in_path = f"/users/sign_in?return_to={quote(f'{TOKENS_PAGE}?{query}' if query else TOKENS_PAGE)}"
    return page("Please sign in", f'<p><a class="button primary" href="{sign_in_path}">Sign in</a></p>', 401)
