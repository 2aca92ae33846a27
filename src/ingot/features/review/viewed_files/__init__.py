"""Files of a merge request that a person has viewed. Nobody else sees the marks, and no endpoint shows them."""

from ingot.features.review.viewed_files.commands import mark_viewed, unmark_viewed
from ingot.features.review.viewed_files.queries import viewed_blobs

__all__ = ["mark_viewed", "unmark_viewed", "viewed_blobs"]
