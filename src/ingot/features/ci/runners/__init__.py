"""Runners: registering and managing them, handing jobs to them, and taking their logs, results and artifacts."""

from ingot.features.ci.runners.summaries import runner_summaries
from ingot.features.ci.runners.tables import runners
from ingot.features.ci.runners.waiting import why_job_waits

__all__ = ["runner_summaries", "runners", "why_job_waits"]
