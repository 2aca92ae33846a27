"""Creating and changing approval rules of projects and merge requests."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, Table, delete, insert, select, update

from ingot.access.subjects import find_group
from ingot.access.tables import project_authorizations
from ingot.features.code.protected_branches import protected_branches
from ingot.features.review.approvals.commands import copy_links
from ingot.features.review.approvals.rows import ApprovalRuleRow, ProjectRuleRow, RequestRuleRow
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
)
from ingot.features.review.merge_requests import merge_requests
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import Invalid

NAME_LIMIT = 1024
MOST_REQUIRED = 100


class RuleTables(msgspec.Struct, frozen=True):
    """The three tables of a kind of rule, and what its rules belong to."""

    rules: Table
    users: Table
    groups: Table
    owner: str


PROJECT = RuleTables(approval_project_rules, approval_project_rule_users, approval_project_rule_groups, "project_id")
REQUEST = RuleTables(
    approval_merge_request_rules,
    approval_merge_request_rule_users,
    approval_merge_request_rule_groups,
    "merge_request_id",
)


def resolve_people(tx: Connection, project_id: int, user_ids: Sequence[int], usernames: Sequence[str]) -> list[int]:
    """Members of the project among the given people."""
    named = users.c.id.in_(list(user_ids)) | users.c.username_lower.in_([name.lower() for name in usernames])
    members = select(project_authorizations.c.user_id).where(project_authorizations.c.project_id == project_id)
    query = select(users.c.id).where(named, users.c.id.in_(members)).order_by(users.c.id)
    return list(tx.execute(query).scalars())


def resolve_groups(tx: Connection, actor: Actor, group_ids: Sequence[int]) -> list[int]:
    """Groups that the caller can see."""
    return [group_id for group_id in dict.fromkeys(group_ids) if find_group(tx, actor, group_id) is not None]


def check_rule(
    tx: Connection, tables: RuleTables, owner_id: int, values: dict[str, object], rule_id: int | None
) -> None:
    """Check a rule: unique name, valid number, and at most one any-approver rule."""
    problems: dict[str, list[str]] = {}
    others = select(tables.rules.c.id).where(
        tables.rules.c[tables.owner] == owner_id, tables.rules.c.rule_type != CODE_OWNER
    )
    if rule_id is not None:
        others = others.where(tables.rules.c.id != rule_id)
    name = values.get("name")
    if isinstance(name, str):
        if not name.strip():
            problems["name"] = ["can't be blank"]
        elif len(name) > NAME_LIMIT:
            problems["name"] = [f"is too long (maximum is {NAME_LIMIT} characters)"]
        elif tx.execute(others.where(tables.rules.c.name == name)).first() is not None:
            problems["name"] = ["has already been taken"]
    required = values.get("approvals_required")
    if isinstance(required, int) and required > MOST_REQUIRED:
        problems["approvals_required"] = [f"must be less than or equal to {MOST_REQUIRED}"]
    if isinstance(required, int) and required < 0:
        problems["approvals_required"] = ["must be greater than or equal to 0"]
    kind = values.get("rule_type")
    if kind == ANY_APPROVER and tx.execute(others.where(tables.rules.c.rule_type == kind)).first() is not None:
        owner = "project" if tables is PROJECT else "merge request"
        problems["rule_type"] = [f"any-approver for the {owner} already exists"]
    if problems:
        raise Invalid(problems)


def create_rule(
    tx: Connection, tables: RuleTables, owner_id: int, values: dict[str, object], people: list[int], groups: list[int]
) -> int:
    """A new rule; without users and groups, any eligible user can approve."""
    if not people and not groups and values.get("rule_type", "regular") == "regular":
        values["rule_type"] = ANY_APPROVER
    rule_id = _insert_rule(tx, tables, owner_id, values)
    set_links(tx, tables, rule_id, people, groups)
    return rule_id


def _insert_rule(tx: Connection, tables: RuleTables, owner_id: int, values: dict[str, object]) -> int:
    check_rule(tx, tables, owner_id, values, None)
    moment = now()
    row = {tables.owner: owner_id, **values, "created_at": moment, "updated_at": moment}
    return int(tx.execute(insert(tables.rules).values(row).returning(tables.rules.c.id)).scalar_one())


def copy_to_request(
    tx: Connection,
    source: ProjectRuleRow,
    copy: RequestRuleRow | None,
    merge_request_id: int,
    required: int,
    links: tuple[list[int] | None, list[int] | None],
) -> int:
    """Give a request a rule of its project, in place of the copy that it may have.

    It has the name, kind and people of the project's rule; people or groups that were sent replace those. Without
    anybody it stays a rule that names people, so nobody else's approval counts for it.
    """
    values = {"name": source.name, "approvals_required": required, "is_modified": True, "rule_type": source.rule_type}
    if copy is None:
        rule_id = _insert_rule(tx, REQUEST, merge_request_id, {**values, "source_rule_id": source.id})
    else:
        rule_id = copy.id
        update_rule(tx, REQUEST, copy, values, None, None)
    copy_links(tx, source.id, rule_id)
    set_links(tx, REQUEST, rule_id, *links)
    return rule_id


def update_rule(
    tx: Connection,
    tables: RuleTables,
    rule: ApprovalRuleRow,
    values: dict[str, object],
    people: list[int] | None,
    groups: list[int] | None,
) -> None:
    """Change a rule; people and groups that were not sent stay."""
    check_rule(tx, tables, getattr(rule, tables.owner), values, rule.id)
    tx.execute(update(tables.rules).where(tables.rules.c.id == rule.id).values({**values, "updated_at": now()}))
    set_links(tx, tables, rule.id, people, groups)


def set_links(
    tx: Connection, tables: RuleTables, rule_id: int, people: list[int] | None, groups: list[int] | None
) -> None:
    """Users and groups of a rule."""
    for links, column, ids in ((tables.users, "user_id", people), (tables.groups, "group_id", groups)):
        if ids is not None:
            tx.execute(delete(links).where(links.c.rule_id == rule_id))
            if ids:
                tx.execute(insert(links), [{"rule_id": rule_id, column: one} for one in ids])


def limit_to_branches(tx: Connection, project_id: int, rule_id: int, branch_ids: Sequence[int]) -> None:
    """Limit a project's rule to some of its protected branches."""
    links = approval_project_rule_branches
    tx.execute(delete(links).where(links.c.rule_id == rule_id))
    known = select(protected_branches.c.id).where(
        protected_branches.c.project_id == project_id, protected_branches.c.id.in_(list(branch_ids))
    )
    rows = [{"rule_id": rule_id, "protected_branch_id": item} for item in tx.execute(known).scalars()]
    if len(rows) != len(set(branch_ids)):
        raise Invalid({"protected_branches": ["must belong to the project"]})
    if rows:
        tx.execute(insert(links), rows)


def spread(tx: Connection, rule_id: int) -> None:
    """Update unmodified copies of a project's rule on open merge requests."""
    source = tx.execute(select(approval_project_rules).where(approval_project_rules.c.id == rule_id)).one()
    copies = approval_merge_request_rules
    opened = select(merge_requests.c.id).where(
        merge_requests.c.project_id == source.project_id, merge_requests.c.state == "opened"
    )
    unchanged_copies = (
        (copies.c.source_rule_id == rule_id) & ~copies.c.is_modified & copies.c.merge_request_id.in_(opened)
    )
    for copy_id in list(tx.execute(select(copies.c.id).where(unchanged_copies)).scalars()):
        tx.execute(
            update(copies)
            .where(copies.c.id == copy_id)
            .values(name=source.name, approvals_required=source.approvals_required, rule_type=source.rule_type)
        )
        copy_links(tx, rule_id, copy_id)


def delete_rule(tx: Connection, tables: RuleTables, rule_id: int) -> None:
    """Remove a rule; unchanged copies of a project's rule go with it."""
    if tables is PROJECT:
        copies = approval_merge_request_rules
        tx.execute(delete(copies).where(copies.c.source_rule_id == rule_id, ~copies.c.is_modified))
    tx.execute(delete(tables.rules).where(tables.rules.c.id == rule_id))
