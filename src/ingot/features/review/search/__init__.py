"""Search over everything that the caller may read, in the instance, a group or a project.

For pages that search: `limit_searches` counts them with the searches of the API, `timed_out` says what those say,
`count_hits` tells how many hits a scope has. In repositories nobody looks further than `MOST_BEYOND` hits behind the
beginning of a page.
"""

from ingot.features.review.search.checks import limit_searches, timed_out
from ingot.features.review.search.counting import IN_REPOSITORIES, count_hits
from ingot.features.review.search.paging import MOST_BEYOND

__all__ = ["IN_REPOSITORIES", "MOST_BEYOND", "count_hits", "limit_searches", "timed_out"]
