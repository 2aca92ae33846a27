"""Asking for a link by mail, for people who cannot sign in: one form, one limit, and one answer for everybody."""

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Select

from ingot.features.people.users import queue_account_mail
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.instance.password_attempts import MINUTE
from ingot.instance.throttling import address_name
from ingot.kit.rate_windows import hit
from ingot.web.call import PageCall, View
from ingot.web.entering import form_view
from ingot.web.frames import site_view

PER_ADDRESS, PER_ACCOUNT, HOUR = 5, 3, 3600
LATER = "Too many attempts. Wait a minute, then try again."


class MailedLink(msgspec.Struct, frozen=True):
    """A link that people can ask for."""

    purpose: str
    title: str
    action: str
    sent: str
    """The answer, the same whether or not there is such an account."""
    recipients: Callable[[], Select[Any]]
    """The accounts that get it."""
    is_due: Callable[[UserRow], bool] = lambda _: True
    """Whether one of them needs it now."""


def show_request(call: PageCall, link: MailedLink, problem: str = "", status: int = 200) -> View:
    """The form for the address."""
    data: dict[str, object] = {"heading": link.title, "action": link.action, "problem": problem}
    return form_view(call, "mailed_link", data, status)


def send_link(call: PageCall, link: MailedLink) -> View:
    """Mail the link to the address of the form."""
    fields = call.values.get("user")
    email = str(fields.get("email", "") if isinstance(fields, dict) else "").strip().lower()
    db = call.services.db
    if hit(db, f"{link.purpose}:{address_name(call.request)}"[:200], MINUTE).observed > PER_ADDRESS:
        return show_request(call, link, LATER, 429)
    is_flooded = hit(db, f"{link.purpose}:{email}"[:200], HOUR).observed > PER_ACCOUNT
    with db.write() as tx:
        query = link.recipients().where(users.c.email_lower == email)
        user = None if is_flooded else tx.execute(query).one_or_none()
        if user is not None and link.is_due(user):
            queue_account_mail(tx, user.id, link.purpose)
    return site_view(call, "account_notice", text=link.sent)
