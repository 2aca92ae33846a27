"""Pipelines and jobs: made from configuration, moved by runners and people, followed by merge requests."""

from ingot.features.pipelines.commands.create import create_pipeline
from ingot.features.pipelines.commands.finish import finish_job
from ingot.features.pipelines.commands.moving import get_job, get_plan, lock_pipeline, move
from ingot.features.pipelines.commands.progress import advance
from ingot.features.pipelines.commands.wish import PipelineWish, Ref, find_ref
from ingot.features.pipelines.entities import Job, Pipeline, PipelineBasic, present_jobs
from ingot.features.pipelines.job_tokens import find_job_by_token, fresh_job_token, resolve_job_token
from ingot.features.pipelines.merge_request_pipelines import (
    create_merge_request_pipeline,
    head_pipeline_ids,
    pipelines_by_id,
    pipelines_of_merge_request,
    short_pipelines_by_id,
)
from ingot.features.pipelines.policy import READ_JOBS, READ_PIPELINES, may_change, may_read_builds
from ingot.features.pipelines.reports import has_security_reports

__all__ = [
    "READ_JOBS",
    "READ_PIPELINES",
    "Job",
    "Pipeline",
    "PipelineBasic",
    "PipelineWish",
    "Ref",
    "advance",
    "create_merge_request_pipeline",
    "create_pipeline",
    "find_job_by_token",
    "find_ref",
    "finish_job",
    "fresh_job_token",
    "get_job",
    "get_plan",
    "has_security_reports",
    "head_pipeline_ids",
    "lock_pipeline",
    "may_change",
    "may_read_builds",
    "move",
    "pipelines_by_id",
    "pipelines_of_merge_request",
    "present_jobs",
    "resolve_job_token",
    "short_pipelines_by_id",
]
