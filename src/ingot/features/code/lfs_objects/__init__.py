"""Which objects of Git LFS a project has."""

from ingot.features.code.lfs_objects.archived import (
    LFS_FOLDER,
    LFS_LIST,
    PROJECT,
    ArchivedObject,
    check_objects,
    objects_of_project,
    repository_kinds,
    store_objects,
)
from ingot.features.code.lfs_objects.commands import (
    adopt,
    link,
    link_from_fork,
    move_objects,
    object_key,
    renew,
    store_content,
)
from ingot.features.code.lfs_objects.queries import find_objects, has_any, has_objects
from ingot.features.code.lfs_objects.rows import LfsObjectRow

__all__ = [
    "LFS_FOLDER",
    "LFS_LIST",
    "PROJECT",
    "ArchivedObject",
    "LfsObjectRow",
    "adopt",
    "check_objects",
    "find_objects",
    "has_any",
    "has_objects",
    "link",
    "link_from_fork",
    "move_objects",
    "object_key",
    "objects_of_project",
    "renew",
    "repository_kinds",
    "store_content",
    "store_objects",
]
