"""Exporting a project to an archive that this system and GitLab can read."""

from ingot.features.transfer.project_exports.children import KEPT, STORED, name_of
from ingot.features.transfer.project_exports.commands.write import Workplace, write_archive
from ingot.features.transfer.project_exports.leftover_files import keep_files, kept_files
from ingot.features.transfer.project_exports.leftovers import archive_leftovers, kept_records
from ingot.features.transfer.project_exports.relations import KEPT_SINGLES, SINGLES, collections, kept_collections
from ingot.features.transfer.project_exports.relations.settings import root

__all__ = [
    "KEPT",
    "KEPT_SINGLES",
    "SINGLES",
    "STORED",
    "Workplace",
    "archive_leftovers",
    "collections",
    "keep_files",
    "kept_collections",
    "kept_files",
    "kept_records",
    "name_of",
    "root",
    "write_archive",
]  # fmt: skip
