"""The approval state of merge requests: which rules apply, who may approve, who has, what is missing; all in bulk."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, Select, Table, bindparam, exists, or_, select

from ingot.access.tables import group_authorizations
from ingot.features.code.protected_branches import all_protected_branches, protected_branches
from ingot.features.review.approval_settings import GROUP_DEFAULTS, Entry, for_projects, resolve
from ingot.features.review.approvals.rows import ApprovalRow, ApprovalRuleRow
from ingot.features.review.approvals.tables import (
    ANY_APPROVER,
    CODE_OWNER,
    approval_merge_request_rule_groups,
    approval_merge_request_rule_users,
    approval_merge_request_rules,
    approval_project_rule_branches,
    approval_project_rule_groups,
    approval_project_rule_users,
    approval_project_rules,
    approvals,
    merge_request_committers,
)
from ingot.features.review.merge_requests import (
    MergeRequestRow,
    MergeRequestWithProject,
    has_concerned,
    merge_requests,
)
from ingot.gitstore.listing import matches_pattern
from ingot.kit.statements import is_remembering, lasting

# The check that looks at the rules of requests.
NOT_APPROVED = "not_approved"


class Rule(msgspec.Struct):
    """A rule of a project or of a request."""

    row: Any
    user_ids: list[int] = msgspec.field(default_factory=list)
    group_ids: list[int] = msgspec.field(default_factory=list)
    member_ids: list[int] = msgspec.field(default_factory=list)  # members of the groups
    branches: list[str] = msgspec.field(default_factory=list)  # patterns; empty means all
    is_optional: bool = False  # owners whose approval the target branch does not require

    @property
    def required(self) -> int:
        """How many approvals the rule requires."""
        return 0 if self.is_optional else int(self.row.approvals_required)

    @property
    def is_code_owner(self) -> bool:
        """It comes from CODEOWNERS, so it cannot be edited, and applies besides the others."""
        return bool(self.row.rule_type == CODE_OWNER)

    @property
    def is_any(self) -> bool:
        """Everybody's approval counts."""
        return bool(self.row.rule_type == ANY_APPROVER)

    def candidates(self) -> list[int]:
        """Everybody the rule names, once."""
        return list(dict.fromkeys([*self.user_ids, *self.member_ids]))


class RuleState(msgspec.Struct):
    """The state of a rule for one merge request."""

    rule: Rule
    eligible: list[int]
    approved_by: list[int]

    @property
    def required(self) -> int:
        """How many approvals the rule requires."""
        return self.rule.required

    @property
    def left(self) -> int:
        """How many approvals are missing."""
        return max(0, self.required - len(self.approved_by))

    @property
    def is_invalid(self) -> bool:
        """It requires more approvals than it has users: such a rule counts as approved."""
        return not self.rule.is_any and len(self.eligible) < self.required

    @property
    def is_approved(self) -> bool:
        """It has enough approvals, or can never get them."""
        return self.left == 0 or self.is_invalid


class ApprovalState(msgspec.Struct):
    """All of it, for one request."""

    settings: dict[str, Entry]
    rules: list[RuleState]
    given: list[ApprovalRow]  # rows, oldest first
    barred: set[int]  # author and committers who may not approve
    overwritten: bool  # the request has rules of its own

    @property
    def is_approved(self) -> bool:
        """Every applicable rule is."""
        return all(rule.is_approved for rule in self.rules)

    @property
    def approvals_required(self) -> int:
        """The sum of all rules except the any-approver rule."""
        named = sum(rule.required for rule in self.rules if not rule.rule.is_any)
        return max([named, *(rule.required for rule in self.rules if rule.rule.is_any)])

    @property
    def approvals_left(self) -> int:
        """The sum of missing approvals; also where too few users could approve."""
        named = sum(rule.left for rule in self.rules if not rule.rule.is_any)
        return max([named, *(rule.left for rule in self.rules if rule.rule.is_any)])

    @property
    def eligible(self) -> set[int]:
        """Everybody whom some rule names."""
        return {user_id for rule in self.rules for user_id in rule.eligible}


# spec: the settings and rules are of the paid tiers. Without them everybody may approve, and what was given stays.
UNLICENSED = resolve({}, None, GROUP_DEFAULTS | {"retain_approvals_on_push": True}, for_project=True)


def without_licence(state: ApprovalState) -> ApprovalState:
    """The same approvals, without rules and settings."""
    return ApprovalState(UNLICENSED, [], state.given, set(), False)


def with_rules(ids: BindParameter[int]) -> Select[Any]:
    """Those of the requests to which a rule may apply, of their own or of their project."""
    of_project = exists().where(approval_project_rules.c.project_id == merge_requests.c.project_id)
    own = exists().where(approval_merge_request_rules.c.merge_request_id == merge_requests.c.id)
    return select(merge_requests.c.id).where(merge_requests.c.id.in_(ids), or_(of_project, own))


_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_ANY_WITH_RULES = with_rules(_IDS).limit(1)


def has_rules(conn: Connection, rows: Sequence[MergeRequestRow]) -> bool:
    """Whether any rule may apply to these requests."""
    if is_remembering():  # what shows requests asked already which of them their checks have to look at
        return has_concerned(conn, rows, NOT_APPROVED)
    return conn.execute(_ANY_WITH_RULES, {"ids": [row.id for row in rows]}).first() is not None


_APPROVALS = select(approvals).where(approvals.c.merge_request_id.in_(_IDS)).order_by(approvals.c.id)
_COMMITTERS = select(merge_request_committers).where(merge_request_committers.c.merge_request_id.in_(_IDS))


def states(
    conn: Connection, rows: Sequence[MergeRequestWithProject], *, ruled: bool = True
) -> dict[int, ApprovalState]:
    """The state of each request of a page (rows of merge_requests.queries.COLUMNS), in a fixed number of queries.

    `ruled` is false where it is known that no rule applies to any of them.
    """
    ids = [row.id for row in rows]
    homes = {row.project_id: row.project_namespace_id for row in rows}
    settings = for_projects(conn, homes)
    own = request_rules(conn, ids) if ruled else {}
    of_project = project_rules(conn, list(homes)) if ruled else {}
    given: dict[int, list[Any]] = defaultdict(list)
    for approval in conn.execute(_APPROVALS, {"ids": ids}):
        given[approval.merge_request_id].append(approval)
    barring = [row.id for row in rows if not settings[row.project_id]["allow_committer_approval"].value]
    committers: dict[int, set[int]] = defaultdict(set)
    for item in conn.execute(_COMMITTERS, {"ids": barring}) if barring else ():
        committers[item.merge_request_id].add(item.user_id)
    return {
        row.id: _state(
            row,
            settings[row.project_id],
            own.get(row.id, []),
            of_project.get(row.project_id, []),
            given[row.id],
            committers[row.id],
        )
        for row in rows
    }


def _state(
    row: MergeRequestRow,
    settings: dict[str, Entry],
    own: list[Rule],
    of_project: list[Rule],
    given: list[ApprovalRow],
    committers: set[int],
) -> ApprovalState:
    may_override = settings["allow_overrides_to_approver_list_per_merge_request"].value
    of_owners = [rule for rule in own if rule.is_code_owner]
    own = [rule for rule in own if not rule.is_code_owner]
    # Unmodified copies count as the project's rules.
    overwritten = may_override and any(rule.row.is_modified or rule.row.source_rule_id is None for rule in own)
    rules = own if overwritten else [rule for rule in of_project if applies_to(rule, row.target_branch)]
    barred: set[int] = set()
    if not settings["allow_author_approval"].value and row.author_id is not None:
        barred.add(row.author_id)
    if not settings["allow_committer_approval"].value:
        barred |= committers
    approvers = [approval.user_id for approval in given]
    result = []
    for rule in [*rules, *of_owners]:
        eligible = [user_id for user_id in rule.candidates() if user_id not in barred]
        counted = [user_id for user_id in approvers if user_id not in barred and (rule.is_any or user_id in eligible)]
        result.append(RuleState(rule, eligible, counted))
    if row.state == "merged":  # frozen after the merge: rules that were never fulfilled are left out
        result = [rule for rule in result if rule.left == 0]
    return ApprovalState(settings, result, given, barred, overwritten)


def applies_to(rule: Rule, branch: str) -> bool:
    """A rule may be limited to some protected branches."""
    return not rule.branches or any(matches_pattern(branch, pattern) for pattern in rule.branches)


_REQUEST_RULES = (
    select(approval_merge_request_rules)
    .where(approval_merge_request_rules.c.merge_request_id.in_(_IDS))
    .order_by(approval_merge_request_rules.c.id)
)


def request_rules(conn: Connection, ids: Sequence[int]) -> dict[int, list[Rule]]:
    """The rules of requests."""
    rows = conn.execute(_REQUEST_RULES, {"ids": ids}).all()
    rules = _filled(conn, rows, approval_merge_request_rule_users, approval_merge_request_rule_groups)
    of_owners = [rule for rule in rules if rule.is_code_owner]
    if of_owners:
        _ask_owners_where_protected(conn, of_owners)
    result: dict[int, list[Rule]] = defaultdict(list)
    for rule in rules:
        result[rule.row.merge_request_id].append(rule)
    return result


def _ask_owners_where_protected(conn: Connection, rules: list[Rule]) -> None:
    """Protected branches require approvals of owners; elsewhere their rules are only informative."""
    merge_request_ids = {rule.row.merge_request_id for rule in rules}
    rules_there = all_protected_branches
    protecting = (
        select(merge_requests.c.id, merge_requests.c.target_branch, rules_there.c.name)
        .join_from(merge_requests, rules_there, rules_there.c.project_id == merge_requests.c.project_id)
        .where(merge_requests.c.id.in_(merge_request_ids), rules_there.c.code_owner_approval_required)
    )
    asking = {row.id for row in conn.execute(protecting) if matches_pattern(row.target_branch, row.name)}
    for rule in rules:
        rule.is_optional = rule.row.merge_request_id not in asking


_PROJECT_RULES = lasting(
    select(approval_project_rules)
    .where(approval_project_rules.c.project_id.in_(_IDS))
    .order_by(approval_project_rules.c.id)
)
_NAMED_BRANCHES = lasting(
    select(approval_project_rule_branches.c.rule_id, protected_branches.c.name)
    .join(protected_branches, protected_branches.c.id == approval_project_rule_branches.c.protected_branch_id)
    .where(approval_project_rule_branches.c.rule_id.in_(_IDS))
)


def project_rules(conn: Connection, project_ids: Sequence[int]) -> dict[int, list[Rule]]:
    """The rules of projects."""
    rows = conn.execute(_PROJECT_RULES, {"ids": project_ids}).all()
    if not rows:
        return {}
    rules = _filled(conn, rows, approval_project_rule_users, approval_project_rule_groups)
    by_id = {rule.row.id: rule for rule in rules}
    for link in conn.execute(_NAMED_BRANCHES, {"ids": by_id}):
        by_id[link.rule_id].branches.append(link.name)
    everywhere = [rule for rule in rules if rule.row.applies_to_all_protected_branches]
    if everywhere:
        _limit_to_protected(conn, everywhere)
    result: dict[int, list[Rule]] = defaultdict(list)
    for rule in rules:
        result[rule.row.project_id].append(rule)
    return result


def needed_by_rule(conn: Connection, project_id: int) -> dict[int, int]:
    """Needed approvals of the project's rules, by id."""
    return {row.id: row.approvals_required for row in conn.execute(_PROJECT_RULES, {"ids": [project_id]})}


def _limit_to_protected(conn: Connection, rules: list[Rule]) -> None:
    project_ids = {rule.row.project_id for rule in rules}
    names: dict[int, list[str]] = defaultdict(list)
    here = all_protected_branches.c.project_id.in_(project_ids)
    for row in conn.execute(select(all_protected_branches).where(here)):
        names[row.project_id].append(row.name)
    for rule in rules:
        # Matches no branch: "all protected branches" of a project without any means none.
        rule.branches = names[rule.row.project_id] or ["\x00"]


@cache
def _users_query(users: Table) -> Select[Any]:
    return lasting(select(users).where(users.c.rule_id.in_(_IDS)).order_by(users.c.user_id))


@cache
def _groups_query(groups: Table) -> Select[Any]:
    return lasting(
        select(groups.c.rule_id, groups.c.group_id, group_authorizations.c.user_id)
        .select_from(groups)
        .outerjoin(group_authorizations, group_authorizations.c.group_id == groups.c.group_id)
        .where(groups.c.rule_id.in_(_IDS))
        .order_by(groups.c.group_id, group_authorizations.c.user_id)
    )


def _filled(conn: Connection, rows: Iterable[ApprovalRuleRow], users: Table, groups: Table) -> list[Rule]:
    rules = {row.id: Rule(row) for row in rows}
    if not rules:
        return []
    for link in conn.execute(_users_query(users), {"ids": rules}):
        rules[link.rule_id].user_ids.append(link.user_id)
    for link in conn.execute(_groups_query(groups), {"ids": rules}):
        rule = rules[link.rule_id]
        if link.group_id not in rule.group_ids:
            rule.group_ids.append(link.group_id)
        if link.user_id is not None:
            rule.member_ids.append(link.user_id)
    return list(rules.values())
