"""Changelogs: sections of release notes, made of commits whose messages name a category."""
