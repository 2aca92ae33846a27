"""Files that descriptions and comments point at (`/uploads/<secret>/<file>`), of projects and of groups."""

from ingot.features.transfer.uploads.archived import store_uploads, uploads_of_project

__all__ = ["store_uploads", "uploads_of_project"]
