"""Releases: notes about a tag, with links to what was built."""

from ingot.features.planning.releases.links import is_link_address
from ingot.features.planning.releases.params import LINK_TYPES
from ingot.features.planning.releases.policy import READ_RELEASES
from ingot.features.planning.releases.presenting import sources_of
from ingot.features.planning.releases.rows import ReleaseRow
from ingot.features.planning.releases.tables import release_links, release_milestones, releases

__all__ = [
    "LINK_TYPES", "READ_RELEASES", "ReleaseRow", "is_link_address", "release_links", "release_milestones", "releases",
    "sources_of",
]  # fmt: skip
