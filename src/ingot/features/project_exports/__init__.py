"""Exporting a project to an archive that this system and the original can read."""

from ingot.features.project_exports.leftovers import keep, kept_for, kept_records

__all__ = ["keep", "kept_for", "kept_records"]
