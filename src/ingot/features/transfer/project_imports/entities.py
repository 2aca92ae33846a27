"""Import records on the wire."""

from datetime import datetime

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.spaces.projects import ProjectIdentity, identity_values
from ingot.features.transfer.project_imports.tables import project_import_failures, project_imports
from ingot.kit.entity import UNSET, Entity, UnsetType, wire

MOST_FAILURES = 100


class FailedRelation(Entity):
    """Something of the archive that could not be stored."""

    id: int
    created_at: datetime
    exception_class: str
    source: str
    exception_message: str
    relation_name: str
    line_number: int


class ImportRecord(ProjectIdentity, kw_only=True):
    """The status of an import; some keys depend on the call."""

    import_status: str
    import_type: str | UnsetType | None = UNSET
    correlation_id: str | None
    failed_relations: list[FailedRelation]
    import_error: str | UnsetType | None = UNSET


class RelationImport(Entity, kw_only=True):
    """A relation import; the list form has the two moments."""

    id: int
    project_path: str
    relation: str
    status: str
    created_at: datetime | UnsetType = UNSET
    updated_at: datetime | UnsetType = UNSET


def import_record(
    conn: Connection,
    project: ProjectRow,
    *,
    import_type: str | UnsetType | None = UNSET,
    import_error: str | UnsetType | None = UNSET,
) -> ImportRecord:
    """The record of a project's newest import."""
    newest = conn.execute(
        select(project_imports.c.correlation_id)
        .where(project_imports.c.project_id == project.id)
        .order_by(project_imports.c.id.desc())
        .limit(1)
    ).scalar_one_or_none()
    return ImportRecord(
        **identity_values(project),
        import_status=project.import_status,
        correlation_id=newest,
        failed_relations=_failures(conn, project.id, newest),
        import_type=import_type,
        import_error=import_error,
    )


def _failures(conn: Connection, project_id: int, correlation_id: str | None) -> list[FailedRelation]:
    if correlation_id is None:
        return []
    table = project_import_failures
    rows = conn.execute(
        select(table)
        .where(table.c.project_id == project_id, table.c.correlation_id == correlation_id)
        .order_by(table.c.id.desc())
        .limit(MOST_FAILURES)
    )
    return [
        FailedRelation(
            id=row.id,
            created_at=wire(row.created_at),
            exception_class=row.exception_class,
            source=row.source,
            exception_message=row.exception_message,
            relation_name=row.relation_name,
            line_number=row.line_number,
        )
        for row in rows
    ]
