"""The second step of signing in, for people who have a second factor."""

from collections.abc import Mapping
from datetime import timedelta

import msgspec
from sqlalchemy import Connection
from starlette.responses import Response

from ingot.features.people.users import count_failed_sign_in
from ingot.identity import second_factors, security_keys, sessions
from ingot.identity.account_locks import is_locked
from ingot.identity.authentication import check_user
from ingot.identity.security_keys import RelyingParty
from ingot.instance.password_attempts import MINUTE
from ingot.kit.clock import now
from ingot.kit.db import Database
from ingot.kit.rate_windows import hit
from ingot.web.call import PageCall, View
from ingot.web.entering import ADMIN_MODE, REMEMBER, enter, form_view

LIFETIME = timedelta(minutes=10)
REFUSED = "Invalid login or password."
WRONG_CODE = "Invalid two-factor code."
WRONG_KEY = "The key was not accepted."
CHALLENGE = "webauthn_challenge"  # in the details of a sign-in that waits
LATER = "Too many attempts. Wait a few minutes, then try again."
START_AGAIN = "This sign-in expired. Start again with your password."
PER_MINUTE, PER_HOUR, HOUR = 5, 20, 3600


def enter_or_ask(
    call: PageCall, user_id: int, return_to: str, more: Mapping[str, object] | None = None
) -> View | Response:
    """Open a session; ask for the second factor first where the user has one."""
    with call.services.db.read() as conn:
        is_asked = second_factors.has_second_factor(conn, user_id)
    if not is_asked:
        return enter(call, user_id, return_to, more)
    details = {**(more or {}), CHALLENGE: security_keys.new_challenge()}
    with call.services.db.write() as tx:
        clear = sessions.create_pending(tx, user_id, now() + LIFETIME, details)
    return _form(call, clear, return_to)


class Proof(msgspec.Struct, frozen=True):
    """What the visitor answered to the second step: a code, or what a key signed."""

    code: str = ""
    key: str = ""

    def use(self, call: PageCall, tx: Connection, user_id: int, challenge: str) -> bool:
        """Whether it is right; it is used up."""
        if self.key:
            return security_keys.use_key(tx, RelyingParty.at(call.base_url), user_id, challenge, self.key)
        return second_factors.use_code(tx, call.services, user_id, self.code)


def proof_of(fields: Mapping[str, object]) -> Proof:
    """The answer in the fields of a form."""
    return Proof(str(fields.get("otp_attempt", "")), str(fields.get("device_response", "")))


def check_proof(call: PageCall, clear: str, proof: Proof, return_to: str) -> View | Response:
    """Open the session if the answer is right. Attempts are counted by account, on all nodes together."""
    with call.services.db.read() as conn:
        pending = sessions.find_pending(conn, clear)
    if pending is None:
        return _start_again(call, return_to, START_AGAIN)
    if is_locked(pending):
        return _start_again(call, return_to, REFUSED)
    if is_tried_too_often(call.services.db, pending.id):
        return _form(call, clear, return_to, LATER, 429)
    check_user(pending, call.base_url)
    with call.services.db.write() as tx:
        is_right = proof.use(call, tx, pending.id, str(pending.details.get(CHALLENGE, "")))
        # Keys without a counter sign the same twice: each challenge is for one answer.
        is_right = is_right and sessions.close_session(tx, clear)
        if not is_right:
            count_failed_sign_in(tx, pending.id)
    if not is_right:
        return _form(call, clear, return_to, WRONG_KEY if proof.key else WRONG_CODE, 401)
    more = {name: value for name, value in pending.details.items() if name in ("by_link", REMEMBER, ADMIN_MODE)}
    return enter(call, pending.id, return_to, more)


def _start_again(call: PageCall, return_to: str, problem: str) -> View:
    from ingot.web.pages.sign_in import sign_in_form

    return sign_in_form(call, return_to, problem=problem, status=401)


def is_tried_too_often(db: Database, user_id: int) -> bool:
    """Count one more code; whether it is one too many. The longer window makes guessing hopeless."""
    by_minute = hit(db, f"second_factor:{user_id}", MINUTE).observed > PER_MINUTE
    return (hit(db, f"second_factor_hour:{user_id}", HOUR).observed > PER_HOUR) or by_minute


def _form(call: PageCall, clear: str, return_to: str, problem: str = "", status: int = 200) -> View:
    data: dict[str, object] = {"second_step": clear, "return_to": return_to, "problem": problem}
    with call.services.db.read() as conn:
        pending = sessions.find_pending(conn, clear)
        if pending is not None:
            data |= ask_key(conn, call, pending.id, str(pending.details.get(CHALLENGE, "")))
    return form_view(call, "second_step", data, status)


def ask_key(conn: Connection, call: PageCall, user_id: int, challenge: str) -> dict[str, object]:
    """What a form needs to ask for a key; nothing for people without one."""
    keys = security_keys.list_keys(conn, user_id)
    options = security_keys.request_options(RelyingParty.at(call.base_url), keys, challenge) if keys else ""
    return {"key_options": options} if options else {}
