"""`approved=yes|no`: the approval state of merge requests (see `state.py`) as a condition in SQL.

Both read the same rules: the request's own where somebody changed them and may, else those of the project that apply to
the target branch, and those of code owners where the target branch asks for them; authors and committers are left out
where the settings say so; what is merged is frozen.
"""

from sqlalchemy import ColumnElement, Connection, FromClause, Table, and_, case, exists, func, or_, select, true

from ingot.access.tables import group_authorizations, projects
from ingot.features.code.protected_branches import all_protected_branches, matches, protected_branches
from ingot.features.review.approval_settings import permits
from ingot.features.review.approvals.tables import (
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
from ingot.features.review.merge_requests import merge_requests

Condition = ColumnElement[bool]


def approved_condition(conn: Connection, is_approved: bool) -> Condition:
    """Yes: every rule that applies has its approvals, or where none requires any, at least one was given."""
    permitted = permits(conn, projects)
    own, project = approval_merge_request_rules, approval_project_rules
    is_own = and_(own.c.merge_request_id == merge_requests.c.id, own.c.rule_type != CODE_OWNER)
    chosen = _any((own,), is_own, or_(own.c.is_modified, own.c.source_rule_id.is_(None)))
    overwritten = and_(permitted["allow_overrides_to_approver_list_per_merge_request"], chosen)
    links = (approval_merge_request_rule_users, approval_merge_request_rule_groups)
    of_request = _Rules(own, *links, is_own, permitted)
    of_project = _Rules(
        project,
        approval_project_rule_users,
        approval_project_rule_groups,
        and_(project.c.project_id == merge_requests.c.project_id, _is_for_target(conn)),
        permitted,
    )
    is_of_owners = and_(own.c.merge_request_id == merge_requests.c.id, own.c.rule_type == CODE_OWNER)
    of_owners = _Rules(own, *links, and_(is_of_owners, _needs_code_owners(conn)), permitted)
    required = or_(
        case((overwritten, of_request.are_required()), else_=of_project.are_required()), of_owners.are_required()
    )
    unmet = or_(case((overwritten, of_request.unmet()), else_=of_project.unmet()), of_owners.unmet())
    given = _any((approvals,), approvals.c.merge_request_id == merge_requests.c.id)
    approved = case((required, ~unmet), else_=given)
    return approved if is_approved else ~approved


def _any(tables: tuple[FromClause, ...], *conditions: Condition) -> Condition:
    """Rows of these tables exist; all other tables belong to the surrounding statements."""
    return exists().where(*conditions).correlate_except(*tables)


def _protects_target(conn: Connection, *more: Condition) -> Condition:
    fits = matches(conn.dialect.name, merge_requests.c.target_branch, all_protected_branches.c.name)
    here = all_protected_branches.c.project_id == merge_requests.c.project_id
    return _any((all_protected_branches,), here, fits, *more)


def _needs_code_owners(conn: Connection) -> Condition:
    """Without protection, rules of code owners are only informative."""
    return _protects_target(conn, all_protected_branches.c.code_owner_approval_required)


def _is_for_target(conn: Connection) -> Condition:
    """A project's rule may be limited to some protected branches, or to all of them."""
    rules, links = approval_project_rules, approval_project_rule_branches
    fits = matches(conn.dialect.name, merge_requests.c.target_branch, protected_branches.c.name)
    is_protected = _protects_target(conn)
    linked = links.c.rule_id == rules.c.id
    is_linked = _any((links, protected_branches), linked, protected_branches.c.id == links.c.protected_branch_id, fits)
    return case(
        (rules.c.applies_to_all_protected_branches, is_protected),
        (_any((links,), linked), is_linked),
        else_=true(),
    )


class _Rules:
    """One of the two sources of rules, as conditions on a merge request."""

    def __init__(
        self, rules: Table, by_user: Table, by_group: Table, apply: Condition, permitted: dict[str, Condition]
    ):
        self.rules, self.by_user, self.by_group, self.apply = rules, by_user, by_group, apply
        self.is_any: Condition = rules.c.rule_type == "any_approver"
        self.permitted = permitted

    def are_required(self) -> Condition:
        """Some rule requires approvals; after the merge only fulfilled rules count."""
        required = self.rules.c.approvals_required
        counts = or_(merge_requests.c.state != "merged", required <= self._given())
        return _any((self.rules,), self.apply, required > 0, counts)

    def unmet(self) -> Condition:
        """Some rule lacks approvals of the people it names; one that names too few people counts as met."""
        required = self.rules.c.approvals_required
        is_valid = or_(self.is_any, required <= self._eligible())
        unmet = _any((self.rules,), self.apply, required > self._given(), is_valid)
        return and_(merge_requests.c.state != "merged", unmet)

    def _may_approve(self, user: ColumnElement[int]) -> Condition:
        """Not excluded as author or committer by the settings."""
        table = merge_request_committers
        committed = _any((table,), table.c.merge_request_id == merge_requests.c.id, table.c.user_id == user)
        return and_(
            or_(self.permitted["allow_author_approval"], func.coalesce(merge_requests.c.author_id, 0) != user),
            or_(self.permitted["allow_committer_approval"], ~committed),
        )

    def _in_groups(self, user: ColumnElement[int]) -> Condition:
        rights, links = group_authorizations, self.by_group
        of_rule = links.c.rule_id == self.rules.c.id
        return _any((rights, links), of_rule, rights.c.group_id == links.c.group_id, rights.c.user_id == user)

    def _named(self, user: ColumnElement[int]) -> Condition:
        names = self.by_user
        return _any((names,), names.c.rule_id == self.rules.c.id, names.c.user_id == user)

    def _given(self) -> ColumnElement[int]:
        """Approvals that count for the rule."""
        user = approvals.c.user_id
        return (
            select(func.count())
            .select_from(approvals)
            .where(
                approvals.c.merge_request_id == merge_requests.c.id,
                self._may_approve(user),
                or_(self.is_any, self._named(user), self._in_groups(user)),
            )
            .correlate_except(approvals)
            .scalar_subquery()
        )

    def _eligible(self) -> ColumnElement[int]:
        """Users of the rule, each once."""
        by_name, links, rights = self.by_user, self.by_group, group_authorizations
        named = (
            select(func.count())
            .select_from(by_name)
            .where(by_name.c.rule_id == self.rules.c.id, self._may_approve(by_name.c.user_id))
        )
        user = rights.c.user_id
        members = (
            select(func.count(user.distinct()))
            .join_from(links, rights, rights.c.group_id == links.c.group_id)
            .where(links.c.rule_id == self.rules.c.id, self._may_approve(user), ~self._named(user))
        )
        return (
            named.correlate_except(by_name).scalar_subquery()
            + members.correlate_except(links, rights).scalar_subquery()
        )
