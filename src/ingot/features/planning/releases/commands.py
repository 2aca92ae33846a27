"""Changing releases."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from ingot.access.rows import ProjectRow
from ingot.features.planning.milestones import milestones, usable_in_project
from ingot.features.planning.releases import links
from ingot.features.planning.releases.params import CreateRelease, UpdateRelease
from ingot.features.planning.releases.rows import ReleaseRow
from ingot.features.planning.releases.tables import release_milestones, releases
from ingot.kit.changes import Change, report_change, report_change_now
from ingot.kit.clock import now
from ingot.kit.errors import Conflict, Failure, Invalid
from ingot.kit.jobs import enqueue

LONGEST_NAME = 255


def create(
    tx: Connection,
    project: ProjectRow,
    author_id: int,
    options: CreateRelease,
    sha: str | None,
    milestone_ids: Sequence[int],
) -> ReleaseRow:
    """A release of a tag that points to this commit."""
    moment = now()
    known = select(releases.c.id).where(releases.c.project_id == project.id, releases.c.tag == options.tag_name)
    if tx.execute(known).first() is not None:
        raise Conflict("Release already exists")
    values = {
        "project_id": project.id,
        "author_id": author_id,
        "tag": options.tag_name,
        "name": options.name or options.tag_name,
        "description": options.description,
        "sha": sha,
        "released_at": options.released_at or moment,
        "created_at": moment,
        "updated_at": moment,
    }
    row: ReleaseRow = tx.execute(insert(releases).values(values).returning(*releases.c)).one()
    _set_milestones(tx, row.id, milestone_ids)
    if options.assets is not None:
        links.create_with_release(tx, row.id, options.assets.links)
    if row.released_at >= moment:
        _collect_evidence_at(tx, row, row.released_at if row.released_at > moment else None)
    report_change(tx, Change("release", "create", row.id, project_id=project.id, user_id=author_id))
    return row


def update_release(tx: Connection, row: ReleaseRow, options: UpdateRelease, milestone_ids: Sequence[int]) -> None:
    """Change what was sent."""
    values = {name: getattr(options, name) for name in ("name", "description", "released_at") if name in options.sent}
    if not values.get("name", True):
        values["name"] = row.tag
    if values.get("released_at", row.released_at) is None:
        del values["released_at"]
    tx.execute(update(releases).where(releases.c.id == row.id).values(**values, updated_at=now()))
    if options.sent & {"milestones", "milestone_ids"}:
        tx.execute(delete(release_milestones).where(release_milestones.c.release_id == row.id))
        _set_milestones(tx, row.id, milestone_ids)
    report_change(tx, Change("release", "update", row.id, project_id=row.project_id))


def delete_release(tx: Connection, row: ReleaseRow) -> None:
    """Remove a release; its tag stays."""
    report_change_now(tx, Change("release", "delete", row.id, project_id=row.project_id))
    tx.execute(delete(releases).where(releases.c.id == row.id))


def check_texts(name: str | None) -> None:
    """Refuse a name that is too long."""
    if len(name or "") > LONGEST_NAME:
        raise Invalid({"name": [f"is too long (maximum is {LONGEST_NAME} characters)"]})


def milestone_ids(
    conn: Connection, project: ProjectRow, options: CreateRelease | UpdateRelease, *, of_groups: bool
) -> list[int]:
    """The requested milestones, by title or by id; `of_groups`: also those of parent groups."""
    usable = usable_in_project(project, ancestors=of_groups)
    if options.milestone_ids:
        query = select(milestones.c.id).where(usable, milestones.c.id.in_(options.milestone_ids))
        known = set(conn.execute(query).scalars())
        missing = [str(number) for number in options.milestone_ids if number not in known]
        if missing:
            raise Failure(400, f"Milestone id(s) not found: {', '.join(missing)}")
        return sorted(known)
    titles = [title for title in options.milestones if title]
    by_title = select(milestones.c.title, milestones.c.id).where(usable, milestones.c.title.in_(titles))
    ids = {row.title: row.id for row in conn.execute(by_title)} if titles else {}
    absent = [title for title in titles if title not in ids]
    if absent:
        raise Failure(400, f"Milestone(s) not found: {', '.join(absent)}")
    return sorted(set(ids.values()))


def _set_milestones(tx: Connection, release_id: int, ids: Sequence[int]) -> None:
    for milestone_id in ids:
        tx.execute(insert(release_milestones).values(release_id=release_id, milestone_id=milestone_id))


def _collect_evidence_at(tx: Connection, row: ReleaseRow, moment: datetime | None) -> None:
    key = f"releases.evidence-{row.id}"
    enqueue(tx, "releases.evidence", args={"release_id": row.id}, key=key, run_after=moment)
