"""Who may deploy to an environment, and whether a deployment has been approved.

The rule of the project for the environment's name and those of the groups above for its tier hold together.
"""

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import Connection, bindparam, or_, select

from ingot.access.levels import ADMIN
from ingot.access.tables import group_authorizations, members, namespace_ancestors, project_authorizations, projects
from ingot.features.ci.deployments import EnvironmentRow, environments
from ingot.features.ci.protected_environments.queries import with_names
from ingot.features.ci.protected_environments.rows import ApprovalRow, NamedEntryRow, ProtectedEnvironmentRow
from ingot.features.ci.protected_environments.tables import protected_environments
from ingot.identity.tables import users
from ingot.kit.entity import group_by
from ingot.kit.slugs import environment_tier

INHERITED = 1


class Covering(msgspec.Struct):
    """A rule that holds for an environment."""

    row: ProtectedEnvironmentRow
    deploy: Sequence[NamedEntryRow]
    approval: Sequence[NamedEntryRow]


class Person(msgspec.Struct):
    """Whose right is asked: levels in the project and in the groups that rules name."""

    id: int
    is_admin: bool
    level: int
    groups: dict[int, int]
    direct_groups: set[int]

    def holds(self, rule: Covering, entry: NamedEntryRow) -> bool:
        """The entry names them, a group of theirs, or a role that they have where the rule was made."""
        if self.is_admin:
            return True
        if entry.user_id is not None:
            return entry.user_id == self.id
        if entry.group_id is not None:
            mine = self.groups if entry.group_inheritance_type == INHERITED else self.direct_groups
            return entry.group_id in mine
        place = rule.row.group_id
        level = self.level if place is None else self.groups.get(place, 0)
        return entry.access_level is not None and entry.access_level < ADMIN and level >= entry.access_level


_ABOVE = (
    select(namespace_ancestors.c.ancestor_id)
    .join(projects, projects.c.namespace_id == namespace_ancestors.c.namespace_id)
    .where(projects.c.id == bindparam("in_project"))
)
# Asked for every job with an environment: one statement, built once.
_RULES = (
    select(protected_environments)
    .where(
        or_(
            protected_environments.c.project_id == bindparam("in_project"),
            protected_environments.c.group_id.in_(_ABOVE),
        )
    )
    .order_by(protected_environments.c.id)
)
_TIER = select(environments.c.tier).where(
    environments.c.project_id == bindparam("in_project"), environments.c.name == bindparam("name")
)


def project_rules(conn: Connection, project_id: int) -> list[Covering]:
    """All rules of a project and of the groups above it."""
    rows: list[ProtectedEnvironmentRow] = list(conn.execute(_RULES, {"in_project": project_id}))
    if not rows:
        return []
    query = with_names([row.id for row in rows])
    entries = group_by(conn.execute(query), lambda entry: (entry.protected_environment_id, entry.kind))
    return [Covering(row, entries.get((row.id, "deploy"), []), entries.get((row.id, "approval"), [])) for row in rows]


def covering(rules: Iterable[Covering], name: str, tier: str) -> list[Covering]:
    """Those that hold for an environment of this name and tier.

    Names that differ by spaces which nobody sees, at the end or two for one, are the same here.
    """
    return [rule for rule in rules if rule.row.name.split() == (name if rule.row.group_id is None else tier).split()]


def rules_of(conn: Connection, project_id: int, name: str) -> list[Covering]:
    """The rules that hold for the environment of this name, whether or not it exists."""
    rules = project_rules(conn, project_id)
    if not rules:
        return []
    tier = conn.execute(_TIER, {"in_project": project_id, "name": name}).scalar_one_or_none()
    return covering(rules, name, tier or environment_tier(name))


def find_person(conn: Connection, project_id: int, user_id: int | None, rules: Sequence[Covering]) -> Person | None:
    """The person with what the rules ask about; None for removed and blocked ones."""
    who = select(users.c.id, users.c.is_admin).where(users.c.id == user_id, users.c.state == "active")
    user = None if user_id is None else conn.execute(who).one_or_none()
    if user is None:
        return None
    rights, seats = project_authorizations, group_authorizations
    level = select(rights.c.access_level).where(rights.c.project_id == project_id, rights.c.user_id == user_id)
    named = {entry.group_id for rule in rules for entry in (*rule.deploy, *rule.approval)}
    named |= {rule.row.group_id for rule in rules}
    places = named - {None}
    mine = select(seats.c.group_id, seats.c.access_level).where(
        seats.c.user_id == user_id, seats.c.group_id.in_(places)
    )
    direct = select(members.c.group_id).where(members.c.user_id == user_id, members.c.group_id.in_(places))
    return Person(
        user.id,
        user.is_admin,
        conn.execute(level).scalar_one_or_none() or 0,
        {row.group_id: row.access_level for row in conn.execute(mine)} if places else {},
        set(conn.execute(direct).scalars()) if places else set(),
    )


def may_deploy(conn: Connection, project_id: int, name: str, user_id: int | None) -> bool:
    """Every rule of the environment lets the person deploy."""
    rules = rules_of(conn, project_id, name)
    return not rules or _admits(rules, find_person(conn, project_id, user_id, rules))


def protected_from(
    conn: Connection, project_id: int, user_id: int | None, rows: Sequence[EnvironmentRow]
) -> list[EnvironmentRow]:
    """Those of the project's environments that the person may not deploy to, stop or delete."""
    rules = project_rules(conn, project_id) if rows else []
    person = find_person(conn, project_id, user_id, rules) if rules else None
    return [row for row in rows if not _admits(covering(rules, row.name, row.tier), person)]


def _admits(rules: Sequence[Covering], person: Person | None) -> bool:
    if not rules:
        return True
    return person is not None and all(any(person.holds(rule, entry) for entry in rule.deploy) for rule in rules)


def missing_approvals(rules: Iterable[Covering], approvals: Iterable[ApprovalRow]) -> int:
    """How many approvals a deployment still needs."""
    votes = [vote for vote in approvals if vote.status == "approved"]
    missing = 0
    for rule in rules:
        if rule.approval:
            for entry in rule.approval:
                given = sum(vote.entry_id == entry.id for vote in votes)
                missing += max(0, entry.required_approvals - given)
        else:
            missing += max(0, rule.row.required_approval_count - len(votes))
    return missing


def is_approved(rules: Sequence[Covering], approvals: Sequence[ApprovalRow]) -> bool:
    """Enough people approved the deployment; true where nobody has to."""
    return missing_approvals(rules, approvals) == 0
