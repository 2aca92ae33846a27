"""What people are mailed about a happening: subject, sentence and text, the same for all of them."""

from html import escape
from urllib.parse import quote

import msgspec
from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.ci.engine import ci_jobs, pipelines
from ingot.features.integrations.notifications.happenings import Happening
from ingot.features.integrations.notifications.mail_texts import Words, comments, pushed_commits, text_words
from ingot.features.planning.issuables import get_kind
from ingot.features.planning.releases import releases
from ingot.identity.tables import users
from ingot.kit.services import Services

MOST_JOBS = 20
SENTENCES = {
    "new_note": "{author} commented{where}:",
    "new_issue": "{author} created an issue:",
    "close_issue": "The issue was closed by {author}.",
    "reopen_issue": "The issue was reopened by {author}.",
    "reassign_issue": "{author} changed the assignees of the issue. {people}",
    "relabel_issue": "{author} added labels to the issue.",
    "new_merge_request": "{author} created a merge request from {source} into {target}:",
    "new_review": "{author} reviewed the merge request:",
    "close_merge_request": "The merge request was closed by {author}.",
    "reopen_merge_request": "The merge request was reopened by {author}.",
    "merge_merge_request": "The merge request was merged by {author}.",
    "approve_merge_request": "The merge request was approved by {author}.",
    "unapprove_merge_request": "{author} revoked their approval of the merge request.",
    "push_to_merge_request": "{author} pushed new commits to the merge request.",
    "reassign_merge_request": "{author} changed the assignees of the merge request. {people}",
    "change_reviewer_merge_request": "{author} changed the reviewers of the merge request. {people}",
    "relabel_merge_request": "{author} added labels to the merge request.",
    "mention_in_note": "{author} mentioned you in a comment{where}:",
    "mention_in_issue": "{author} mentioned you in the issue:",
    "mention_in_merge_request": "{author} mentioned you in the merge request:",
    "merge_when_pipeline_succeeds": "{author} set the merge request to merge automatically when all checks pass.",
    "issue_due": "The issue is due tomorrow.",
    "moved_project": "The project has moved to {place}.",
    "failed_pipeline": "The pipeline for {ref} has failed.",
    "fixed_pipeline": "The pipeline for {ref} has been fixed.",
    "success_pipeline": "The pipeline for {ref} has succeeded.",
    "new_release": "{author} published a release:",
}
REQUESTED_CHANGES = "{author} reviewed the merge request and requested changes:"


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
    site = services.settings.public_url.rstrip("/")
    web = f"{site}/{project.full_path}/-"
    if happening.type == "Pipeline":
        return _pipeline(conn, happening, project, web)
    names = _names(conn, [happening.user_id, *happening.added, *happening.removed])
    author = names.get(happening.user_id or 0, "Somebody")
    if happening.type == "Project":
        return _moved(project, author, web.removesuffix("/-"))
    if happening.type == "Release":
        return _release(conn, happening, project, author, site)
    return _issuable(services, conn, happening, project, names)


def _issuable(
    services: Services, conn: Connection, happening: Happening, project: ProjectRow, names: dict[int, str]
) -> Letter | None:
    kind, site = get_kind(happening.type), services.settings.public_url.rstrip("/")
    row = conn.execute(select(kind.table).where(kind.table.c.id == happening.record_id)).one_or_none()
    if row is None:
        return None
    is_first = happening.event == f"new_{kind.word}"
    url = f"{site}/{project.full_path}/-/{kind.word}s/{row.iid}"
    words, first_note = Words(), happening.note_id or next(iter(happening.note_ids), 0)
    if first_note:
        said = comments(conn, happening.note_ids or [first_note], project, url, site)
        if said is None:
            return None
        words, url = said, f"{url}#note_{first_note}"
    elif is_first or happening.event.startswith("mention_in_"):
        words = text_words(conn, project, row.description or "", site)
    elif happening.old_sha and happening.new_sha:
        words = pushed_commits(services, project, happening.old_sha, happening.new_sha, site)
    author = names.get(happening.user_id or 0, "Somebody")
    changes = [("Added", happening.added), ("Removed", happening.removed)]
    people = " ".join(f"{word}: {', '.join(names.get(one, '?') for one in ids)}." for word, ids in changes if ids)
    branches = {name: getattr(row, f"{name}_branch", "") for name in ("source", "target")}
    sentence = REQUESTED_CHANGES if happening.requests_changes else SENTENCES[happening.event]
    return Letter(
        thread=f"{happening.type.lower()}_{happening.record_id}",
        number="" if is_first else f"{happening.event}_{first_note}",
        subject=f"{'' if is_first else 'Re: '}{project.name} | {row.title} ({kind.sign}{row.iid})",
        sentence=_ended(sentence.format(author=author, people=people, where=words.where, **branches), words),
        body=words.text,
        html=words.html,
        url=url,
        author=author,
        project=project,
    )


def _ended(sentence: str, words: Words) -> str:
    """A sentence that announces nothing ends with a full stop."""
    sentence = sentence.strip()
    return sentence if words.text or not sentence.endswith(":") else f"{sentence.removesuffix(':')}."


def _release(conn: Connection, happening: Happening, project: ProjectRow, author: str, site: str) -> Letter | None:
    row = conn.execute(select(releases).where(releases.c.id == happening.record_id)).one_or_none()
    if row is None:
        return None
    words = text_words(conn, project, row.description or "", site)
    return Letter(
        thread=f"release_{row.id}",
        number="",
        subject=f"{project.name} | {row.name or row.tag} (new release)",
        sentence=_ended(SENTENCES["new_release"].format(author=author), words),
        body=words.text,
        html=words.html,
        url=f"{site}/{project.full_path}/-/releases/{quote(row.tag, safe='')}",
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
