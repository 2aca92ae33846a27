"""Pipelines: from configuration files to jobs, runners, logs and artifacts."""
