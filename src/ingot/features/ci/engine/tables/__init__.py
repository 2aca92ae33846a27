"""The tables of pipelines, jobs and resource groups."""

from ingot.features.ci.engine.tables.job import ci_jobs, job_tags
from ingot.features.ci.engine.tables.pipeline import pipeline_variables, pipelines
from ingot.features.ci.engine.tables.resource_group import resource_groups

__all__ = ["ci_jobs", "job_tags", "pipeline_variables", "pipelines", "resource_groups"]
