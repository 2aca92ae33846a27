"""Signing in by the directory of the instance."""

import logging

from sqlalchemy import select
from starlette.responses import Response

from ingot.features.people.ldap import PROVIDER, DirectoryUnavailable, TriedTooOften, authenticate
from ingot.features.people.openid import Identity, Refused, find_account, register_account
from ingot.features.people.user_pages import local_path
from ingot.identity.authentication import check_user
from ingot.identity.tables import users
from ingot.instance.password_attempts import MINUTE, is_tried_too_often
from ingot.instance.sign_in_waits import forget_waits
from ingot.kit.changes import Change, report_change
from ingot.kit.errors import ApiError, NotFound
from ingot.web.call import PageCall, View
from ingot.web.pages.sign_in import ask_to_wait, attempt_at, sign_in_form, wait_of
from ingot.web.registry import Pages
from ingot.web.second_step import REFUSED, enter_or_ask

pages = Pages("site")
log = logging.getLogger("ingot.ldap")
UNREACHABLE = "The directory is not available. Try again, or sign in another way."


@pages.post("users/auth/ldapmain/callback")
def sign_in_by_directory(call: PageCall) -> View | Response:
    """Sign in with the name and password that somebody has in the directory."""
    if not call.services.settings.ldap_url:
        raise NotFound
    return_to = local_path(str(call.values.get("return_to", "")), fallback="/")
    name, password = str(call.values.get("username", "")).strip(), str(call.values.get("password", ""))
    seconds = wait_of(call, _account(name))
    if seconds:
        return ask_to_wait(call, return_to, "", seconds)
    return _sign_in(call, name, password, return_to)


def _sign_in(call: PageCall, name: str, password: str, return_to: str) -> View | Response:
    try:
        identity = _authenticate(call, name, password)
        if identity is None:
            return sign_in_form(call, return_to, problem=REFUSED, status=401)
        with call.services.db.write() as tx:
            forget_waits(tx, attempt_at(call, _account(name)))
        return _enter(call, identity, return_to)
    except TriedTooOften:
        return ask_to_wait(call, return_to, "", MINUTE)
    except DirectoryUnavailable as error:
        log.warning("the LDAP directory cannot be used: %s", error)
        return sign_in_form(call, return_to, problem=UNREACHABLE, status=503)
    except Refused as refusal:
        return sign_in_form(call, return_to, problem=str(refusal), status=403)
    except ApiError as error:
        return sign_in_form(call, return_to, problem=error.text.partition(" - ")[2] or error.text, status=403)


def _authenticate(call: PageCall, name: str, password: str) -> Identity | None:
    """Ask the directory; attempts are counted as those with passwords of this server."""
    db = call.services.db
    identity = authenticate(
        call.services.settings, name, password, lambda entry: is_tried_too_often(db, f"ldap entry:{entry}")
    )
    if identity is None:
        with db.write() as tx:
            report_change(tx, Change("session", "refuse", 0, details={"login": name.replace("\0", "")}))
    return identity


def _enter(call: PageCall, identity: Identity, return_to: str) -> View | Response:
    with call.services.db.write() as tx:
        known = find_account(tx, identity.subject, PROVIDER)
        is_open = call.services.settings.ldap_registration
        user_id = known.id if known else register_account(tx, identity, is_open=is_open, provider=PROVIDER)
        row = known or tx.execute(select(users).where(users.c.id == user_id)).one()
    check_user(row, call.base_url)
    return enter_or_ask(call, user_id, return_to)


def _account(name: str) -> str:
    """By what attempts are counted."""
    return f"ldap:{name.lower()}"
