"""Exporting a project to an archive that this system and the original can read."""

from ingot.features.project_exports.leftovers import archive_leftovers, kept_for, kept_records

__all__ = ["archive_leftovers", "kept_for", "kept_records"]
