"""Uploaded files that descriptions and comments link to (`/uploads/<secret>/<file>`), of projects and groups."""

from ingot.features.transfer.uploads.archived import store_uploads, uploads_of_project
from ingot.features.transfer.uploads.finding import find_upload
from ingot.features.transfer.uploads.rows import UploadRow
from ingot.features.transfer.uploads.serving import serve_upload

__all__ = ["UploadRow", "find_upload", "serve_upload", "store_uploads", "uploads_of_project"]
