"""Registrations with other rooms."""

from ingot.features.ci.job_outputs import archived_files, security_reports

# Importing them registers how child pipelines read archives, and which projects have security reports.
REGISTERED = (archived_files, security_reports)
