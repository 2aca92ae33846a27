"""How an issuable is at one moment: what a change is told from, in system notes and to-do items."""

from ingot.features.planning.issuable_changes.snapshots import Snapshot, snapshot

__all__ = ["Snapshot", "snapshot"]
