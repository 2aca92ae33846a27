"""Runners: registering and managing them, handing jobs to them, and taking their logs, results and artifacts."""
