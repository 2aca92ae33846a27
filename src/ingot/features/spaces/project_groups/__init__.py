"""Lists between projects and groups: projects of a group, groups of a project, share and transfer locations."""

from ingot.features.spaces.project_groups.security_reports import security_report_source

__all__ = ["security_report_source"]
