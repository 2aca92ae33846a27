"""Milestones of projects and groups."""

from ingot.features.milestones.entities import Milestone, milestones_by_id
from ingot.features.milestones.queries import find_one, ids_matching, usable_in_group, usable_in_project
from ingot.features.milestones.tables import milestones

__all__ = [
    "Milestone",
    "find_one",
    "ids_matching",
    "milestones",
    "milestones_by_id",
    "usable_in_group",
    "usable_in_project",
]
