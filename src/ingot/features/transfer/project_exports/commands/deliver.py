"""After an archive is finished: the requested upload, its row, and the mail."""

import logging
import smtplib
from collections.abc import Iterable

from sqlalchemy import delete, insert, select, update

from ingot.access.rows import ProjectRow
from ingot.features.transfer.project_exports.rows import ProjectExportRow
from ingot.features.transfer.project_exports.tables import project_export_files, project_exports
from ingot.identity.tables import users
from ingot.instance import mailing
from ingot.instance.outbound import outbound_rules
from ingot.kit.clock import now
from ingot.kit.outbound import Limits, Outbound, OutboundFailed, UrlRefused, upload_blocking
from ingot.kit.sealing import Unreadable, unseal
from ingot.kit.services import Services

log = logging.getLogger("ingot.exports")
UPLOAD_SECONDS = 3600.0


def upload_archive(services: Services, sealed_url: str, method: str, chunks: Iterable[bytes], size: int) -> str | None:
    """Send the archive to the URL that the caller named; returns why that failed, or None."""
    with services.db.read() as conn:
        rules = outbound_rules(services, conn, ("http", "https"))
    headers = {"Content-Type": "application/gzip", "Content-Length": str(size)}
    try:
        url = unseal(services, sealed_url)
        answer = upload_blocking(
            Outbound(),
            method,
            url,
            rules,
            chunks,
            size,
            headers=headers,
            limits=Limits(total=UPLOAD_SECONDS),
        )
    except UrlRefused as refusal:
        return f"Error uploading the project: the URL is blocked: {refusal.reason}"
    except OutboundFailed as failure:
        return f"Error uploading the project: {failure}"
    except Unreadable as problem:
        return f"Error uploading the project: {problem}"
    if answer.status >= 300:
        return f"Error uploading the project. Code {answer.status}: the server refused the archive"
    return None


def replace_file(
    services: Services, export: ProjectExportRow, key: str, name: str, size: int, error: str | None
) -> str | None:
    """Replace the old archive by the new one and end the work; returns the old key."""
    files, moment = project_export_files, now()
    mine = (files.c.project_id == export.project_id) & (files.c.user_id == export.user_id)
    with services.db.write() as tx:
        old = tx.execute(select(files.c.blob_key).where(mine)).scalar_one_or_none()
        tx.execute(delete(files).where(mine))
        tx.execute(
            insert(files).values(
                project_id=export.project_id,
                user_id=export.user_id,
                blob_key=key,
                file_name=name,
                size=size,
                created_at=moment,
            )
        )
        tx.execute(
            update(project_exports)
            .where(project_exports.c.id == export.id)
            .values(
                status="finished" if error is None else "failed",
                error=error,
                sealed_upload_url=None,
                blob_key=None,
                updated_at=moment,
            )
        )
    return old if old != key else None


def send_mail(services: Services, export: ProjectExportRow, project: ProjectRow, error: str | None) -> None:
    """Mail the outcome to the user who asked for the export; a failing mail server changes nothing."""
    with services.db.read() as conn:
        user = conn.execute(select(users.c.email).where(users.c.id == export.user_id)).one_or_none()
    if user is None:
        return
    base = services.settings.base_url
    if error is None:
        subject = f"{project.name} | Project was exported"
        text = (
            f"Project {project.full_name} was exported successfully.\n\n"
            f"Download it at {base}/api/v4/projects/{project.id}/export/download\n\n"
            "The download link will expire in 24 hours.\n"
        )
    else:
        subject = f"{project.name} | Project export error"
        text = f"Project {project.full_name} couldn't be exported.\n\nThe errors we encountered were:\n\n- {error}\n"
    try:
        mailing.send(services, user.email, subject, text)
    except (OSError, smtplib.SMTPException):
        log.exception("the mail about an export could not be sent")
