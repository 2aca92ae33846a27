"""A new password by mail, for people who forgot theirs."""

from sqlalchemy import Select, select

from ingot.identity import sessions
from ingot.identity.account_locks import unlock
from ingot.identity.logins import OF_DIRECTORY
from ingot.identity.mail_tokens import RESET, read_token, reset_proof
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.instance import application_setting
from ingot.kit.changes import Change, report_change
from ingot.kit.errors import NotFound
from ingot.web.call import PageCall, View
from ingot.web.entering import form_view
from ingot.web.faults import LinkEnded
from ingot.web.frames import site_view
from ingot.web.mailed_links import MailedLink, send_link
from ingot.web.mailed_links import show_request as show_link_request
from ingot.web.new_password import new_password_problem, new_password_update
from ingot.web.registry import Pages

pages = Pages("site")
DONE = "Your password was changed. Sign in with the new password."


@pages.get("users/password/new")
def show_request(call: PageCall) -> View:
    """The form for the address; 404 without a mail server."""
    _require_mail(call)
    return show_link_request(call, LINK)


@pages.post("users/password")
def request_reset(call: PageCall) -> View:
    """Mail the link. The answer is the same whether or not there is such an account."""
    _require_mail(call)
    return send_link(call, LINK)


@pages.get("users/password/edit")
def show_reset(call: PageCall) -> View:
    """The page of the mailed link."""
    return _form(call, _find_user(call))


@pages.post("users/password/edit")
def reset_password(call: PageCall) -> View:
    """Set the password, end all sessions and unlock the account; the link works no more. Nobody is signed in by it."""
    user = _find_user(call)
    problem = new_password_problem(call, user)
    if problem:
        return _form(call, user, problem, 422)
    change = new_password_update(call, user)
    unchanged = (
        users.c.password_hash.is_(None) if user.password_hash is None else users.c.password_hash == user.password_hash
    )
    with call.services.db.write() as tx:
        if tx.execute(change.where(unchanged)).rowcount != 1:
            raise _ended()  # the link was used a moment ago
        sessions.close_sessions(tx, user.id)
        unlock(tx, user.id)
        report_change(tx, Change("account", "edit", user.id, details={"before": user}))
    return site_view(call, "account_notice", text=DONE)


def _require_mail(call: PageCall) -> None:
    with call.services.db.read() as conn:
        is_offered = bool(application_setting(conn, "password_authentication_enabled_for_web"))
    if not call.services.settings.smtp_url or not is_offered:
        raise NotFound


def _reachable() -> Select[tuple[object, ...]]:
    """Only a proved address opens an account, only one that is in use, and none of a directory."""
    return select(users).where(
        users.c.confirmed_at.is_not(None),
        users.c.state == "active",
        users.c.kind == "human",
        ~OF_DIRECTORY,
    )


def _find_user(call: PageCall) -> UserRow:
    """The user of the link; 404 for one that was used, has ended, or was sent to a former address.

    A directory that knows the person by now ends it, too.
    """
    _require_mail(call)
    token = read_token(call.services, RESET, str(call.values.get("reset_password_token", "")))
    with call.services.db.read() as conn:
        query = select(users).where(users.c.id == (token.record_id if token else 0), users.c.state == "active")
        user = conn.execute(query.where(~OF_DIRECTORY)).one_or_none()
    if token is None or user is None or reset_proof(user) != token.proof:
        raise _ended()
    return user


def _ended() -> LinkEnded:
    words = "The link works once and is valid for two days."
    return LinkEnded(words, ("Request a new link", "/users/password/new"))


def _form(call: PageCall, user: UserRow, problem: str = "", status: int = 200) -> View:
    token = str(call.values.get("reset_password_token", ""))
    data: dict[str, object] = {"reset_password_token": token, "username": user.username, "problem": problem}
    return form_view(call, "password_reset", data, status)


LINK = MailedLink(
    RESET,
    "Forgot your password?",
    "/users/password",
    "If an account with this address exists, we sent an email with a link to it.",
    _reachable,
)
