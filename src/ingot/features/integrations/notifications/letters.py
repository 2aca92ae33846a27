"""The mails: subject, text, HTML, and headers that put all mails about one record into one thread."""

from email.message import EmailMessage
from email.utils import formataddr, parseaddr
from html import escape
from urllib.parse import quote, urlsplit

import msgspec
from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.ci.engine import ci_jobs, pipelines
from ingot.features.integrations.notifications.happenings import Happening
from ingot.features.integrations.notifications.mail_texts import text_html
from ingot.features.integrations.notifications.recipients import Recipient
from ingot.features.integrations.notifications.unsubscribing import unsubscribe_url
from ingot.features.planning.issuables import get_kind
from ingot.features.planning.notes import notes
from ingot.features.planning.releases import releases
from ingot.identity.tables import users
from ingot.kit.mail import header_text, new_message
from ingot.kit.services import Services

LONGEST = 20_000  # characters of a text in a mail
MOST_JOBS = 20
# Mail programs have no style sheet of ours; those that drop this one show plain text.
STYLE = (
    "body{font:14px/20px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#1b1f26;max-width:720px}"
    "pre,code{font-family:ui-monospace,Menlo,monospace;font-size:13px;background:#eceff3;border-radius:4px}"
    "pre{padding:12px;white-space:pre-wrap}code{padding:2px 4px}pre code{padding:0}"
    "blockquote{margin:0 0 12px;padding-left:12px;border-left:3px solid #d5dae1;color:#57606c}"
    "table{border-collapse:collapse}th,td{border:1px solid #d5dae1;padding:4px 8px;text-align:left}"
    "a{color:#1f5fbf}hr{border:0;border-top:1px solid #d5dae1;margin:24px 0 12px}"
    "small{color:#57606c}img{max-width:100%}"
)
SENTENCES = {
    "new_note": "{author} commented:",
    "new_issue": "{author} created an issue:",
    "close_issue": "The issue was closed by {author}.",
    "reopen_issue": "The issue was reopened by {author}.",
    "reassign_issue": "{author} changed the assignees of the issue. {people}",
    "relabel_issue": "{author} added labels to the issue.",
    "new_merge_request": "{author} created a merge request:",
    "close_merge_request": "The merge request was closed by {author}.",
    "reopen_merge_request": "The merge request was reopened by {author}.",
    "merge_merge_request": "The merge request was merged by {author}.",
    "approve_merge_request": "The merge request was approved by {author}.",
    "unapprove_merge_request": "{author} took back the approval of the merge request.",
    "push_to_merge_request": "{author} pushed new commits to the merge request.",
    "reassign_merge_request": "{author} changed the assignees of the merge request. {people}",
    "change_reviewer_merge_request": "{author} changed the reviewers of the merge request. {people}",
    "relabel_merge_request": "{author} added labels to the merge request.",
    "mention_in_note": "{author} mentioned you in a comment:",
    "mention_in_issue": "{author} mentioned you in the issue:",
    "mention_in_merge_request": "{author} mentioned you in the merge request:",
    "merge_when_pipeline_succeeds": "{author} set the merge request to be merged when all checks pass.",
    "issue_due": "The issue is due tomorrow.",
    "moved_project": "The project has moved to {place}.",
    "failed_pipeline": "The pipeline for {ref} has failed.",
    "fixed_pipeline": "The pipeline for {ref} has succeeded again.",
    "success_pipeline": "The pipeline for {ref} has succeeded.",
    "new_release": "{author} published a release:",
}
REASONS = {
    "mentioned": "you were mentioned", "assigned": "you were assigned", "review_requested": "a review was requested",
    "own_activity": "you want mails about your own activity", "subscribed": "you subscribed to it",
    "participating": "you take part in it", "watching": "you chose mails about this project",
}  # fmt: skip


class Letter(msgspec.Struct, frozen=True):
    """What all recipients of a happening read."""

    thread: str  # the part of message ids that all mails about the record share
    number: str  # what distinguishes this one; empty for the first of the thread
    subject: str
    sentence: str
    body: str
    html: str  # of the body
    url: str
    author: str
    project: ProjectRow


def compose(services: Services, conn: Connection, happening: Happening) -> Letter | None:
    """The letter; None when the record is gone."""
    project = conn.execute(select(projects).where(projects.c.id == happening.project_id)).one_or_none()
    if project is None:
        return None
    names = _names(conn, [happening.user_id, *happening.added, *happening.removed])
    author = names.get(happening.user_id or 0, "Somebody")
    site = services.settings.public_url.rstrip("/")
    web = f"{site}/{project.full_path}/-"
    changes = [("Added", happening.added), ("Removed", happening.removed)]
    people = " ".join(f"{word}: {', '.join(names.get(one, '?') for one in ids)}." for word, ids in changes if ids)
    if happening.type == "Pipeline":
        return _pipeline(conn, happening, project, web)
    if happening.type == "Project":
        return _moved(project, author, web.removesuffix("/-"))
    if happening.type == "Release":
        row = conn.execute(select(releases).where(releases.c.id == happening.record_id)).one_or_none()
        place = f"releases/{quote(row.tag, safe='')}" if row else ""
        title, body = (row.name or row.tag, row.description) if row else ("", "")
        reference, number, is_first = "new release", "", True
    else:
        kind = get_kind(happening.type)
        row = conn.execute(select(kind.table).where(kind.table.c.id == happening.record_id)).one_or_none()
        is_first = happening.event == f"new_{kind.word}"
        shows_text = is_first or happening.event.startswith("mention_in_")
        title, body = (row.title, row.description if shows_text else "") if row else ("", "")
        place, reference = (f"{kind.word}s/{row.iid}", f"{kind.sign}{row.iid}") if row else ("", "")
        number = "" if is_first else f"{happening.event}_{happening.note_id or 0}"
    if row is None:
        return None
    if happening.note_id is not None:
        body = conn.execute(select(notes.c.body).where(notes.c.id == happening.note_id)).scalar_one_or_none()
        place = f"{place}#note_{happening.note_id}"
        if body is None:
            return None
    return Letter(
        thread=f"{happening.type.lower()}_{happening.record_id}",
        number=number,
        subject=f"{'' if is_first else 'Re: '}{project.name} | {title} ({reference})",
        sentence=SENTENCES[happening.event].format(author=author, people=people).strip(),
        body=(body or "")[:LONGEST],
        html=text_html(conn, project, (body or "")[:LONGEST], site),
        url=f"{web}/{place}",
        author=author,
        project=project,
    )


def _pipeline(conn: Connection, happening: Happening, project: ProjectRow, web: str) -> Letter | None:
    row = conn.execute(select(pipelines).where(pipelines.c.id == happening.record_id)).one_or_none()
    if row is None:
        return None
    word = {"failed_pipeline": "Failed", "fixed_pipeline": "Fixed"}.get(happening.event, "Successful")
    failed = _failed_jobs(conn, row.id, web) if happening.event == "failed_pipeline" else []
    items = "".join(f'<li><a href="{escape(url)}">{escape(name)}</a></li>' for name, url in failed)
    return Letter(
        thread=f"pipeline_{row.id}",
        number=happening.event,
        subject=f"{project.name} | {word} pipeline for {row.ref} | {row.sha[:8]}",
        sentence=SENTENCES[happening.event].format(ref=row.ref),
        body="\n".join(["Failed jobs:", *(f"- {name}: {url}" for name, url in failed)]) if failed else "",
        html=f"<p>Failed jobs:</p><ul>{items}</ul>" if failed else "",
        url=f"{web}/pipelines/{row.id}",
        author="",
        project=project,
    )


def _failed_jobs(conn: Connection, pipeline_id: int, web: str) -> list[tuple[str, str]]:
    """The jobs because of which a pipeline failed, with the addresses of their logs, where they have one here."""
    columns = ci_jobs.c
    query = select(columns.id, columns.name, columns.kind).where(
        columns.pipeline_id == pipeline_id,
        columns.status == "failed",
        columns.allow_failure.is_(False),
        columns.is_retried.is_(False),
    )
    rows = conn.execute(query.order_by(columns.stage_index, columns.id).limit(MOST_JOBS))
    places = ((row, f"jobs/{row.id}" if row.kind == "build" else f"pipelines/{pipeline_id}") for row in rows)
    return [(" ".join(row.name.split()), f"{web}/{place}") for row, place in places]


def _moved(project: ProjectRow, author: str, web: str) -> Letter:
    """A project has another address."""
    return Letter(
        thread=f"project_{project.id}",
        number="moved_project",
        subject=f"{project.name} | Project was moved",
        sentence=SENTENCES["moved_project"].format(place=web),
        body="",
        html="",
        url=web,
        author=author,
        project=project,
    )


def _names(conn: Connection, user_ids: list[int | None]) -> dict[int, str]:
    ids = sorted({user_id for user_id in user_ids if user_id is not None})
    rows = conn.execute(select(users.c.id, users.c.name).where(users.c.id.in_(ids)))
    return {row.id: " ".join(row.name.split()) for row in rows}


def write(services: Services, happening: Happening, letter: Letter, to: Recipient, job: str) -> EmailMessage:
    """The mail to one person."""
    settings = services.settings
    host, (_, sender) = urlsplit(settings.public_url).hostname or "localhost", parseaddr(settings.mail_from)
    message = new_message()
    message["From"] = formataddr((header_text(letter.author), sender)) if letter.author else settings.mail_from
    message["To"], message["Subject"] = to.address, header_text(letter.subject)
    root = f"<{letter.thread}@{host}>"
    message["Message-ID"] = f"<{letter.thread}_{letter.number}_{job}@{host}>" if letter.number else root
    if letter.number:
        message["In-Reply-To"] = message["References"] = root
    message["List-Id"] = f"{letter.project.full_path} <{letter.project.id}.{letter.project.path}.{host}>"
    message["X-GitLab-Project"], message["X-GitLab-Project-Id"] = letter.project.path, str(letter.project.id)
    message["X-GitLab-Project-Path"] = letter.project.full_path
    message["X-GitLab-NotificationReason"] = to.reason
    message["Auto-Submitted"] = "auto-generated"
    end = ""
    if happening.type in ("Issue", "MergeRequest"):
        end = unsubscribe_url(services, to.user.id, happening.type, happening.record_id)
        message["List-Unsubscribe"] = f"<{end.removesuffix('unsubscribe')}one_click>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    why = f"You get this mail because {REASONS[to.reason]}."
    ways = [f"{letter.url}", why, *([f"Unsubscribe: {end}"] if end else [])]
    message.set_content("\n".join([letter.sentence, "", *([letter.body, ""] if letter.body else []), "-- ", *ways, ""]))
    links = [f'<a href="{escape(letter.url)}">View it</a>', escape(why)]
    links += [f'<a href="{escape(end)}">Unsubscribe</a>'] if end else []
    html = f"<p>{escape(letter.sentence)}</p>{letter.html}<hr><p><small>{'<br>'.join(links)}</small></p>"
    head = f'<head><meta charset="utf-8"><style>{STYLE}</style></head>'
    message.add_alternative(f"<!DOCTYPE html><html>{head}<body>{html}</body></html>", subtype="html")
    return message
