"""Pipelines, their jobs, and the runners that work on them."""
