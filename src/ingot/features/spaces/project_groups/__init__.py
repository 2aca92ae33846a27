"""Where projects and groups meet: projects of a group, groups around a project, places to share and move to."""

from ingot.features.spaces.project_groups.security_reports import security_report_source

__all__ = ["security_report_source"]
