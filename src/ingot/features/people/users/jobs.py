"""Background work of users: mails about accounts, and the removal of abandoned namespaces."""

import logging
import smtplib

from sqlalchemy import delete, literal, select

from ingot.access.tables import namespaces, projects
from ingot.features.people.users.account_mails import compose
from ingot.identity.tables import users
from ingot.instance import mailing
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, Run, Transient, job, periodic

log = logging.getLogger("ingot.users")


@job("account_mail", retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF)
def send_account_mail(run: Run, user_id: int, purpose: str, detail: str = "", to: str = "") -> None:
    """Mail a user a link, or what happened to the account."""
    with run.db.read() as conn:
        user = conn.execute(select(users).where(users.c.id == user_id)).one_or_none()
    letter = None if user is None else compose(run.services, user, purpose, detail)
    if user is None or letter is None:
        return
    try:
        mailing.send(run.services, to or user.email, *letter)
    except smtplib.SMTPRecipientsRefused:
        log.warning("the mail server refuses the address of a user", extra={"user": user_id})
    except (OSError, smtplib.SMTPException) as fault:
        raise Transient("The mail server did not take the mail.") from fault


@periodic("delete_abandoned_namespaces", every=3600)
def delete_abandoned_namespaces(run: Run) -> None:
    """Remove personal namespaces without an owner once their projects are gone."""
    inside = select(literal(1)).where(projects.c.namespace_id == namespaces.c.id).exists()
    with run.db.write() as tx:
        tx.execute(delete(namespaces).where(namespaces.c.kind == "user", namespaces.c.owner_id.is_(None), ~inside))
