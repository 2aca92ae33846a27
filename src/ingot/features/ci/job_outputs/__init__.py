"""Outputs of jobs: logs, artifacts and test results, with their tables and their removal."""

from ingot.features.ci.job_outputs.archived_files import BlobRange
from ingot.features.ci.job_outputs.artifact_types import ACCESSIBILITY, DEFAULT_FILE_NAMES, DOWNLOADABLE, FORMATS
from ingot.features.ci.job_outputs.coverage import extract_coverage
from ingot.features.ci.job_outputs.erasing import (
    delete_objects,
    delete_pipeline,
    erase_job,
    is_erasable,
    remove_artifacts,
)
from ingot.features.ci.job_outputs.line_heads import HeadedLine, read_head, without_head
from ingot.features.ci.job_outputs.policy import has_artifact_level
from ingot.features.ci.job_outputs.tables import job_artifacts, job_traces, pipeline_test_reports
from ingot.features.ci.job_outputs.test_results import forget_reports, read_junit, record_junit
from ingot.features.ci.job_outputs.traces import (
    RangeMismatch,
    append_trace,
    archive_trace,
    erase_trace,
    find_trace,
    note_short,
    trace_chunks,
    trace_size,
    update_interval,
    watch_trace,
)

__all__ = [
    "ACCESSIBILITY",
    "DEFAULT_FILE_NAMES",
    "DOWNLOADABLE",
    "FORMATS",
    "BlobRange",
    "HeadedLine",
    "RangeMismatch",
    "append_trace",
    "archive_trace",
    "delete_objects",
    "delete_pipeline",
    "erase_job",
    "erase_trace",
    "extract_coverage",
    "find_trace",
    "forget_reports",
    "has_artifact_level",
    "is_erasable",
    "job_artifacts",
    "job_traces",
    "note_short",
    "pipeline_test_reports",
    "read_head",
    "read_junit",
    "record_junit",
    "remove_artifacts",
    "trace_chunks",
    "trace_size",
    "update_interval",
    "watch_trace",
    "without_head",
]
