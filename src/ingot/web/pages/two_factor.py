"""The visitor's second factor: switching it on and off, putting it off, new recovery codes."""

import segno
from markupsafe import Markup
from starlette.responses import Response

from ingot.access.policy import SIGNED_IN
from ingot.access.required_factors import find_requirement
from ingot.features.people.user_pages import SESSION_COOKIE, read_cookie
from ingot.identity import passwords, second_factors, security_keys, sessions
from ingot.identity.proofs import note_proof
from ingot.identity.rows import SessionRow
from ingot.identity.security_keys import RelyingParty
from ingot.instance.password_attempts import require_attempt
from ingot.instance.throttling import TooManyRequests
from ingot.kit.errors import NotFound
from ingot.kit.sealing import Unreadable, seal, unseal
from ingot.web.call import PageCall, View
from ingot.web.frames import site_view
from ingot.web.guards import Proved
from ingot.web.hurdles import PUT_OFF
from ingot.web.one_time_secrets import show_once, with_secret
from ingot.web.proving import has_own_password
from ingot.web.registry import Pages
from ingot.web.second_step import WRONG_CODE, WRONG_KEY, is_tried_too_often
from ingot.web.sending import done, text
from ingot.web.visitors import require_session

pages = Pages("site")
PLACE = "-/user_settings/two_factor_auth"
GUARD = Proved(SIGNED_IN, in_form=True)
ISSUER = "Ingot"
WRONG_PASSWORD = "The current password is incorrect."
STALE = "The form has expired. Scan the new QR code."
STALE_KEY = "The form has expired. Try again."
NO_NAME = "Give the key a name."
PURPOSE = "second factor"  # of a sealed secret that waits in the form
KEY_PURPOSE = "security key"  # of a sealed challenge


@pages.get(PLACE, guard=SIGNED_IN)
def show_two_factor(call: PageCall) -> View:
    """Whether the second factor is on; else a secret to scan. New recovery codes come first."""
    return with_secret(call, lambda secret: _show_codes(call, secret["codes"]) if secret else _form(call))


@pages.post(PLACE, guard=GUARD)
def enable_two_factor(call: PageCall) -> View | Response:
    """Switch it on with the password and a code; the page shows the recovery codes once. Ends the other sessions."""
    session = require_session(call)
    secret = _secret_of_form(call, session)
    if secret is None:
        return _form(call, STALE, 422)
    if not _knows_password(call, session):
        return _form(call, WRONG_PASSWORD, 422, secret)
    if is_tried_too_often(call.services.db, session.id):
        raise TooManyRequests
    step = second_factors.matching_step(secret, "".join(text(call, "pin_code").split()))
    if step is None:
        return _form(call, WRONG_CODE, 422, secret)
    digest = sessions.digest(read_cookie(call.request, SESSION_COOKIE, call.base_url))
    with call.services.db.write() as tx:
        if second_factors.has_codes(tx, session.id):
            return done(call, f"/{PLACE}", "Two-factor authentication is already on.")
        codes = second_factors.enable(tx, call.services, session.id, secret, step)
        sessions.close_others(tx, session.id, digest)
    return _back_with_codes(call, codes)


@pages.post(PLACE + "/codes", guard=GUARD)
def renew_codes(call: PageCall) -> View | Response:
    """New recovery codes in place of the former."""
    session = require_session(call)
    if not _knows_password(call, session):
        return _form(call, WRONG_PASSWORD, 422)
    with call.services.db.write() as tx:
        is_on = second_factors.has_second_factor(tx, session.id)
        codes = second_factors.renew_recovery_codes(tx, session.id) if is_on else []
    return _back_with_codes(call, codes) if is_on else _form(call)


@pages.post(PLACE + "/disable", guard=GUARD)
def disable_two_factor(call: PageCall) -> View | Response:
    """Switch it off, with the password."""
    session = require_session(call)
    if not _knows_password(call, session):
        return _form(call, WRONG_PASSWORD, 422)
    with call.services.db.write() as tx:
        second_factors.disable(tx, session.id)
    return done(call, f"/{PLACE}", "Two-factor authentication is off.")


@pages.post(PLACE + "/keys", guard=GUARD)
def add_key(call: PageCall) -> View | Response:
    """Register a security key, with the password; recovery codes come with it where it is the first second factor."""
    session = require_session(call)
    challenge = _secret_of_form(call, session, KEY_PURPOSE)
    name = str(call.values.get("key_name", "")).strip()[:255]
    if challenge is None or not name:
        return _form(call, STALE_KEY if challenge is None else NO_NAME, 422)
    if not _knows_password(call, session):
        return _form(call, WRONG_PASSWORD, 422)
    digest = sessions.digest(read_cookie(call.request, SESSION_COOKIE, call.base_url))
    answer = str(call.values.get("device_response", ""))
    with call.services.db.write() as tx:
        codes = security_keys.register(tx, RelyingParty.at(call.base_url), session.id, name, challenge, answer)
        if codes:
            sessions.close_others(tx, session.id, digest)
    if codes is None:
        return _form(call, WRONG_KEY, 422)
    return _back_with_codes(call, codes) if codes else done(call, f"/{PLACE}", "Key added.")


@pages.post(PLACE + "/keys/{number:int}/remove", guard=GUARD)
def remove_key(call: PageCall) -> View | Response:
    """Forget a security key, with the password."""
    session = require_session(call)
    if not _knows_password(call, session):
        return _form(call, WRONG_PASSWORD, 422)
    with call.services.db.write() as tx:
        if not security_keys.remove_key(tx, session.id, int(call.path["number"])):
            raise NotFound
    return done(call, f"/{PLACE}", "Key removed.")


@pages.post(PLACE + "/skip", guard=SIGNED_IN)
def put_off_two_factor(call: PageCall) -> Response:
    """Go on without it for this session, while the grace period runs."""
    session = require_session(call)
    with call.services.db.write() as tx:
        requirement = find_requirement(tx, session.id)
        is_allowed = requirement is not None and not requirement.is_overdue
        if is_allowed:
            sessions.set_details(tx, read_cookie(call.request, SESSION_COOKIE, call.base_url), **{PUT_OFF: True})
    if not is_allowed:
        return done(call, f"/{PLACE}", "You can no longer postpone this. Set up two-factor authentication now.")
    return done(call, "/", "You can continue without two-factor authentication for now.")


def _knows_password(call: PageCall, session: SessionRow) -> bool:
    """A stolen session alone changes nothing. Whoever has no password has proved in another way who they are."""
    if not has_own_password(call, session):
        return True
    require_attempt(call.services.db, session.id)
    password = str(call.values.get("current_password", ""))[: passwords.MAXIMUM]
    is_right = passwords.matches(password, session.password_hash)
    if is_right:
        with call.services.db.write() as tx:
            note_proof(tx, read_cookie(call.request, SESSION_COOKIE, call.base_url))
    return is_right


def _secret_of_form(call: PageCall, session: SessionRow, purpose: str = PURPOSE) -> str | None:
    """The secret or challenge of the form; nobody else's, and none that this server did not make."""
    try:
        text = unseal(call.services, str(call.values.get("sealed", "")))
    except Unreadable:
        return None
    given, _, rest = text.partition(":")
    owner, _, secret = rest.partition(":")
    return secret if (given, owner) == (purpose, str(session.id)) else None


def _back_with_codes(call: PageCall, codes: list[str]) -> Response:
    return show_once(call, f"/{PLACE}", codes=" ".join(codes))


def _show_codes(call: PageCall, codes: str) -> View:
    return site_view(call, "recovery_codes", codes=codes.split(), part="two_factor")


def _form(call: PageCall, problem: str = "", status: int = 200, secret: str | None = None) -> View:
    session = call.session
    with call.services.db.read() as conn:
        is_on = second_factors.has_second_factor(conn, call.actor.id)
        has_codes = second_factors.has_codes(conn, call.actor.id)
        keys = security_keys.list_keys(conn, call.actor.id)
        requirement = find_requirement(conn, call.actor.id)
    data: dict[str, object] = {"problem": problem, "is_on": is_on, "part": "two_factor"}
    data["keys"] = [{"id": key.id, "name": key.name, "created_at": key.created_at.isoformat()} for key in keys]
    if requirement is not None:
        data["required_by"] = requirement.group or "this server"
        data["deadline"] = None if requirement.is_overdue else requirement.deadline.isoformat()
    if session is not None:  # others only read
        data["asks_password"] = has_own_password(call, session)
        challenge = security_keys.new_challenge()
        data["sealed_challenge"] = seal(call.services, f"{KEY_PURPOSE}:{session.id}:{challenge}")
        party = RelyingParty.at(call.base_url)
        data["key_options"] = security_keys.creation_options(party, session, keys, challenge)
    if session is not None and not has_codes:
        data |= _new_secret(call, session, secret or second_factors.new_secret())
    return site_view(call, "two_factor", status, **data)


def _new_secret(call: PageCall, session: SessionRow, secret: str) -> dict[str, object]:
    uri = second_factors.provisioning_uri(secret, session.email, ISSUER)
    picture = segno.make(uri, micro=False).svg_inline(scale=4, light="#fff", title="QR code")
    return {
        "secret": secret, "sealed": seal(call.services, f"{PURPOSE}:{session.id}:{secret}"),
        "picture": Markup(picture),  # noqa: S704 - numbers only: the address is drawn, not written
    }  # fmt: skip
