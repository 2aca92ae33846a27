"""Sending mails about what happened: at least once to everybody, and not twice where a run is repeated."""

import logging
import smtplib
from email.message import EmailMessage
from functools import partial

import msgspec
from sqlalchemy import Connection, select

from ingot.access.tables import namespace_ancestors, namespaces, projects
from ingot.features.integrations.notifications.happenings import Happening
from ingot.features.integrations.notifications.letters import compose, write
from ingot.features.integrations.notifications.recipients import recipients
from ingot.features.spaces.projects import project_settings
from ingot.kit import mail
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, Run, Transient, job
from ingot.kit.services import Services

log = logging.getLogger("ingot.notifications")


@job("notification_mails", retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF, long=True)
def send_notification_mails(run: Run, happening: dict[str, object]) -> None:
    """Mail everybody who wants to know of it."""
    about = msgspec.convert(happening, Happening)
    with run.db.read() as conn:
        letter = compose(run.services, conn, about) if _are_enabled(conn, about.project_id) else None
        if letter is None:
            return
        people = recipients(conn, about)
    for person in people:
        run.check()
        message = write(run.services, about, letter, person, run.key.rpartition("-")[2])
        run.step(f"to-{person.user.id}", partial(_send, run.services, message, person.user.id))


def _send(services: Services, message: EmailMessage, user_id: int) -> None:
    try:
        mail.send_message(services.settings, message)
    except smtplib.SMTPRecipientsRefused:
        log.warning("the mail server refuses the address of a user", extra={"user": user_id})
    except (OSError, smtplib.SMTPException) as fault:
        raise Transient("The mail server did not take the mail.") from fault


def _are_enabled(conn: Connection, project_id: int) -> bool:
    """Whether the project and all groups above it send mails."""
    row = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    if row is None or row.pending_delete or not project_settings(row).emails_enabled:
        return False
    above = select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == row.namespace_id)
    settings = conn.execute(select(namespaces.c.settings).where(namespaces.c.id.in_(above))).scalars()
    return all((one or {}).get("emails_enabled", True) for one in settings)
