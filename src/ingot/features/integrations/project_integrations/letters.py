"""Mails about pushes and pipelines to fixed addresses."""

from collections.abc import Iterator
from email.message import EmailMessage
from email.utils import formataddr, parseaddr
from urllib.parse import urlsplit

from sqlalchemy import select

from ingot.access.tables import projects
from ingot.features.integrations.project_integrations.rows import IntegrationRow
from ingot.features.integrations.project_integrations.told import Told
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import GitError
from ingot.gitstore.diff import raw_diff
from ingot.kit.mail import header_text, new_message
from ingot.kit.services import Services

LARGEST_DIFF = 100_000  # bytes
_ENDED = {"success": "has passed", "failed": "has failed"}


def letters(services: Services, row: IntegrationRow, project_id: int, told: Told) -> Iterator[EmailMessage]:
    """The mails of a message, one for each address."""
    written = _pipeline(told) if row.slug == "pipelines-email" else _push(services, row, project_id, told)
    if written is None:
        return
    subject, text = written
    for address in str(row.properties.get("recipients") or "").split():
        message = new_message()
        message["From"] = _sender(services, row, told)
        message["To"], message["Subject"] = address, header_text(subject)
        message["X-GitLab-Project-Path"] = told.project.path_with_namespace
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        yield message


def _sender(services: Services, row: IntegrationRow, told: Told) -> str:
    """Who pushed, where that is wished and the address is of our own host: other hosts would be forged."""
    settings = services.settings
    own = urlsplit(settings.public_url).hostname or ""
    address = told.commits[-1].author.email if told.commits else None
    domain = (address or "").rpartition("@")[2].lower()
    if row.properties.get("send_from_committer_email") and address and (domain == own or own.endswith(f".{domain}")):
        return formataddr((header_text(told.who), address))
    return formataddr((header_text(told.who), parseaddr(settings.mail_from)[1]))


def _pipeline(told: Told) -> tuple[str, str] | None:
    record = told.object_attributes
    if record.status not in _ENDED:
        return None
    word = "Successful" if record.status == "success" else "Failed"
    broken = [f"* {one.name}" for one in told.builds if one.status == "failed" and not one.allow_failure]
    lines = [
        f"Pipeline #{record.id} of {record.ref} by {told.who} {_ENDED[record.status]}.",
        f"{told.project.web_url}/-/pipelines/{record.id}",
        *(["", "Failed jobs:", *broken] if broken else []),
    ]
    subject = f"{told.project.path_with_namespace} | {word} pipeline for {record.ref} | {record.sha[:8]}"
    return subject, "\n".join(lines) + "\n"


def _push(services: Services, row: IntegrationRow, project_id: int, told: Told) -> tuple[str, str] | None:
    name, web = told.ref_name, told.project.web_url
    word = "tag" if told.object_kind == "tag_push" else "branch"
    head = f"[Git][{told.project.path_with_namespace}]"
    if told.is_deletion:
        return f"{head} Deleted {word} {name}", f"{told.who} deleted {word} {name} at {web}\n"
    if told.is_creation or word == "tag":
        did = f"pushed new {word} {name}"
        subject = f"{head} Pushed new {word} {name}"
    else:
        did = f"pushed to branch {name}"
        count = f"{told.total_commits_count} commits: " if told.total_commits_count > 1 else ""
        subject = f"{head}[{name}] {count}{told.commits[-1].title if told.commits else ''}"
    lines = [f"{told.who} {did} at {web}", ""]
    for one in told.commits:
        lines += [f"{one.id[:8]} by {one.author.name}", one.title, one.url, ""]
    if not told.is_creation and word == "branch":
        lines += [f"{web}/-/compare/{told.before}...{told.after}", ""]
        if not row.properties.get("disable_diffs"):
            lines += [_diff(services, project_id, told)]
    return subject, "\n".join(lines)


def _diff(services: Services, project_id: int, told: Told) -> str:
    """What a push changed, as far as it fits into a mail."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    if project is None:
        return ""
    content = bytearray()
    try:
        for chunk in raw_diff(repository_of(services, project), told.before, told.after):
            content += chunk
            if len(content) > LARGEST_DIFF:
                return content[:LARGEST_DIFF].decode("utf-8", "replace") + "\n… (cut)\n"
    except GitError:
        return ""
    return content.decode("utf-8", "replace").replace("\0", "")
