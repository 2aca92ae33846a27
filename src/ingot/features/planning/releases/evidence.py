"""Evidence of a release: a snapshot of its content and milestones."""

import hashlib

import msgspec
from sqlalchemy import Connection, insert, select

from ingot.access.tables import projects
from ingot.features.planning.milestones import milestones
from ingot.features.planning.releases.tables import release_evidences, release_milestones, releases
from ingot.kit.clock import now, wire


def collect(tx: Connection, release_id: int) -> None:
    """Store a snapshot of the release; does nothing if it is gone."""
    row = tx.execute(select(releases).where(releases.c.id == release_id)).one_or_none()
    if row is None:
        return
    project = tx.execute(select(projects).where(projects.c.id == row.project_id)).one()
    planned = (
        select(milestones)
        .join_from(release_milestones, milestones, milestones.c.id == release_milestones.c.milestone_id)
        .where(release_milestones.c.release_id == release_id)
        .order_by(milestones.c.id)
    )
    release = {
        "id": row.id,
        "tag_name": row.tag,
        "name": row.name,
        "description": row.description,
        "created_at": wire(row.created_at),
        "project": {
            "id": project.id,
            "name": project.name,
            "description": project.description,
            "created_at": wire(project.created_at),
        },
        "milestones": [
            {
                "id": milestone.id,
                "iid": milestone.iid,
                "title": milestone.title,
                "description": milestone.description,
                "state": milestone.state,
                "due_date": milestone.due_date,
                "created_at": wire(milestone.created_at),
            }
            for milestone in tx.execute(planned)
        ],
        "report_artifacts": [],
    }
    summary = msgspec.json.encode({"release": release}).decode()
    sha = hashlib.sha256(summary.encode()).hexdigest()
    tx.execute(insert(release_evidences).values(release_id=row.id, sha=sha, summary=summary, created_at=now()))
