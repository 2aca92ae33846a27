"""Asking people once more who they are: before forms behind `Proved`, and before admin mode.

Whoever finds an open browser, or takes over a session, gets neither lasting keys nor the account itself.
"""

import logging
from urllib.parse import quote

import msgspec
from sqlalchemy import Connection, select

from ingot.features.people import ldap
from ingot.features.people.openid import PROVIDER, find_label
from ingot.features.people.saml import sign_in_path_of
from ingot.features.people.user_pages import SESSION_COOKIE, read_cookie
from ingot.features.people.users import count_failed_sign_in
from ingot.identity import second_factors, security_keys, sessions
from ingot.identity.account_locks import is_locked, unlock
from ingot.identity.logins import has_password, is_of_directory
from ingot.identity.proofs import is_recent, note_proof
from ingot.identity.rows import SessionRow, UserRow
from ingot.identity.tables import identities, users
from ingot.instance.password_attempts import is_address_trying_too_often, is_tried_too_often
from ingot.web.call import PageCall, View
from ingot.web.form_targets import policy_on_the_way
from ingot.web.frames import site_view
from ingot.web.guards import Proved
from ingot.web.kept_forms import NOT_STORED, carry_along, kept_fields
from ingot.web.second_step import CHALLENGE, LATER, WRONG_CODE, WRONG_KEY, ask_key, proof_of
from ingot.web.second_step import is_tried_too_often as is_code_tried_too_often
from ingot.web.visitors import require_session

log = logging.getLogger("ingot.ldap")
REFUSED = "Invalid login or password."
UNREACHABLE = "The directory is not available. Try again in a moment."
NO_PROOF = "Your identity cannot be confirmed. Set a password or turn on two-factor authentication first."


class Problem(msgspec.Struct, frozen=True):
    """Why the proof does not count."""

    words: str
    status: int = 401


class Demand(msgspec.Struct, frozen=True):
    """Who has to prove themselves, and with what."""

    person: UserRow
    password: bool
    code: bool
    entry: str = ""  # in the directory, for those whose password is there


def ask_again(call: PageCall) -> View | None:
    """The page that asks, in place of a form whose person has not proved who they are for ten minutes.

    It carries the form along, which is shown afterwards to be sent with one click.
    """
    guard, session = call.endpoint.guard, call.session
    if call.is_read or not isinstance(guard, Proved) or session is None or is_recent(session):
        return None
    if (guard.in_form and has_own_password(call, session)) or (guard.takes_link and _has_only_a_link(session)):
        return None
    carry_along(call)
    return confirm_view(call, "/", status=401, is_held=True)


def has_own_password(call: PageCall, session: SessionRow) -> bool:
    """Whether a password of this server opens the account of the session."""
    with call.services.db.read() as conn:
        return bool(session.password_hash) and not is_of_directory(conn, session.id)


def _has_only_a_link(session: SessionRow) -> bool:
    return not session.password_hash and "by_link" in session.details


def confirm_view(
    call: PageCall, return_to: str, problem: str = "", status: int = 200, *, is_held: bool = False
) -> View:
    """The form for the password, or for whatever else the person has."""
    view = site_view(
        call, "confirm_access", status, problem=problem, return_to=return_to, is_held=is_held,
        **ask_for_proof(call), **_other_ways(call, return_to), **kept_fields(call),
    )  # fmt: skip
    with call.services.db.read() as conn:
        view.headers.update({**policy_on_the_way(conn, return_to), **NOT_STORED})
    return view


def ask_for_proof(call: PageCall, *, needs_both: bool = False) -> dict[str, object]:
    """What a form shows to ask for the password and for the second factor."""
    session = require_session(call)
    with call.services.db.read() as conn:
        demand = _demand(call, conn, session, needs_both=needs_both)
    data: dict[str, object] = {"asks_password": demand.password, "asks_code": demand.code}
    if demand.entry:
        data["password_label"] = call.services.settings.ldap_label
    if demand.code:
        challenge = security_keys.new_challenge()
        with call.services.db.write() as tx:
            data |= ask_key(tx, call, demand.person.id, challenge)
            sessions.set_details(tx, read_cookie(call.request, SESSION_COOKIE, call.base_url), **{CHALLENGE: challenge})
    return data


def check_proof(call: PageCall, *, needs_both: bool = False, **details: object) -> Problem | None:
    """Note the proof in the session, with `details`; or say what is wrong. Tries are counted as those of signing in."""
    session, db = require_session(call), call.services.db
    with db.read() as conn:
        demand = _demand(call, conn, session, needs_both=needs_both)
    by_address = is_address_trying_too_often(db, call.request)
    if is_tried_too_often(db, demand.person.id) or by_address:
        return Problem(LATER, 429)
    problem = _find_problem(call, session, demand)
    with db.write() as tx:
        if problem is None:
            unlock(tx, demand.person.id)  # failures count in a row
            note_proof(tx, read_cookie(call.request, SESSION_COOKIE, call.base_url), **details)
        elif problem.words in (REFUSED, WRONG_CODE, WRONG_KEY):
            count_failed_sign_in(tx, demand.person.id)
    return problem


def _find_problem(call: PageCall, session: SessionRow, demand: Demand) -> Problem | None:
    user = call.values.get("user")
    fields: dict[str, object] = user if isinstance(user, dict) else {}
    if not demand.password and not demand.code:
        return Problem(NO_PROOF)
    if is_locked(demand.person):
        return Problem(REFUSED)
    problem = _check_password(call, demand, str(fields.get("password", ""))) if demand.password else None
    if problem is not None or not demand.code:
        return problem
    if is_code_tried_too_often(call.services.db, demand.person.id):
        return Problem(LATER, 429)
    proof = proof_of(fields)
    with call.services.db.write() as tx:
        is_right = proof.use(call, tx, demand.person.id, str(session.details.get(CHALLENGE, "")))
        # A challenge is for one answer.
        sessions.set_details(tx, read_cookie(call.request, SESSION_COOKIE, call.base_url), **{CHALLENGE: None})
    return None if is_right else Problem(WRONG_KEY if proof.key else WRONG_CODE)


def _check_password(call: PageCall, demand: Demand, password: str) -> Problem | None:
    """Here, or where the person has it: the directory judges its own passwords."""
    db, settings = call.services.db, call.services.settings
    try:
        if not demand.entry:
            is_right = has_password(demand.person, password)
        else:
            is_right = ldap.has_directory_password(
                settings, demand.entry, password, lambda entry: is_tried_too_often(db, f"ldap entry:{entry}")
            )
    except ldap.TriedTooOften:
        return Problem(LATER, 429)
    except ldap.DirectoryUnavailable as error:
        log.warning("the LDAP directory cannot be used: %s", error)
        return Problem(UNREACHABLE, 503)
    return None if is_right else Problem(REFUSED)


def _demand(call: PageCall, conn: Connection, session: SessionRow, *, needs_both: bool) -> Demand:
    """The password, if there is one; else, or where both are needed, the second factor."""
    person: UserRow = session
    lender = session.details.get(sessions.IMPERSONATOR)
    if lender is not None:
        # Whoever acts as somebody else proves who they are themselves.
        person = conn.execute(select(users).where(users.c.id == lender["id"])).one()
    entry = _uid_at(conn, person.id, ldap.PROVIDER) if call.services.settings.ldap_url else ""
    asks_password = bool(entry) or (bool(person.password_hash) and not is_of_directory(conn, person.id))
    asks_code = (needs_both or not asks_password) and second_factors.has_second_factor(conn, person.id)
    return Demand(person, asks_password, asks_code, entry)


def _other_ways(call: PageCall, return_to: str) -> dict[str, object]:
    """Signing in again where the person has their password: at an identity provider."""
    session = require_session(call)
    if sessions.IMPERSONATOR in session.details:
        return {}
    query = f"again=true&return_to={quote(return_to, safe='')}"
    ways: dict[str, object] = {}
    if is_of_service(call, session):
        label = call.services.settings.openid_label
        ways |= {"way_label": label, "way": f"/users/auth/openid_connect?{query}"}
    if "saml_provider_id" in session.details:
        with call.services.db.read() as conn:
            path = sign_in_path_of(conn, session.details["saml_provider_id"])
        ways |= {"way_label": "your group's provider", "way": f"{path}?{query}"} if path else {}
    ways["may_set_password"] = _has_only_a_link(session)
    return ways


def is_of_service(call: PageCall, session: SessionRow) -> bool:
    """Whether the person can sign in again at the OpenID Connect provider."""
    if not call.services.settings.openid_issuer or sessions.IMPERSONATOR in session.details:
        return False
    with call.services.db.read() as conn:
        return bool(find_label(call.services, conn) and _uid_at(conn, session.id, PROVIDER))


def _uid_at(conn: Connection, user_id: int, provider: str) -> str:
    """The name that a directory or provider of the instance has for somebody."""
    own = (identities.c.user_id == user_id, identities.c.provider == provider, identities.c.saml_provider_id.is_(None))
    return conn.execute(select(identities.c.extern_uid).where(*own)).scalar_one_or_none() or ""
