"""Snapshots of issuables: changes are derived from them, for system notes and to-do items."""

from ingot.features.planning.issuable_changes.snapshots import Snapshot, snapshot

__all__ = ["Snapshot", "snapshot"]
