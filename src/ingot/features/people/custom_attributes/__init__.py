"""Custom attributes of groups, projects and users."""

from ingot.features.people.custom_attributes.queries import CustomAttribute, attributes_by_owner, has_attributes
from ingot.features.people.custom_attributes.tables import (
    group_custom_attributes,
    project_custom_attributes,
    user_custom_attributes,
)

__all__ = [
    "CustomAttribute", "attributes_by_owner", "group_custom_attributes", "has_attributes",
    "project_custom_attributes", "user_custom_attributes",
]  # fmt: skip
