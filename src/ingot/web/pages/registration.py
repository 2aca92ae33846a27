"""Registration: a form for new people, where it is open to them, and the link that confirms an address."""

from dataclasses import dataclass

from sqlalchemy import Connection, Select, select
from starlette.responses import RedirectResponse, Response

from ingot.features.people.invitations import invitations
from ingot.features.people.users import create_user, edit_user, problems_of, queue_account_mail
from ingot.identity import passwords
from ingot.identity.mail_tokens import CONFIRM, INVITE, MailToken, read_token
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.instance import application_setting
from ingot.instance.password_attempts import MINUTE
from ingot.instance.throttling import address_name
from ingot.kit.clock import now
from ingot.kit.errors import Conflict, Invalid, NotFound
from ingot.kit.rate_windows import hit
from ingot.web.call import PageCall, View
from ingot.web.entering import form_view
from ingot.web.faults import LinkEnded, RegistrationClosed
from ingot.web.frames import site_view
from ingot.web.mailed_links import MailedLink, send_link, show_request
from ingot.web.refusal_words import said_of_form
from ingot.web.refusals import about_field, refusal_of
from ingot.web.registry import Pages

pages = Pages("site")
PER_ADDRESS = 5
LATER = "Too many attempts. Wait a minute, then try again."
PENDING = "blocked_pending_approval"
REGISTERED = "Your account was created."
CONFIRM_FIRST = "Open the link in the email we sent you to confirm your address."
APPROVAL_FIRST = "An administrator has to approve your account before you can sign in."
SIGN_IN = "Then sign in with your new password."
STATES = ("active", PENDING)


@dataclass(frozen=True, slots=True)
class NewAccount:
    """What somebody typed."""

    username: str
    name: str
    email: str
    password: str

    @property
    def values(self) -> dict[str, str]:
        """The columns of the account that are shown in the form again."""
        return {"username": self.username, "name": self.name, "email": self.email}


@pages.get("users/sign_up")
def show_sign_up(call: PageCall) -> View | Response:
    """The form; 404 where registration is closed and no invitation opens it."""
    if call.session is not None:
        return RedirectResponse("/", 302)
    return _form(call, NewAccount("", "", _require_open(call), ""))


@pages.post("users/sign_up")
def sign_up(call: PageCall) -> View:
    """Create an account. It may have to be approved, and its address to be confirmed, before it can be used."""
    invited_address = _require_open(call)
    account = _read(call, invited_address)
    if hit(call.services.db, f"sign_up:{address_name(call.request)}"[:200], MINUTE).observed > PER_ADDRESS:
        return _form(call, account, LATER, 429)
    problem = _problem(call, account)
    if problem:
        return _form(call, account, problem, 422)
    # The mail with the invitation proved the address.
    is_mailed = bool(call.services.settings.smtp_url) and not invited_address
    stored = passwords.hashed(account.password)
    try:
        with call.services.db.write() as tx:
            user_id, must_wait = _create(tx, account, stored, is_confirmed=bool(invited_address))
            if is_mailed:
                queue_account_mail(tx, user_id, CONFIRM)
    except Conflict as error:
        return _form(call, account, _taken(error), 422)
    confirm = CONFIRM_FIRST if is_mailed and _must_confirm(call) else ""
    sentences = [REGISTERED, confirm, APPROVAL_FIRST if must_wait else SIGN_IN]
    return _notice(call, " ".join(filter(None, sentences)))


def _must_confirm(call: PageCall) -> bool:
    with call.services.db.read() as conn:
        return bool(application_setting(conn, "email_confirmation_setting") == "hard")


def _create(tx: Connection, account: NewAccount, password_hash: str, *, is_confirmed: bool) -> tuple[int, bool]:
    """Create the account as the instance's settings say; returns its id and whether it has to be approved."""
    must_wait = bool(application_setting(tx, "require_admin_approval_after_user_signup"))
    user_id = create_user(
        tx,
        username=account.username,
        name=account.name,
        email=account.email,
        password_hash=password_hash,
        state=PENDING if must_wait else "active",
        confirmed_at=now() if is_confirmed else None,
        profile={"registered": True},
        projects_limit=application_setting(tx, "default_projects_limit"),
        can_create_group=application_setting(tx, "can_create_group"),
        is_external=application_setting(tx, "user_default_external"),
    )
    return user_id, must_wait


@pages.get("users/confirmation")
def show_confirmation(call: PageCall) -> View:
    """The page of the mailed link; a button confirms, so that link previews change nothing."""
    token = str(call.values.get("confirmation_token", ""))
    user = _find_unconfirmed(call, token)
    return form_view(call, "confirmation", {"confirmation_token": token, "email": user.email})


@pages.get("users/confirmation/new")
def show_confirmation_request(call: PageCall) -> View:
    """The form for another mail to confirm an address; 404 without a mail server."""
    _require_mail(call)
    return show_request(call, CONFIRMATION)


@pages.post("users/confirmation")
def confirm_address(call: PageCall) -> View:
    """Confirm the address of the link, or mail the link again."""
    if "confirmation_token" not in call.values:
        _require_mail(call)
        return send_link(call, CONFIRMATION)
    user = _find_unconfirmed(call, str(call.values.get("confirmation_token", "")))
    with call.services.db.write() as tx:
        edit_user(tx, user, {"confirmed_at": now()})
    return _notice(
        call,
        "Your address is confirmed. You can sign in now, unless an administrator still has to approve your account.",
    )


def _find_unconfirmed(call: PageCall, text: str) -> UserRow:
    token = read_token(call.services, CONFIRM, text)
    with call.services.db.read() as conn:
        user = None if token is None else conn.execute(_with_address(token)).one_or_none()
    if user is None:
        can_mail = bool(call.services.settings.smtp_url)
        words = "The link works once and is valid for one day. Your address may already be confirmed. Try to sign in."
        raise LinkEnded(words, ("Request a new link", "/users/confirmation/new") if can_mail else None)
    return user


def _with_address(token: MailToken) -> Select[tuple[object, ...]]:
    return select(users).where(
        users.c.id == token.record_id,
        users.c.email_lower == token.proof,
        users.c.confirmed_at.is_(None),
        users.c.state.in_(STATES),
    )


def _require_mail(call: PageCall) -> None:
    if not call.services.settings.smtp_url:
        raise NotFound


def _unconfirmed() -> Select[tuple[object, ...]]:
    return select(users).where(users.c.confirmed_at.is_(None), users.c.state.in_(STATES), users.c.kind == "human")


CONFIRMATION = MailedLink(
    CONFIRM,
    "Confirm your address",
    "/users/confirmation",
    "If an account with this unconfirmed address exists, we sent an email with a link to it.",
    _unconfirmed,
)


def _require_open(call: PageCall) -> str:
    """404 where registration is closed to the visitor; returns the invited address, empty without an invitation."""
    token = read_token(call.services, INVITE, str(call.values.get("invite", "")))
    with call.services.db.read() as conn:
        is_offered = bool(application_setting(conn, "password_authentication_enabled_for_web"))
        is_open = is_offered and bool(application_setting(conn, "signup_enabled"))
        address = None
        if token is not None and is_offered:
            waiting = (invitations.c.id == token.record_id) & (invitations.c.email_lower == token.proof)
            address = conn.execute(select(invitations.c.email).where(waiting)).scalar_one_or_none()
    if address is None and not is_open:
        raise RegistrationClosed
    return address or ""


def _read(call: PageCall, invited_address: str) -> NewAccount:
    user = call.values.get("new_user")
    fields: dict[str, object] = user if isinstance(user, dict) else {}
    email = invited_address or str(fields.get("email", "")).strip()
    username, name = str(fields.get("username", "")).strip(), str(fields.get("name", "")).strip()
    return NewAccount(username, name, email, str(fields.get("password", "")))


def _problem(call: PageCall, account: NewAccount) -> str:
    with call.services.db.read() as conn:
        rules = passwords.password_rules(conn)
    problems = problems_of({**account.values, "password": account.password}, rules)
    if not problems:
        return ""
    return refusal_of(Invalid({f"new_user[{name}]": texts for name, texts in problems.items()}))


def _taken(error: Conflict) -> str:
    """Which of the values somebody else has."""
    of_form = said_of_form(error.text)
    return f"{error.text}." if of_form is None else about_field(f"new_user[{of_form[0]}]", of_form[1])


def _form(call: PageCall, account: NewAccount, problem: str = "", status: int = 200) -> View:
    invite = str(call.values.get("invite", ""))
    minimum = int(application_setting(call.conn, "minimum_password_length"))
    data: dict[str, object] = {**account.values, "problem": problem, "invite": invite, "minimum": minimum}
    return form_view(call, "sign_up", data, status)


def _notice(call: PageCall, text: str) -> View:
    return site_view(call, "account_notice", text=text)
