"""Runners: registering and managing them, handing jobs to them, and taking their logs, results and artifacts."""

from ingot.features.ci.runners.tables import runners

__all__ = ["runners"]
