"""Notifications to other services: web hooks."""
