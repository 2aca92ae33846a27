"""Pipelines and jobs on the wire."""

from ingot.features.ci.pipelines.entities.job import Bridge, Job, RunnerShort, present_bridges, present_jobs
from ingot.features.ci.pipelines.entities.pipeline import (
    Pipeline,
    PipelineBasic,
    PipelineListed,
    pipeline_basic,
    present_basic,
    present_listed,
    present_pipelines,
)

__all__ = [
    "Bridge",
    "Job",
    "Pipeline",
    "PipelineBasic",
    "PipelineListed",
    "RunnerShort",
    "pipeline_basic",
    "present_basic",
    "present_bridges",
    "present_jobs",
    "present_listed",
    "present_pipelines",
]
