"""The tables of pipelines, jobs, what jobs leave behind, variables, schedules, triggers and runners."""

from ingot.features.ci.pipelines.tables.artifacts import (
    job_artifacts,
    job_trace_chunks,
    job_traces,
    pipeline_test_reports,
)
from ingot.features.ci.pipelines.tables.of_jobs import job_tags, jobs, resource_groups
from ingot.features.ci.pipelines.tables.of_pipelines import pipelines
from ingot.features.ci.pipelines.tables.of_runners import runner_groups, runner_managers, runner_projects, runners
from ingot.features.ci.pipelines.tables.schedules import (
    pipeline_schedule_variables,
    pipeline_schedules,
    pipeline_triggers,
)
from ingot.features.ci.pipelines.tables.variables import ci_variables, pipeline_variables

__all__ = [
    "ci_variables",
    "job_artifacts",
    "job_tags",
    "job_trace_chunks",
    "job_traces",
    "jobs",
    "pipeline_schedule_variables",
    "pipeline_schedules",
    "pipeline_test_reports",
    "pipeline_triggers",
    "pipeline_variables",
    "pipelines",
    "resource_groups",
    "runner_groups",
    "runner_managers",
    "runner_projects",
    "runners",
]
