"""Filters of lists of issues and merge requests, by the names that the API has for them."""

from collections.abc import Sequence
from urllib.parse import urlencode

import msgspec

from ingot.web.call import PageCall

MOST_APPROVERS = 5  # each is looked up
NOBODY = "0"


class Filter(msgspec.Struct, frozen=True):
    """One field of the form."""

    name: str
    label: str
    kind: str = "text"
    choices: Sequence[tuple[str, str]] = ()  # value and words, after the one for no choice
    none: str = "Any"  # the words for no choice
    offers: str = ""  # kind of the names that a script offers
    words: Sequence[str] = ()  # that the API knows in place of a name
    is_list: bool = False  # of names with commas between
    pattern: str = ""


SCOPE = Filter("scope", "Scope", choices=(("created_by_me", "Created by me"), ("assigned_to_me", "Assigned to me")))
REQUEST_SCOPE = Filter("scope", "Scope", choices=(*SCOPE.choices, ("reviews_for_me", "Review requested")))
SEARCH_IN = Filter("in", "Search in", choices=(("title", "Title"), ("description", "Text")), none="Title and text")
ORDERS = (
    ("updated_at", "Last updated"), ("title", "Title"), ("priority", "Milestone and label priority"),
    ("label_priority", "Label priority"), ("milestone_due", "Milestone due date"),
    ("popularity", "Popularity"),
)  # fmt: skip
SORT = Filter("sort", "Direction", choices=(("asc", "Smallest or oldest first"),), none="Largest or newest first")
NONE_OR_ANY = ("None", "Any")


def _names(name: str, label: str, kind: str, words: Sequence[str] = (), *, is_list: bool = False) -> Filter:
    return Filter(name, label, offers=kind, words=words, is_list=is_list)


COMMON = (
    _names("labels", "Labels", "labels", NONE_OR_ANY, is_list=True),
    _names("milestone", "Milestone", "milestones", NONE_OR_ANY), _names("author_username", "Author", "people"),
    _names("assignee_username", "Assignee", "people", NONE_OR_ANY),
)  # fmt: skip
TIMES = (
    Filter("created_after", "Created after", "date"), Filter("created_before", "Created before", "date"),
    Filter("updated_after", "Updated after", "date"), Filter("updated_before", "Updated before", "date"),
)  # fmt: skip
NEGATED = (
    _names("not[labels]", "Labels are not", "labels", is_list=True),
    _names("not[milestone]", "Milestone is not", "milestones"),
    _names("not[author_username]", "Author is not", "people"),
    _names("not[assignee_username]", "Assignee is not", "people"),
)  # fmt: skip
BRANCHES = (
    _names("source_branch", "Source branch", "branches"), _names("target_branch", "Target branch", "branches"),
)  # fmt: skip
REACTION = Filter("my_reaction_emoji", "My reaction", words=NONE_OR_ANY)
DUE = Filter(
    "due_date", "Due",
    choices=(
        ("overdue", "Overdue"), ("today", "Today"), ("tomorrow", "Tomorrow"), ("week", "This week"),
        ("month", "This month"), ("any", "Any due date"), ("0", "No due date"),
    ),
)  # fmt: skip
WEIGHT = Filter("weight", "Weight", words=NONE_OR_ANY, pattern="[0-9]+|[Nn]one|[Aa]ny")
ISSUE_TYPES = ("issue", "incident", "task")  # those that forms offer
ISSUE_TYPE = Filter("issue_type", "Type", choices=tuple((name, name.capitalize()) for name in ISSUE_TYPES))
ISSUE_FILTERS = (
    *COMMON, SCOPE, SEARCH_IN, ISSUE_TYPE, WEIGHT, DUE,
    Filter("confidential", "Confidential", choices=(("true", "Only confidential"), ("false", "Not confidential"))),
    *TIMES, REACTION, *NEGATED,
    Filter("order_by", "Order", choices=(*ORDERS, ("due_date", "Due date"), ("weight", "Weight")), none="Newest"), SORT,
)  # fmt: skip
REQUEST_FILTERS = (
    *COMMON, _names("reviewer_username", "Reviewer", "people", NONE_OR_ANY),
    _names("approver_ids", "Approvers", "people", NONE_OR_ANY, is_list=True),
    _names("approved_by_usernames", "Approved by", "people", NONE_OR_ANY, is_list=True),
    _names("merge_user_username", "Merged by", "people"), *BRANCHES,
    Filter("wip", "Drafts", choices=(("yes", "Only drafts"), ("no", "No drafts"))), REQUEST_SCOPE,
    SEARCH_IN,
    *TIMES, Filter("deployed_after", "Deployed after", "date"), Filter("deployed_before", "Deployed before", "date"),
    _names("environment", "Environment", "environments"), REACTION, *NEGATED,
    _names("not[reviewer_username]", "Reviewer is not", "people"),
    Filter("order_by", "Order", choices=(*ORDERS, ("merged_at", "Merge date")), none="Newest"), SORT,
)  # fmt: skip


# Over all projects of the visitor: who is meant, the list says itself.
STATE = Filter("state", "State", choices=(("closed", "Closed"), ("all", "All")), none="Open")
OWN_ISSUE_FILTERS = (
    STATE, *COMMON[:3], SEARCH_IN, *TIMES, *NEGATED[:3],
    Filter("order_by", "Order", choices=(*ORDERS, ("due_date", "Due date")), none="Newest"), SORT,
)  # fmt: skip
OWN_REQUEST_FILTERS = (
    Filter("state", "State", choices=(("merged", "Merged"), *STATE.choices), none="Open"), *COMMON,
    *BRANCHES,
    Filter("wip", "Drafts", choices=(("yes", "Only drafts"), ("no", "No drafts"))), SEARCH_IN, *TIMES, *NEGATED,
    Filter("order_by", "Order", choices=(*ORDERS, ("merged_at", "Merge date")), none="Newest"), SORT,
)  # fmt: skip


def chosen_filters(call: PageCall, fields: Sequence[Filter]) -> dict[str, str]:
    """What the visitor set, the words first."""
    without = call.values.get("not")
    negated = {f"not[{name}]": value for name, value in without.items()} if isinstance(without, dict) else {}
    given = {**call.values, **negated}
    names = ("search", *(field.name for field in fields))
    return {name: value.strip() for name in names if isinstance(value := given.get(name), str) and value.strip()}


def asked(filters: dict[str, str]) -> dict[str, object]:
    """The filters as parameters of the list; a list is of all people unless one is named."""
    plain: dict[str, object] = {name: value for name, value in filters.items() if not name.startswith("not[")}
    if plain.get("assignee_username") in NONE_OR_ANY:  # the API has these words beside ids only
        plain["assignee_id"] = plain.pop("assignee_username")
    negated = {name[4:-1]: value for name, value in filters.items() if name.startswith("not[")}
    return {"scope": "all", **plain, **({"not": negated} if negated else {})}


def with_approver_ids(call: PageCall, filters: dict[str, str]) -> dict[str, str]:
    """The same filters; approvers, whom the API knows by id only, may be given by their user names."""
    if "approver_ids" not in filters:
        return filters
    ids = []
    words = (part.strip().removeprefix("@") for part in filters["approver_ids"].split(","))
    for word in [word for word in words if word][:MOST_APPROVERS]:
        is_known = word.isdecimal() or word.lower() in ("any", "none")
        users = [] if is_known else call.ask_or_none("/users", username=word) or []
        ids.append(word if is_known else str(users[0]["id"]) if users else NOBODY)
    return {**filters, "approver_ids": ",".join(ids)}


def filter_facts(state: str, filters: dict[str, str], fields: Sequence[Filter], **kept: str) -> dict[str, object]:
    """What the form, the chips and the links to other pages of the list need; `kept` stays in all addresses."""
    kept |= {"state": state} if state else {}
    labels = {"search": "Words", **{field.name: field.label for field in fields}}
    words = {(field.name, value): word for field in fields for value, word in field.choices}
    chips = [
        (labels[name], words.get((name, value), value),
         urlencode({**kept, **{other: said for other, said in filters.items() if other != name}}))
        for name, value in filters.items()
    ]  # fmt: skip
    return {
        "state": state, "filters": filters, "fields": fields, "chips": chips, "others": urlencode(filters),
        "kept": kept, "list_query": urlencode({**kept, **filters}),
    }  # fmt: skip
