"""Labels of projects and groups."""

from ingot.features.labels.commands import create_label, resolve_names
from ingot.features.labels.entities import LabelDetail, label_detail
from ingot.features.labels.policy import ADMIN_LABELS
from ingot.features.labels.queries import usable_in_project
from ingot.features.labels.tables import label_priorities, labels

__all__ = [
    "ADMIN_LABELS", "LabelDetail", "create_label", "label_detail", "label_priorities", "labels", "resolve_names",
    "usable_in_project",
]  # fmt: skip
