"""Parts of an archive, beside its records, that could not be stored: each is listed, and the rest goes on."""

from sqlalchemy import Connection, insert

from ingot.access.rows import ProjectRow
from ingot.features.transfer.project_imports.rows import ProjectImportRow
from ingot.features.transfer.project_imports.tables import project_import_failures
from ingot.kit.clock import now


def record_failure(
    tx: Connection, import_record: ProjectImportRow, project: ProjectRow, source: str, relation: str, sentence: str
) -> None:
    """Write down what could not be stored; `source` is the step, as GitLab calls it."""
    tx.execute(
        insert(project_import_failures).values(
            project_id=project.id,
            correlation_id=import_record.correlation_id,
            exception_class="ActiveRecord::RecordInvalid",
            exception_message=sentence[:255],
            source=source,
            relation_name=relation,
            line_number=0,
            created_at=now(),
        )
    )
