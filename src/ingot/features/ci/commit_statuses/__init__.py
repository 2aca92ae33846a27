"""Statuses of commits: what another CI reports, beside our own jobs."""
