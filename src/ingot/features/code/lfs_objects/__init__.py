"""Which objects of Git LFS a project has."""

from ingot.features.code.lfs_objects.commands import link, link_from
from ingot.features.code.lfs_objects.queries import find_objects, has_objects

__all__ = ["find_objects", "has_objects", "link", "link_from"]
