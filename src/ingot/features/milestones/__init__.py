"""Milestones of projects and groups."""
