"""Pages that say what went wrong and how to go on; they need no database."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import HTMLResponse

from ingot.features.people.user_pages import SESSION_COOKIE, read_cookie, theme_of
from ingot.identity.form_tokens import masked
from ingot.identity.sessions import IMPERSONATOR
from ingot.kit import wire
from ingot.kit.errors import ApiError, Forbidden, NotFound, ServiceUnavailable
from ingot.web.call import PageCall
from ingot.web.givers import find_givers, needed_role
from ingot.web.refusals import refusal_of
from ingot.web.rendering import TYPED, WAIT, environment, way_back

FAULTS = {
    400: ("Invalid request", "The URL or the form contains an invalid value."),
    403: ("You do not have permission", "Your role does not allow this action."),
    404: (
        "Page not found",
        "The page does not exist, or you do not have access to it. Check the URL or use search.",
    ),
    405: ("Not possible right now", "The current state does not allow this action."),
    409: ("Changed by someone else", "This was changed while you were viewing it. Reload the page and try again."),
    413: ("Too large", "The request is larger than this server accepts."),
    422: ("Not possible right now", "The current state does not allow this action."),
    429: ("Too many requests", ""),
    500: (
        "Something went wrong on our side",
        "Try again. If it still fails, give the request ID below to an administrator. The server log has the details.",
    ),
    503: ("Temporarily unavailable", "Try again in a moment."),
    507: ("The disk is full", "Nothing can be saved until an administrator frees disk space."),
}
# The API has more statuses than people need pages: it answers some forms that a role does not allow with 401.
LIKE = {401: 403, 406: 405, 412: 409}
PASSING = (429, 500, 503, 507)  # the same may succeed later
UNEXPLAINED = (404, 429, 500)  # the page says all that there is to say
AWAY = "A required service is not responding."
MINUTE, FEW_SECONDS = 60, 100


class LinkEnded(NotFound):
    """A link that was mailed or handed over, and was used, is too old, or never was one."""

    title = "This link no longer works"

    def __init__(self, advice: str, way: tuple[str, str] | None = None) -> None:
        super().__init__()
        self.advice = advice
        self.way = way  # to another link: its words and address


class RegistrationClosed(LinkEnded):
    """People cannot register here, or not without an invitation."""

    title = "Registration is closed"

    def __init__(self) -> None:
        super().__init__("An administrator can create an account for you, or a member can invite you by email.")


class FormRefused(Forbidden):
    """A form that no page of ours sent for this session, or that one sent long ago."""

    title, way = "The form was not accepted", None

    def __init__(self, advice: str) -> None:
        super().__init__()
        self.advice = advice


def render_fault(request: Request, error: ApiError, request_id: str, call: PageCall | None) -> HTMLResponse:
    """A page that says what went wrong and how to go on."""
    kind = LIKE.get(error.status, error.status)
    title, advice = FAULTS.get(kind, FAULTS[400])
    has_ended = isinstance(error, LinkEnded)
    me = None
    if call is not None and call.session is not None:
        impersonator = call.session.details.get(IMPERSONATOR)
        me = {"username": call.session.username, "name": call.session.name, "impersonator": impersonator}
    data = {
        "title": title, "advice": advice, "status": error.status, "kind": kind, "me": me,
        "way_back": "" if has_ended else way_back(request), "request_id": request_id,
        "reason": "" if kind in UNEXPLAINED else _reason(error), "place": _place(call),
        "theme": theme_of(request), "is_read": request.method == "GET", "can_pass": kind in PASSING,
        # Who has one is not offered to sign in where nobody could look it up.
        "has_session": (call is None or kind in PASSING) and _has_cookie(request, call),
    }  # fmt: skip
    if isinstance(error, LinkEnded | FormRefused):
        data |= {"title": error.title, "advice": error.advice, "way": error.way}
    if call is not None and request.method == "POST":
        data["typed"] = _typed(call)
    if call is not None and call.session is not None:
        data["token"] = masked(call.session.csrf)
    if call is not None and kind == HTTPStatus.FORBIDDEN and not isinstance(error, FormRefused):
        data["givers"], data["needed"] = find_givers(call), needed_role(call)
        data["has_owner"] = call.project_or_none is not None or call.group_or_none is not None
    if kind == HTTPStatus.SERVICE_UNAVAILABLE and not data["reason"]:
        away = error.away if isinstance(error, ServiceUnavailable) else ""
        data["advice"] = f"{away or AWAY} {advice}"
    headers = {name: value for name, value in error.headers.items() if name.lower() == "retry-after"}
    if kind == HTTPStatus.TOO_MANY_REQUESTS:
        headers = {"Retry-After": WAIT, **headers}
        again = "reload the page" if request.method == "GET" else "go back and send it again"
        data["advice"] = f"Wait {_pause(headers['Retry-After'])}, then {again}."
    text = environment().get_template("fault.html").render(data)
    return HTMLResponse(text, error.status, headers)


def _reason(error: ApiError) -> str:
    """What the API says, unless that is the name of the status alone."""
    said = str(refusal_of(error))
    return "" if said.lower().rstrip(".") == HTTPStatus(error.status).phrase.lower() else said


def _pause(seconds: str) -> str:
    """How long to wait, in words; what is no number is said as it is."""
    if not seconds.isdecimal() or int(seconds) < FEW_SECONDS:
        return f"{seconds} seconds"
    return f"{-(-int(seconds) // MINUTE)} minutes"


def _place(call: PageCall | None) -> dict[str, str] | None:
    """The project or group that the visitor sees and in which something is missing or refused."""
    if call is not None and call.project_or_none is not None:
        path = call.project.full_path
        return {"path": path, "href": f"/{path}"}
    if call is not None and call.group_or_none is not None:
        path = call.group.full_path
        return {"path": path, "href": f"/groups/{path}"}
    return None


def _has_cookie(request: Request, call: PageCall | None) -> bool:
    base = wire.base_url(request) if call is None else call.base_url
    return bool(read_cookie(request, SESSION_COOKIE, base))


def _typed(call: PageCall) -> list[tuple[str, str]]:
    """Texts of the form that was sent, so that nobody has to write them again; no secrets."""
    values = ((name, value) for name, value in call.values.items() if isinstance(value, str))
    return [(name, value) for name, value in values if name in TYPED and value.strip()]
