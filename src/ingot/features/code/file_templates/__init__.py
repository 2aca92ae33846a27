"""Templates for files, issues and merge requests: from repositories, and those that come with the server."""

from ingot.features.code.file_templates.built_in import built_in_template

__all__ = ["built_in_template"]
