"""Lists of issues and merge requests: the filters and orders that both share."""

from ingot.features.planning.issuable_lists.filters import Issuable, check_assignees, user_named
from ingot.features.planning.issuable_lists.labelled import LabelForm, Labelled
from ingot.features.planning.issuable_lists.options import CONVERSIONS, IGNORED, STARTED, UPCOMING, lowered
from ingot.features.planning.issuable_lists.orders import Keys, ordered, shared_keys
from ingot.features.planning.issuable_lists.search import (
    COMMON_WORDS,
    WordsForm,
    columns_of,
    contains_all,
    form_of_words,
    terms_of,
)
from ingot.features.planning.issuable_lists.summaries import label_colours, milestone_progress

__all__ = [
    "COMMON_WORDS", "CONVERSIONS", "IGNORED", "STARTED", "UPCOMING", "Issuable", "Keys", "LabelForm", "Labelled",
    "WordsForm", "check_assignees", "columns_of", "contains_all", "form_of_words", "label_colours", "lowered",
    "milestone_progress", "ordered", "shared_keys", "terms_of", "user_named",
]  # fmt: skip
