"""Search over everything that the caller may read, in the instance, a group or a project."""
