"""Exporting a project to an archive that this system and GitLab can read."""

from ingot.features.transfer.project_exports.children import REST_KEY, STORED, name_of
from ingot.features.transfer.project_exports.commands.write import Workplace, write_archive
from ingot.features.transfer.project_exports.leftover_files import preserve_files, preserve_objects
from ingot.features.transfer.project_exports.leftovers import archive_leftovers, preserved_records
from ingot.features.transfer.project_exports.lfs_files import large_files
from ingot.features.transfer.project_exports.names import archive_name
from ingot.features.transfer.project_exports.progress import ExportProgress, export_progress, progress_of_job
from ingot.features.transfer.project_exports.records import batches, times
from ingot.features.transfer.project_exports.relations import (
    PRESERVED_SINGLES,
    SINGLES,
    collections,
    preserved_collections,
)
from ingot.features.transfer.project_exports.relations.labels import label_record
from ingot.features.transfer.project_exports.relations.milestones import milestone_record
from ingot.features.transfer.project_exports.relations.settings import root
from ingot.features.transfer.project_exports.stages import RECORDS, STAGES, STORE, Stand

__all__ = [
    "PRESERVED_SINGLES",
    "RECORDS",
    "REST_KEY",
    "SINGLES",
    "STAGES",
    "STORE",
    "STORED",
    "ExportProgress",
    "Stand",
    "Workplace",
    "archive_leftovers",
    "archive_name",
    "batches",
    "collections",
    "export_progress",
    "label_record",
    "large_files",
    "milestone_record",
    "name_of",
    "preserve_files",
    "preserve_objects",
    "preserved_collections",
    "preserved_records",
    "progress_of_job",
    "root",
    "times",
    "write_archive",
]  # fmt: skip
