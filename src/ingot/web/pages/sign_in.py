"""Signing in with a password, or with a link that works once."""

from collections.abc import Mapping

from starlette.responses import RedirectResponse, Response

from ingot.features.people.openid import find_label
from ingot.features.people.user_pages import local_path
from ingot.features.people.users import count_failed_sign_in
from ingot.identity import sessions
from ingot.identity.account_locks import is_locked
from ingot.identity.authentication import check_user
from ingot.identity.logins import find_by_login, has_password, is_of_directory, must_confirm
from ingot.identity.rows import UserRow
from ingot.instance import application_setting
from ingot.instance.password_attempts import address_wait
from ingot.instance.settings import named_settings
from ingot.instance.sign_in_waits import Attempt, forget_waits, seconds_to_wait
from ingot.instance.throttling import address_name
from ingot.kit.changes import Change, report_change
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall, View
from ingot.web.entering import REMEMBER, form_view
from ingot.web.faults import LinkEnded
from ingot.web.registry import Pages
from ingot.web.second_step import REFUSED, check_proof, enter_or_ask, proof_of

pages = Pages("site")
UNCONFIRMED = "You have to confirm your email address before continuing. Open the link in the email we sent you."
LATER = "Too many attempts. Wait {}, then try again."
LINK_ENDED = "The link works once and is valid for one day. An administrator can create another one for you."


@pages.get("users/sign_in")
def show_sign_in(call: PageCall) -> View | Response:
    """The form; signed-in visitors are redirected, unless somebody wants to know for sure who they are."""
    return_to = local_path(str(call.values.get("return_to", "")), fallback="/")
    if call.session is not None and "again" not in call.values:
        return RedirectResponse(return_to, 302)
    return sign_in_form(call, return_to)


@pages.post("users/sign_in")
def sign_in(call: PageCall) -> View | Response:
    """Check the password and open a session."""
    user = call.values.get("user")
    fields: dict[str, object] = user if isinstance(user, dict) else {}
    login, password = str(fields.get("login", "")).strip(), str(fields.get("password", ""))
    return_to = local_path(str(call.values.get("return_to", "")), fallback="/")
    if "otp_attempt" in fields or "device_response" in fields:
        return check_proof(call, str(call.values.get("second_step", "")), proof_of(fields), return_to)
    is_remembered = str(fields.get("remember_me", "0")) == "1"
    return _check_password(call, login, password, return_to, {REMEMBER: True} if is_remembered else {})


def _check_password(
    call: PageCall, login: str, password: str, return_to: str, more: Mapping[str, object]
) -> View | Response:
    with call.services.db.read() as conn:
        is_offered = bool(application_setting(conn, "password_authentication_enabled_for_web"))
        row = find_by_login(conn, login)
        is_offered = is_offered and not (row is not None and is_of_directory(conn, row.id))
        is_unconfirmed = row is not None and must_confirm(conn, call.services.settings, row)
    # A name and an address of the same person are one account; a name may be the number of another one.
    account = f"name {login.lower()}" if row is None else row.id
    seconds = wait_of(call, account)
    if seconds:
        return ask_to_wait(call, return_to, login, seconds)
    is_right = has_password(row, password)
    if not is_right or row is None or not is_offered or is_locked(row):
        _report_failure(call, login, None if is_right else row)
        return sign_in_form(call, return_to, login, REFUSED, 401)
    try:
        check_user(row, call.base_url)
    except ApiError as error:
        _report_refusal(call, row)
        return sign_in_form(call, return_to, login, error.text.partition(" - ")[2] or error.text, 403)
    if is_unconfirmed:
        return sign_in_form(call, return_to, login, UNCONFIRMED, 403)
    with call.services.db.write() as tx:
        forget_waits(tx, attempt_at(call, account))
    return enter_or_ask(call, row.id, return_to, more)


def _report_failure(call: PageCall, login: str, row: UserRow | None) -> None:
    """Somebody did not know the password of `row`, or names nobody, which costs the same."""
    with call.services.db.write() as tx:
        if row is not None:
            count_failed_sign_in(tx, row.id)
        report_change(tx, Change("session", "refuse", 0, details={"login": login.replace("\0", "")}))


def _report_refusal(call: PageCall, row: UserRow) -> None:
    """Somebody who is blocked knew the password."""
    if row.state in ("blocked", "ldap_blocked"):
        with call.services.db.write() as tx:
            report_change(tx, Change("user", "failed_login", row.id))


@pages.get("users/sign_in_link/{text}")
def show_link(call: PageCall) -> View:
    """The page of a sign-in link; confirmed by a button, so that link previews do not use it up."""
    link = sessions.find_link(call.conn, call.path["text"])
    if link is None:
        raise LinkEnded(LINK_ENDED)
    return form_view(call, "sign_in_link", {"name": link.name, "username": link.username})


@pages.post("users/sign_in_link/{text}")
def use_link(call: PageCall) -> View | Response:
    """Exchange the link for a session, once."""
    with call.services.db.read() as conn:
        link = sessions.find_link(conn, call.path["text"])
    if link is None:
        raise LinkEnded(LINK_ENDED)
    check_user(link, call.base_url)
    with call.services.db.write() as tx:
        if not sessions.use_link(tx, call.path["text"]):
            raise LinkEnded(LINK_ENDED)
    return enter_or_ask(call, link.id, "/-/user_settings/password/edit", {"by_link": True})


def wait_of(call: PageCall, account: int | str) -> int:
    """Count an attempt at an account, and of the address; how many seconds to wait instead."""
    db = call.services.db
    by_address = address_wait(db, call.request)
    return max(seconds_to_wait(db, attempt_at(call, account)), by_address)


def attempt_at(call: PageCall, account: int | str) -> Attempt:
    """The visitor's attempt at an account."""
    return Attempt(account, address_name(call.request))


def ask_to_wait(call: PageCall, return_to: str, login: str, seconds: int) -> View:
    """The form, with how long to wait before it is sent again."""
    minutes = -(-seconds // 60)
    view = sign_in_form(call, return_to, login, LATER.format("a minute" if minutes == 1 else f"{minutes} minutes"), 429)
    view.headers["Retry-After"] = str(seconds)
    return view


def sign_in_form(call: PageCall, return_to: str, login: str = "", problem: str = "", status: int = 200) -> View:
    """The form with every way in that the instance offers."""
    settings = call.services.settings
    with call.services.db.read() as conn:
        offered = named_settings(conn, "signup_enabled", "remember_me_enabled")
        openid_label = find_label(call.services, conn)
    data: dict[str, object] = {
        "return_to": return_to, "login": login, "problem": problem, "can_register": offered["signup_enabled"],
        "can_remember": offered["remember_me_enabled"],
        "can_reset": bool(settings.smtp_url), "openid_label": openid_label,
        "ldap_label": settings.ldap_label if settings.ldap_url else "",
    }  # fmt: skip
    return form_view(call, "sign_in", data, status)
