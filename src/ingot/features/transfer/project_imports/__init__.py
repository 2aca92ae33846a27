"""Importing projects from archives: uploaded, fetched from a URL or from S3, or one relation at a time."""

from ingot.features.transfer.project_imports.commands.schedule import ImportOptions, schedule_import, target_namespace
from ingot.features.transfer.project_imports.summary import newest_import, summary_of
from ingot.features.transfer.project_imports.tables import import_progress, project_imports

__all__ = [
    "ImportOptions", "import_progress", "newest_import", "project_imports", "schedule_import", "summary_of",
    "target_namespace",
]  # fmt: skip
