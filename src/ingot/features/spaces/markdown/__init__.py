"""Markdown rendering for clients."""
