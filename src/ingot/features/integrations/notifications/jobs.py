"""Sending mails about what happened: at least once to everybody, and not twice where a run is repeated."""

import logging
import smtplib
from datetime import timedelta
from functools import partial

import msgspec
from sqlalchemy import Connection, select

from ingot.access.tables import namespace_ancestors, namespaces, projects
from ingot.features.integrations.notifications.happenings import Happening
from ingot.features.integrations.notifications.letters import Letter, compose
from ingot.features.integrations.notifications.messages import write
from ingot.features.integrations.notifications.recipients import Recipient, recipients
from ingot.features.planning.issuables import get_kind
from ingot.features.spaces.projects import project_settings
from ingot.instance import mailing
from ingot.kit import mail
from ingot.kit.clock import today
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, Run, Transient, enqueue, job, periodic
from ingot.kit.services import Services

log = logging.getLogger("ingot.notifications")
PERMANENT = 500  # answers of mail servers from here on; those below may be others later


@job("notification_mails", calls=True, retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF)
def send_notification_mails(run: Run, happening: dict[str, object]) -> None:
    """Mail everybody who wants to know of it."""
    about = msgspec.convert(happening, Happening)
    with run.db.read() as conn:
        letter = compose(run.services, conn, about) if _are_enabled(conn, about.project_id) else None
        if letter is None:
            return
        people = recipients(conn, about)
    waiting: NotTaken | None = None
    for person in people:
        run.check()
        try:
            run.step(f"to-{person.user.id}", partial(_send, run.services, about, letter, person, run.key))
        except NotTaken as fault:
            waiting = fault
    if waiting is not None:
        raise waiting


class NotTaken(Transient):
    """The mail server does not take the mail to one person now; it may take those to others."""


def _send(services: Services, happening: Happening, letter: Letter, to: Recipient, key: str) -> None:
    try:
        message = write(services, happening, letter, to, key.rpartition("-")[2])
    except ValueError:
        log.warning("no mail can be written to the address of a user", extra={"user": to.user.id})
        return
    try:
        mailing.send_message(services, message)
    except OSError as fault:  # all faults of smtplib are
        if _is_final(fault, to.address):
            log.warning("the mail server refuses a mail to a user", extra={"user": to.user.id})
            return
        is_of_one = isinstance(fault, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError)
        raise (NotTaken if is_of_one else Transient)("The mail server did not take the mail.") from fault


def _is_final(fault: OSError, address: str) -> bool:
    """The server will never take this mail."""
    if isinstance(fault, smtplib.SMTPRecipientsRefused):
        return all(code >= PERMANENT for code, _ in fault.recipients.values())
    if isinstance(fault, smtplib.SMTPDataError):
        return fault.smtp_code >= PERMANENT
    return isinstance(fault, smtplib.SMTPNotSupportedError) and not address.isascii()


def _are_enabled(conn: Connection, project_id: int) -> bool:
    """Whether the project and all groups above it send mails."""
    row = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    if row is None or row.pending_delete or row.hidden or not project_settings(row).emails_enabled:
        return False
    above = select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == row.namespace_id)
    settings = conn.execute(select(namespaces.c.settings).where(namespaces.c.id.in_(above))).scalars()
    return all((one or {}).get("emails_enabled", True) for one in settings)


@periodic("mails_about_due_issues", every=86_400.0)
def mail_due_issues(run: Run) -> None:
    """Once a day: open issues that are due tomorrow."""
    table = get_kind("Issue").table
    query = select(table.c.id, table.c.project_id).where(
        table.c.due_date == today() + timedelta(days=1), table.c.state == "opened"
    )
    with run.db.write() as tx:
        if not mail.is_sent_from(tx):
            return
        for row in tx.execute(query).all():
            about = Happening("issue_due", "Issue", row.id, row.project_id)
            args = {"happening": msgspec.to_builtins(about)}
            enqueue(tx, "notification_mails", args=args, subject=f"project:{row.project_id}")
