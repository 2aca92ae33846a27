"""Pipelines and jobs on the wire."""
