"""A new password by mail, for people who forgot theirs."""

from sqlalchemy import Select, select

from ingot.features.people.users import queue_account_mail
from ingot.identity import sessions
from ingot.identity.account_locks import unlock
from ingot.identity.logins import OF_DIRECTORY
from ingot.identity.mail_tokens import RESET, read_token, reset_proof
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.instance import application_setting
from ingot.instance.password_attempts import MINUTE
from ingot.instance.throttling import address_name
from ingot.kit.changes import Change, report_change
from ingot.kit.errors import NotFound
from ingot.kit.rate_windows import hit
from ingot.web.call import PageCall, View
from ingot.web.entering import form_view
from ingot.web.frames import site_view
from ingot.web.new_password import new_password_problem, new_password_update
from ingot.web.registry import Pages

pages = Pages("site")
PER_ADDRESS, PER_ACCOUNT, HOUR = 5, 3, 3600
SENT = "If the address belongs to an account here, a mail with a link is on its way to it."
LATER = "Too many attempts. Wait a minute, then try again."
DONE = "Your password is changed. Sign in with the new one."


@pages.get("users/password/new")
def show_request(call: PageCall) -> View:
    """The form for the address; 404 without a mail server."""
    _require_mail(call)
    return form_view(call, "password_request", {"problem": ""})


@pages.post("users/password")
def request_reset(call: PageCall) -> View:
    """Mail the link. The answer is the same whether or not there is such an account."""
    _require_mail(call)
    fields = call.values.get("user")
    email = str(fields.get("email", "") if isinstance(fields, dict) else "").strip().lower()
    db = call.services.db
    if hit(db, f"reset:{address_name(call.request)}"[:200], MINUTE).observed > PER_ADDRESS:
        return form_view(call, "password_request", {"problem": LATER}, 429)
    is_flooded = hit(db, f"reset:{email}"[:200], HOUR).observed > PER_ACCOUNT
    with db.write() as tx:
        user = None if is_flooded else tx.execute(_reachable(email)).one_or_none()
        if user is not None:
            queue_account_mail(tx, user.id, RESET)
    return site_view(call, "account_notice", text=SENT)


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
            raise NotFound  # the link was used a moment ago
        sessions.close_sessions(tx, user.id)
        unlock(tx, user.id)
        report_change(tx, Change("account", "edit", user.id, details={"before": user}))
    return site_view(call, "account_notice", text=DONE)


def _require_mail(call: PageCall) -> None:
    with call.services.db.read() as conn:
        is_offered = bool(application_setting(conn, "password_authentication_enabled_for_web"))
    if not call.services.settings.smtp_url or not is_offered:
        raise NotFound


def _reachable(email: str) -> Select[tuple[object, ...]]:
    """Only a proved address opens an account, only one that is in use, and none of a directory."""
    return select(users).where(
        users.c.email_lower == email,
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
        raise NotFound
    return user


def _form(call: PageCall, user: UserRow, problem: str = "", status: int = 200) -> View:
    token = str(call.values.get("reset_password_token", ""))
    data: dict[str, object] = {"reset_password_token": token, "username": user.username, "problem": problem}
    return form_view(call, "password_reset", data, status)
