"""Importing projects from archives: uploaded, fetched from a URL or from S3, or one relation at a time."""

from ingot.features.transfer.project_imports.commands.dropping import drop_archive
from ingot.features.transfer.project_imports.commands.receive import largest_archive, store_archive
from ingot.features.transfer.project_imports.commands.run import unpack_blob
from ingot.features.transfer.project_imports.commands.schedule import ImportOptions, schedule_import, target_namespace
from ingot.features.transfer.project_imports.commands.stopping import (
    cancel_import,
    cancel_relation_import,
    retry_import,
)
from ingot.features.transfer.project_imports.progress import progress_of
from ingot.features.transfer.project_imports.summary import newest_import, summary_of
from ingot.features.transfer.project_imports.tables import import_progress, project_imports

__all__ = [
    "ImportOptions", "cancel_import", "cancel_relation_import", "drop_archive", "import_progress",
    "largest_archive", "newest_import", "progress_of", "project_imports", "retry_import", "schedule_import",
    "store_archive", "summary_of", "target_namespace", "unpack_blob",
]  # fmt: skip
