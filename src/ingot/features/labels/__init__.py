"""Labels of projects and groups."""
