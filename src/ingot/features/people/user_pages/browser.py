"""What a browser sends: cookies, forms and return addresses."""

from msgspec.structs import replace
from sqlalchemy import Connection
from starlette.requests import Request

from ingot.access.abilities import Administrator
from ingot.access.addresses import limit_by_address
from ingot.access.required_factors import find_requirement
from ingot.features.people.user_pages.cookies import SESSION_COOKIE, read_cookie
from ingot.features.people.user_pages.origins import is_from_here
from ingot.identity import credentials, sessions
from ingot.identity.authentication import actor_of_session, check_user, limit_to_admin_mode
from ingot.identity.form_tokens import is_token
from ingot.identity.proofs import is_recent
from ingot.identity.rows import SessionRow
from ingot.kit import wire
from ingot.kit.actor import ANONYMOUS, Actor
from ingot.kit.call import Call
from ingot.kit.endpoint import Endpoint
from ingot.kit.errors import ApiError
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

READING_SCOPES = frozenset({"api", "read_api"})
MAX_FORM = 1_500_000
LONGEST_RETURN = 2000
TOKENS_PAGE = "/-/user_settings/personal_access_tokens"
TWO_FACTOR_PAGE = "/-/user_settings/two_factor_auth"
# Endpoints behind the forms that ask once more who somebody is (`web.proving`), besides those for administrators.
_OPENS_DOORS = pattern(r"/(?:\w+_)?(?:keys|tokens?|emails|saml\w*|scim\w*|triggers|runners|applications)(?:/|$)")


def base_url(services: Services, request: Request) -> str:
    """The public address of this server."""
    return services.settings.base_url.rstrip("/") or str(request.base_url).rstrip("/")


def current_session(services: Services, request: Request) -> SessionRow | None:
    """The session of the cookie, with its user."""
    clear = read_cookie(request, SESSION_COOKIE, base_url(services, request))
    if not clear:
        return None
    with services.db.read() as conn:
        return sessions.find_session(conn, clear)


def lacks_second_factor(conn: Connection, session: SessionRow) -> bool:
    """The second factor of the person is overdue: only the page that sets it up is open."""
    if is_excused(session):
        return False
    requirement = find_requirement(conn, session.id)
    return requirement is not None and requirement.is_overdue


def is_excused(session: SessionRow) -> bool:
    """Nobody is asked here to set up a second factor: a group's identity provider opened the session and answers for
    it, or an administrator who acts as the person."""
    return "saml_provider_id" in session.details or sessions.IMPERSONATOR in session.details


def identify_browser(call: Call) -> Actor:
    """The caller of the API by the browser's session.

    A cookie comes with requests that other sites cause: they count as anonymous, and one that writes also has to bring
    the token of our forms. What pages take only from people who lately proved who they are is no more open here.
    """
    clear = read_cookie(call.request, SESSION_COOKIE, call.base_url)
    session = sessions.find_session(call.conn, clear) if clear else None
    if session is None or not is_from_here(call.request, call.base_url):
        return ANONYMOUS
    reads = call.request.method in ("GET", "HEAD", "OPTIONS")
    if not reads and not is_token(call.request.headers.get("x-csrf-token", ""), session.csrf):
        return ANONYMOUS
    if not reads and _opens_doors(call.endpoint) and not is_recent(session):
        return ANONYMOUS
    check_user(session, call.base_url)
    if lacks_second_factor(call.conn, session):
        return ANONYMOUS
    ends = [session.session_expires_at.timestamp(), session.details.get("admin_mode_until")]
    return replace(actor_of_session(call.conn, session), valid_until=min(end for end in ends if end is not None))


def _opens_doors(endpoint: Endpoint) -> bool:
    return isinstance(endpoint.guard, Administrator) or _OPENS_DOORS.search(endpoint.path) is not None


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


def local_path(path: str, fallback: str = TOKENS_PAGE) -> str:
    """A path on this server, or the fallback: a redirect must not lead elsewhere."""
    is_local = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if is_local and len(path) <= LONGEST_RETURN else fallback
