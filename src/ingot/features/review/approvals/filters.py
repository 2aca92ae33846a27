"""Filters by approvals and approvers (paid tiers). Being approved is in `approved_filter`."""

from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, Table, and_, exists, func, or_, select

from ingot.access.tables import group_authorizations
from ingot.features.planning.issuable_lists import user_named
from ingot.features.review.approvals.approved_filter import approved_condition
from ingot.features.review.approvals.tables import (
    CODE_OWNER,
    approval_merge_request_rule_groups,
    approval_merge_request_rule_users,
    approval_merge_request_rules,
    approval_project_rule_groups,
    approval_project_rule_users,
    approval_project_rules,
    approvals,
)
from ingot.features.review.merge_requests import ListContext, list_conversions, list_filter, merge_requests
from ingot.kit.errors import ParamError
from ingot.kit.ids import parse_id
from ingot.kit.params import ANY, NONE, Sentinel

MOST = 5
T = TypeVar("T")


def _approved_by(user: int | ColumnElement[int] | None = None) -> ColumnElement[bool]:
    query = exists().where(approvals.c.merge_request_id == merge_requests.c.id)
    return query if user is None else query.where(approvals.c.user_id == user)


@list_filter
def by_approved(query: Select[Any], context: ListContext) -> Select[Any]:
    """approved, behind its feature flag."""
    approved = context.options.approved
    if not context.has_approved_filter or approved is None:
        return query
    return query.where(approved_condition(context.conn, approved == "yes"))


@list_filter
def by_approvals(query: Select[Any], context: ListContext) -> Select[Any]:
    """approved_by_ids, approved_by_usernames and approver_ids."""
    options = context.options
    if not context.is_paid:
        return query
    for name in ("approved_by_ids", "approved_by_usernames"):
        chosen = getattr(options, name)
        if chosen is NONE:
            query = query.where(~_approved_by())
        elif chosen is ANY:
            query = query.where(_approved_by())
        elif chosen:
            by_name = name.endswith("usernames")
            query = query.where(*(_approved_by(user_named(user) if by_name else user) for user in chosen))
    return _by_approvers(query, options.approver_ids)


def _chosen_ids(ids: list[object] | Sentinel) -> list[int] | Sentinel:
    few = _few("approved_by_ids", ids)
    return few if isinstance(few, Sentinel) else [_number("approved_by_ids", user) for user in few]


def _chosen_names(names: list[str] | Sentinel) -> list[str] | Sentinel:
    few = _few("approved_by_usernames", names)
    return few if isinstance(few, Sentinel) else [name.lower() for name in few]


def _few(name: str, users: list[T] | Sentinel) -> list[T] | Sentinel:
    distinct = users if isinstance(users, Sentinel) else list(dict.fromkeys(users))
    if isinstance(distinct, list) and len(distinct) > MOST:
        raise ParamError(f"{name} allows at most {MOST} users, but found {len(distinct)}")
    return distinct


def _approvers(ids: list[object] | Sentinel) -> list[int] | Sentinel:
    return ids if isinstance(ids, Sentinel) else list(dict.fromkeys(_number("approver_ids", user) for user in ids))


def _number(name: str, value: object) -> int:
    number = parse_id(str(value).strip())
    if number is None:
        raise ParamError(f"{name} should be an array, 'None' or 'Any'")
    return number


list_conversions(
    {"approved_by_ids": _chosen_ids, "approved_by_usernames": _chosen_names, "approver_ids": _approvers}, paid=True
)


def _has_own_rule(*more: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(approval_merge_request_rules.c.merge_request_id == merge_requests.c.id, *more)


def _has_project_rule() -> ColumnElement[bool]:
    return exists().where(approval_project_rules.c.project_id == merge_requests.c.project_id)


def _by_approvers(query: Select[Any], approver_ids: list[int] | Sentinel) -> Select[Any]:
    if approver_ids is NONE:
        return query.where(~_has_own_rule(), ~_has_project_rule())
    if approver_ids is ANY:
        return query.where(or_(_has_own_rule(), _has_project_rule()))
    if isinstance(approver_ids, Sentinel) or not approver_ids:
        return query
    # All of them must be in the same set of rules.
    own, project = approval_merge_request_rules, approval_project_rules
    of_project = ~_has_own_rule(own.c.rule_type != CODE_OWNER)
    sources = [
        _rule_users(own, approval_merge_request_rule_users, approver_ids),
        _rule_members(own, approval_merge_request_rule_groups, approver_ids),
        and_(of_project, _rule_users(project, approval_project_rule_users, approver_ids)),
        and_(of_project, _rule_members(project, approval_project_rule_groups, approver_ids)),
    ]
    return query.where(or_(*sources))


def _of_request(rules: Table) -> ColumnElement[bool]:
    if rules is approval_merge_request_rules:
        return rules.c.merge_request_id == merge_requests.c.id
    return rules.c.project_id == merge_requests.c.project_id


def _rule_users(rules: Table, links: Table, users: list[int]) -> ColumnElement[bool]:
    """All of these users are named by the rules."""
    named = select(func.count(links.c.user_id.distinct())).where(
        _of_request(rules), links.c.rule_id == rules.c.id, links.c.user_id.in_(users)
    )
    return named.scalar_subquery() == len(users)


def _rule_members(rules: Table, links: Table, users: list[int]) -> ColumnElement[bool]:
    """All of these users are in groups that the rules name."""
    rights = group_authorizations
    named = select(func.count(rights.c.user_id.distinct())).where(
        _of_request(rules),
        links.c.rule_id == rules.c.id,
        rights.c.group_id == links.c.group_id,
        rights.c.user_id.in_(users),
    )
    return named.scalar_subquery() == len(users)
