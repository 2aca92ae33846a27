"""Threads of merge requests: system notes of its moves, threads on changed lines, and suggestions that are applied."""
