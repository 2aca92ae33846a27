"""Job artifacts: stored at upload with an index, served whole, in parts or file by file, kept, expired and deleted."""

from ingot.features.ci.job_artifacts.content_types import by_name as content_type_by_name
from ingot.features.ci.job_artifacts.latest import find_job_by_ref
from ingot.features.ci.job_artifacts.policy import is_of_own_pipeline, may_read_artifacts, require_readable
from ingot.features.ci.job_artifacts.queries import find_archive
from ingot.features.ci.job_artifacts.rows import ArchiveRow
from ingot.features.ci.job_artifacts.serving import serve_archive
from ingot.features.ci.job_artifacts.storing import check_upload, store_upload
from ingot.features.ci.job_artifacts.upload import Upload

__all__ = [
    "ArchiveRow",
    "Upload",
    "check_upload",
    "content_type_by_name",
    "find_archive",
    "find_job_by_ref",
    "is_of_own_pipeline",
    "may_read_artifacts",
    "require_readable",
    "serve_archive",
    "store_upload",
]
