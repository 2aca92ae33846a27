"""Projects on the wire: the simple form, the full form, and their parts."""

from ingot.features.spaces.projects.entities.full import ProjectFull
from ingot.features.spaces.projects.entities.identity import ProjectIdentity, identity_values, project_identity
from ingot.features.spaces.projects.entities.namespace import NamespaceBasic, namespace_basic
from ingot.features.spaces.projects.entities.page import present_full, present_simple, project_full, simple_by_id
from ingot.features.spaces.projects.entities.showing import Showing
from ingot.features.spaces.projects.entities.simple import ProjectSimple

__all__ = [
    "NamespaceBasic",
    "ProjectFull",
    "ProjectIdentity",
    "ProjectSimple",
    "Showing",
    "identity_values",
    "namespace_basic",
    "present_full",
    "present_simple",
    "project_full",
    "project_identity",
    "simple_by_id",
]
