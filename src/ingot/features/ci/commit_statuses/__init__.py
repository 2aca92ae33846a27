"""Commit statuses: results reported by other CI systems, beside our own jobs."""
