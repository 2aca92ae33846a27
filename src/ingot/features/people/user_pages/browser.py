"""What a browser sends: cookies, forms and return addresses."""

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from ingot.access.addresses import limit_by_address
from ingot.access.required_factors import find_requirement
from ingot.identity import credentials, sessions
from ingot.identity.authentication import actor_of_session, check_user, limit_to_admin_mode
from ingot.identity.form_tokens import is_token
from ingot.identity.rows import SessionRow
from ingot.kit import wire
from ingot.kit.actor import ANONYMOUS, Actor
from ingot.kit.errors import ApiError
from ingot.kit.services import Services

SESSION_COOKIE = "_ingot_session"
READING_SCOPES = frozenset({"api", "read_api"})
MAX_FORM = 1_500_000
LONGEST_RETURN = 2000
TOKENS_PAGE = "/-/user_settings/personal_access_tokens"
TWO_FACTOR_PAGE = "/-/user_settings/two_factor_auth"


def base_url(services: Services, request: Request) -> str:
    """The public address of this server."""
    return services.settings.base_url.rstrip("/") or str(request.base_url).rstrip("/")


def current_session(services: Services, request: Request) -> SessionRow | None:
    """The session of the cookie, with its user."""
    clear = request.cookies.get(SESSION_COOKIE)
    if not clear:
        return None
    with services.db.read() as conn:
        return sessions.find_session(conn, clear)


def lacks_second_factor(conn: Connection, session: SessionRow) -> bool:
    """The second factor of the person is overdue: only the page that sets it up is open."""
    if is_of_provider(session):
        return False
    requirement = find_requirement(conn, session.id)
    return requirement is not None and requirement.is_overdue


def is_of_provider(session: SessionRow) -> bool:
    """A group's identity provider opened the session, and answers for its second factors."""
    return "saml_provider_id" in session.details


def identify_reader(services: Services, conn: Connection, request: Request) -> Actor:
    """The reader of a page or file outside the API, by a token that may read the API or by the browser's session.

    An invalid credential, or one without the scope, counts as none.
    """
    return limit_by_address(services, _identify(services, conn, request), request)


def _identify(services: Services, conn: Connection, request: Request) -> Actor:
    try:
        token = credentials.of_request(request.headers, dict(request.query_params)).access_token
        if token is not None:
            actor = services.tokens.by_token(conn, token, str(request.base_url))
            if actor is None or not actor.scopes & READING_SCOPES:
                return ANONYMOUS
        else:
            session = current_session(services, request)
            if session is None:
                return ANONYMOUS
            check_user(session, str(request.base_url))
            return ANONYMOUS if lacks_second_factor(conn, session) else actor_of_session(conn, session)
    except ApiError:
        return ANONYMOUS
    return limit_to_admin_mode(conn, actor)


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a posted form, of bounded size; a repeated field counts once."""
    body = await wire.read_body(request, MAX_FORM)
    return dict(await wire.beside_the_loop(wire.pairs, body))


def is_genuine(session: SessionRow, form: dict[str, str]) -> bool:
    """The form came from a page of this server."""
    return is_token(form.get("authenticity_token", ""), session.csrf)


def set_cookie(response: Response, name: str, value: str, base: str, max_age: int | None = None) -> None:
    """A cookie that scripts cannot read and other sites cannot post with."""
    response.set_cookie(
        name, value, max_age=max_age, httponly=True, samesite="lax", secure=base.startswith("https:"), path="/"
    )


def local_path(path: str, fallback: str = TOKENS_PAGE) -> str:
    """A path on this server, or the fallback: a redirect must not lead elsewhere."""
    is_local = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if is_local and len(path) <= LONGEST_RETURN else fallback
