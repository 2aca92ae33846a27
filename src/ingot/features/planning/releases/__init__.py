"""Releases: notes about a tag, with links to what was built."""

from ingot.features.planning.releases.links import is_link_address
from ingot.features.planning.releases.params import LINK_TYPES
from ingot.features.planning.releases.tables import release_links, release_milestones, releases

__all__ = ["LINK_TYPES", "is_link_address", "release_links", "release_milestones", "releases"]
