"""Code search: an index of the files of default branches, and searches of any other commit.

`find_in_index` searches projects by the index, `find_in_commit` one commit by git.
"""

from ingot.features.code.code_search.figures import measure_index
from ingot.features.code.code_search.hits import Hit, HitPage, with_beginnings
from ingot.features.code.code_search.in_commit import find_in_commit, read_beginnings_from
from ingot.features.code.code_search.in_index import find_in_index, is_current, read_beginnings
from ingot.features.code.code_search.indexing import rebuild_index
from ingot.features.code.code_search.jobs import queue_restored
from ingot.features.code.code_search.query import parse_query
from ingot.features.code.code_search.repairing import lost_trigrams, rebuild_trigrams, stale_projects

__all__ = [
    "Hit", "HitPage", "find_in_commit", "find_in_index", "is_current", "lost_trigrams", "measure_index",
    "parse_query", "queue_restored", "read_beginnings", "read_beginnings_from", "rebuild_index", "rebuild_trigrams",
    "stale_projects", "with_beginnings",
]  # fmt: skip
