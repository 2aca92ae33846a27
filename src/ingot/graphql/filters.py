"""Arguments of GraphQL lists as parameters of the REST lists below them."""

from collections.abc import Mapping

from graphql import GraphQLError

from ingot.graphql.arguments import Common, IssueArguments, MergeRequestArguments, WorkItemArguments

# Of work items: what these ask about does not exist here, or no list can be chosen by it.
UNSUPPORTED = (
    "crm_contact_id", "crm_organization_id", "ids", "iteration_cadence_id", "iteration_id", "iteration_wildcard_id",
    "parent_ids", "release_tag", "release_tag_wildcard_id", "subscribed", "closed_after", "closed_before", "due_after",
    "due_before",
)  # fmt: skip
HEALTH = {"onTrack": "on_track", "needsAttention": "needs_attention", "atRisk": "at_risk"}
TYPES = ("ISSUE", "INCIDENT", "TEST_CASE", "REQUIREMENT", "TASK", "TICKET")

Values = dict[str, object]


class NothingMatches(Exception):
    """No record of this server can match."""


def issue_filters(given: IssueArguments) -> Values:
    """Parameters of a list of issues."""
    iids = [given.iid] if given.iid is not None else given.iids
    milestone = _single(given.milestone_title, "milestoneTitle")
    return _common(given) | _sent(
        iids=iids, labels=given.label_name, milestone=milestone, assignee_username=given.assignee_usernames
    )


def work_item_filters(given: WorkItemArguments, sent: Mapping[str, object]) -> Values:
    """Parameters of a list of issues, for work items."""
    for name in UNSUPPORTED:
        if sent.get(name):
            raise GraphQLError(f"{_wire_name(name)} is not supported")
    health = given.health_status_filter
    return issue_filters(given) | _sent(
        assignee_id=_word(given.assignee_wildcard_id),
        confidential=given.confidential,
        health_status=HEALTH.get(health, _word(health)) if health is not None else None,
        milestone_id=_word(given.milestone_wildcard_id),
        my_reaction_emoji=given.my_reaction_emoji,
        issue_type=_kind(given.types),
        weight=given.weight or _word(given.weight_wildcard_id),
        **{"in": ",".join(given.in_).lower() if given.in_ else None},
    )


def merge_request_filters(given: MergeRequestArguments) -> Values:
    """Parameters of the list of merge requests."""
    return _common(given) | _sent(
        iids=given.iids,
        labels=given.labels,
        milestone=given.milestone_title,
        assignee_username=given.assignee_username,
        reviewer_username=given.reviewer_username,
        source_branch=_single(given.source_branches, "sourceBranches"),
        target_branch=_single(given.target_branches, "targetBranches"),
    )


def _common(given: Common) -> Values:
    if given.state == "locked" and isinstance(given, IssueArguments):
        raise NothingMatches
    field, _, direction = (given.sort or "created_desc").lower().partition("_")
    return _sent(
        state=given.state,
        search=given.search,
        author_username=given.author_username,
        created_after=given.created_after,
        created_before=given.created_before,
        updated_after=given.updated_after,
        updated_before=given.updated_before,
        order_by=field if field == "title" else f"{field}_at",
        sort=direction,
        with_labels_details=True,
        scope="all",
    )


def _sent(**values: object) -> Values:
    return {name: value for name, value in values.items() if value not in (None, [])}


def _kind(types: list[str] | None) -> str | None:
    known = [name for name in TYPES if name in types] if types else []
    if types and not known:
        raise NothingMatches
    kind = _single(known, "types") if len(known) < len(TYPES) else None
    return kind.lower() if kind is not None else None


def _single(values: list[str] | None, name: str) -> str | None:
    if not values:
        return None
    if len(values) > 1:
        raise GraphQLError(f"{name} takes one value")
    return values[0]


def _word(value: str | None) -> str | None:
    return value.capitalize() if value is not None else None


def _wire_name(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
