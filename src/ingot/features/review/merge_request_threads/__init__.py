"""Threads of merge requests: system notes of state changes, outdated threads, and applied suggestions."""
