"""Search over everything that the caller may read, in the instance, a group or a project.

For pages that search: `limit_searches` counts them with the searches of the API, `timed_out` says what those say.
"""

from ingot.features.review.search.checks import limit_searches, timed_out

__all__ = ["limit_searches", "timed_out"]
