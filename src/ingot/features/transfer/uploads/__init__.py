"""Uploaded files that descriptions and comments link to (`/uploads/<secret>/<file>`), of projects and groups."""

from ingot.features.transfer.uploads.archived import store_uploads, uploads_of_project

__all__ = ["store_uploads", "uploads_of_project"]
