"""Pipelines: from configuration files to jobs, runners and what jobs leave behind."""
