"""Pipelines and jobs over the API, and the pipelines that pushes and merge requests start."""

from ingot.features.ci.pipelines.entities.detailed_status import detailed_status
from ingot.features.ci.pipelines.entities.job import Job, JobBasic, present_jobs
from ingot.features.ci.pipelines.entities.pipeline import LISTED_COLUMNS, Pipeline, PipelineBasic, present_basic
from ingot.features.ci.pipelines.entities.runner import JobRunner, RunnerManager, runner_source
from ingot.features.ci.pipelines.failed import failed_pipelines
from ingot.features.ci.pipelines.merge_request_pipelines import head_pipelines, pipelines_by_id
from ingot.features.ci.pipelines.merge_request_variables import merge_request_facts
from ingot.features.ci.pipelines.open_jobs import (
    job_counts,
    list_open_jobs,
    needs_of,
    pipelines_of_jobs,
    starter_of,
    states_of_jobs,
)
from ingot.features.ci.pipelines.policy import may_force_cancel
from ingot.features.ci.pipelines.queries import find_pipeline, find_project_job, get_project_job
from ingot.features.ci.pipelines.summaries import PipelineSummary, pipeline_summaries

__all__ = [
    "LISTED_COLUMNS",
    "Job",
    "JobBasic",
    "JobRunner",
    "Pipeline",
    "PipelineBasic",
    "PipelineSummary",
    "RunnerManager",
    "detailed_status",
    "failed_pipelines",
    "find_pipeline",
    "find_project_job",
    "get_project_job",
    "head_pipelines",
    "job_counts",
    "list_open_jobs",
    "may_force_cancel",
    "merge_request_facts",
    "needs_of",
    "pipeline_summaries",
    "pipelines_by_id",
    "pipelines_of_jobs",
    "present_basic",
    "present_jobs",
    "runner_source",
    "starter_of",
    "states_of_jobs",
]
