"""Milestones of projects and groups."""

from ingot.features.planning.milestones.entities import Milestone, milestones_by_id
from ingot.features.planning.milestones.entities import present as present_milestones
from ingot.features.planning.milestones.entities import with_paths as milestones_with_paths
from ingot.features.planning.milestones.policy import READ_MILESTONES, milestones_shown
from ingot.features.planning.milestones.queries import (
    find_one,
    ids_with_title,
    running_ids,
    upcoming_ids,
    usable_in_group,
    usable_in_project,
)
from ingot.features.planning.milestones.rows import MilestoneRow
from ingot.features.planning.milestones.tables import milestones

__all__ = [
    "READ_MILESTONES", "Milestone", "MilestoneRow", "find_one", "ids_with_title", "milestones", "milestones_by_id",
    "milestones_shown", "milestones_with_paths", "present_milestones", "running_ids", "upcoming_ids",
    "usable_in_group", "usable_in_project",
]  # fmt: skip
