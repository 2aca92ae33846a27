"""Pipelines and jobs: made from configuration, moved by runners and people, followed by merge requests."""

from ingot.features.pipelines.commands.create import create_pipeline
from ingot.features.pipelines.commands.finish import finish_job
from ingot.features.pipelines.commands.moving import get_job, get_plan, lock_pipeline, move
from ingot.features.pipelines.commands.progress import advance
from ingot.features.pipelines.commands.wish import PipelineWish, Ref, find_ref
from ingot.features.pipelines.entities import Job, Pipeline, PipelineBasic, present_jobs
from ingot.features.pipelines.job_tokens import find_job_by_token, fresh_job_token, resolve_job_token
from ingot.features.pipelines.policy import READ_JOBS, READ_PIPELINES, may_change, may_read_builds

__all__ = [
    "READ_JOBS",
    "READ_PIPELINES",
    "Job",
    "Pipeline",
    "PipelineBasic",
    "PipelineWish",
    "Ref",
    "advance",
    "create_pipeline",
    "find_job_by_token",
    "find_ref",
    "finish_job",
    "fresh_job_token",
    "get_job",
    "get_plan",
    "lock_pipeline",
    "may_change",
    "may_read_builds",
    "move",
    "present_jobs",
    "resolve_job_token",
]
