"""Labels of projects and groups."""

from ingot.features.planning.labels.colors import DEFAULT, read_color
from ingot.features.planning.labels.commands import resolve_names
from ingot.features.planning.labels.entities import LabelDetail, label_detail
from ingot.features.planning.labels.policy import ADMIN_LABELS
from ingot.features.planning.labels.queries import usable_in_project
from ingot.features.planning.labels.rows import LabelRow
from ingot.features.planning.labels.tables import label_priorities, label_subscriptions, labels

__all__ = [
    "ADMIN_LABELS", "DEFAULT", "LabelDetail", "LabelRow", "label_detail", "label_priorities",
    "label_subscriptions", "labels",
    "read_color", "resolve_names", "usable_in_project",
]  # fmt: skip
