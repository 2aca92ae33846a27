"""Registrations with other rooms."""

from ingot.features.ci.runners import machines, queue_watch

REGISTERED = (machines, queue_watch)  # importing them registers the runners of jobs, and who waits for queued jobs
