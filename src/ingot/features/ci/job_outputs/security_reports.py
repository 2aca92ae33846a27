"""Which projects' jobs reported on what."""

from sqlalchemy import ColumnElement, select

from ingot.access.tables import projects
from ingot.features.ci.job_outputs.tables import job_artifacts
from ingot.features.spaces.project_groups import security_report_source

SECURITY_REPORTS = (
    "sast",
    "secret_detection",
    "dependency_scanning",
    "container_scanning",
    "cluster_image_scanning",
    "dast",
    "coverage_fuzzing",
    "api_fuzzing",
)


@security_report_source
def has_security_reports() -> ColumnElement[bool]:
    """Condition on `projects`: a job of the project left a report on security."""
    reports = select(job_artifacts.c.project_id).where(job_artifacts.c.file_type.in_(SECURITY_REPORTS))
    return projects.c.id.in_(reports)
