"""The mail to an invited person, where a mail server is configured."""

import logging
import smtplib
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.levels import ROLE_NAMES
from ingot.access.tables import namespaces, projects
from ingot.features.people.invitations.rows import InvitationRow
from ingot.features.people.invitations.tables import invitations
from ingot.identity.mail_tokens import INVITE, issue_token
from ingot.identity.tables import users
from ingot.instance import mailing
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, Run, Transient, job

log = logging.getLogger("ingot.invitations")


@job("invitation_mail", retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF)
def mail_invitation(run: Run, invitation_id: int) -> None:
    """Mail an invitation; one that has been accepted or withdrawn meanwhile is not sent."""
    settings = run.services.settings
    if not settings.smtp_url:
        return
    with run.db.read() as conn:
        row = conn.execute(select(invitations).where(invitations.c.id == invitation_id)).one_or_none()
        if row is None:
            return
        kind, place = _place(conn, row)
        host = conn.execute(select(users.c.name).where(users.c.id == row.created_by_id)).scalar_one_or_none()
    who = f"{host} has invited you" if host else "You have been invited"
    token = issue_token(run.services, INVITE, row.id, row.email_lower)
    text = (
        f"{who} to join the {kind} {place.full_name} as {ROLE_NAMES[row.access_level]}.\n\n"
        f"Accept or decline within 30 days with an account that uses this address ({row.email}):\n\n"
        f"{settings.public_url}/-/invites/{token}\n\n"
        f"No account yet? Register here:\n\n{settings.public_url}/users/sign_up?invite={token}\n\n"
    )
    if row.expires_at is not None:
        text += f"The membership ends on {row.expires_at.isoformat()}.\n"
    try:
        mailing.send(run.services, row.email, f"Invitation to join the {' '.join(place.name.split())} {kind}", text)
    except smtplib.SMTPRecipientsRefused:
        log.warning("the mail server refuses the address of an invitation", extra={"invitation": invitation_id})
    except (OSError, smtplib.SMTPException) as fault:
        raise Transient("The mail server did not take the mail.") from fault


def _place(conn: Connection, invitation: InvitationRow) -> tuple[str, Any]:
    kind, table, key = (
        ("group", namespaces, invitation.group_id)
        if invitation.project_id is None
        else ("project", projects, invitation.project_id)
    )
    return kind, conn.execute(select(table.c.name, table.c.full_name).where(table.c.id == key)).one()
