"""Ingot: a light code-hosting and CI service, wire-compatible with GitLab's REST API v4."""

__version__ = "0.1.0"
