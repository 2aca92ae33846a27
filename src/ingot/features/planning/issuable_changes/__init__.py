"""An issuable at one moment: changes are derived from it, for system notes and to-do items."""

from ingot.features.planning.issuable_changes.snapshots import Snapshot, snapshot

__all__ = ["Snapshot", "snapshot"]
