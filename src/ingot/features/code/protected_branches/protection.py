"""Who may push to, merge into and create refs: loaded once per project and caller, then checked by name."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Select, Table, bindparam, false, insert, literal, select, union_all
from sqlalchemy.exc import IntegrityError

from ingot.access.call import Call
from ingot.access.levels import ADMIN, DEVELOPER, MAINTAINER, NO_ACCESS
from ingot.access.subjects import Project
from ingot.access.tables import group_authorizations
from ingot.features.code.protected_branches.inherited import inherited_rules
from ingot.features.code.protected_branches.rows import RuleGrantRow
from ingot.features.code.protected_branches.tables import (
    protected_branch_access_levels,
    protected_branches,
    protected_tag_access_levels,
    protected_tags,
)
from ingot.gitstore.listing import matches_pattern
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.statements import lasting


class Rule(msgspec.Struct):
    """One protected name or pattern."""

    id: int
    name: str
    inherited: bool = False  # from a group above
    allow_force_push: bool = False
    code_owner_approval_required: bool = False
    grants: dict[str, list[RuleGrantRow]] = msgspec.field(default_factory=lambda: defaultdict(list))


class Protection(msgspec.Struct):
    """The rules of a project for one actor."""

    actor: Actor
    level: int  # the actor's effective level on the project
    archived: bool
    branches: list[Rule]
    tags: list[Rule]
    groups: set[int]
    _covering: dict[str, list[Rule]] = msgspec.field(default_factory=dict)

    def rules_for(self, branch: str) -> list[Rule]:
        """The rules whose name or pattern covers this branch."""
        rules = self._covering.get(branch)
        if rules is None:
            rules = [rule for rule in self.branches if matches_pattern(branch, rule.name)]
            self._covering[branch] = rules
        return rules

    def is_protected(self, branch: str) -> bool:
        """Some rule covers the branch."""
        return bool(self.rules_for(branch))

    def is_protected_tag(self, tag: str) -> bool:
        """Some rule covers the tag."""
        return any(matches_pattern(tag, rule.name) for rule in self.tags)

    def may_push(self, branch: str) -> bool:
        """The actor may move or create the branch."""
        return self._may(branch, "push")

    def may_merge(self, branch: str) -> bool:
        """The actor may merge into the branch; users who may push may merge too."""
        return self._may(branch, "merge") or self._may(branch, "push")

    def mergers(self, branch: str) -> tuple[int | None, set[int]]:
        """The lowest role whose members may merge into the branch, if any may, and the users who may by name."""
        rules = self.rules_for(branch)
        if not rules:
            return DEVELOPER, set()
        grants = [grant for rule in rules for kind in ("merge", "push") for grant in rule.grants[kind]]
        levels = [
            grant.access_level for grant in grants if grant.access_level and grant.user_id is grant.group_id is None
        ]
        return min(levels, default=None), {grant.user_id for grant in grants if grant.user_id is not None}

    def may_force_push(self, branch: str) -> bool:
        """History of the branch may be rewritten."""
        return self.may_push(branch) and all(rule.allow_force_push for rule in self.rules_for(branch))

    def may_delete(self, branch: str) -> bool:
        """The branch may be removed by a push; protected branches only through the API, by maintainers."""
        return self.may_push(branch) and not self.is_protected(branch)

    def may_unprotect(self, name: str) -> bool:
        """The project's rule of exactly this name may be changed or removed; by maintainers if it has no entries."""
        rule = next((rule for rule in self.branches if rule.name == name and not rule.inherited), None)
        if rule is None or not rule.grants["unprotect"]:
            return self.actor.is_admin or self.level >= MAINTAINER
        return self._granted(rule, "unprotect")

    def may_create_tag(self, tag: str) -> bool:
        """The actor may create this tag."""
        if not self._is_developer():
            return False
        rules = [rule for rule in self.tags if matches_pattern(tag, rule.name)]
        return not rules or any(self._granted(rule, "create") for rule in rules)

    def _is_developer(self) -> bool:
        if self.archived or self.actor.is_anonymous:
            return False
        return self.actor.is_admin or self.level >= DEVELOPER

    def _may(self, branch: str, kind: str) -> bool:
        if not self._is_developer():
            return False
        rules = self.rules_for(branch)
        # The most permissive of several matching rules wins.
        return not rules or any(self._granted(rule, kind) for rule in rules)

    def _granted(self, rule: Rule, kind: str) -> bool:
        for grant in rule.grants[kind]:
            if grant.user_id is not None:
                if grant.user_id == self.actor.user_id:
                    return True
            elif grant.group_id is not None:
                if grant.group_id in self.groups:
                    return True
            elif grant.access_level is None or grant.access_level == NO_ACCESS:
                continue
            elif self.actor.is_admin or (grant.access_level < ADMIN and self.level >= grant.access_level):
                return True
        return False


class _Rules(NamedTuple):
    """The rules of a project, the same for all actors."""

    branches: list[Rule]
    tags: list[Rule]
    groups: set[int]  # that are named in them


def load(conn: Connection, actor: Actor, project: Project) -> Protection:
    """The protection of a project (a loaded `Project`, or a row with `id`, `archived` and `level`)."""
    return _for_actor(conn, actor, project, _load_rules(conn, project.id))


def load_for(call: Call) -> Protection:
    """The protection of the call's project; reads remember its rules."""
    project = call.project
    rules = call.remember("protection", project.id, lambda: _load_rules(call.conn, project.id))
    return _for_actor(call.conn, call.actor, project, rules)


def _load_rules(conn: Connection, project_id: int) -> _Rules:
    rules: dict[tuple[str, int], Rule] = {}
    for row in conn.execute(_RULES, {"of_project": project_id}):
        rule = rules.get((row.source, row.rule_id))
        if rule is None:
            is_inherited = row.source == "group"
            rule = Rule(row.rule_id, row.name, is_inherited, row.allow_force_push, row.code_owner_approval_required)
            rules[row.source, row.rule_id] = rule
        if row.grant_id is not None:
            rule.grants[row.kind].append(row)
    return _Rules(
        [rule for (source, _), rule in rules.items() if source != "tag"],
        [rule for (source, _), rule in rules.items() if source == "tag"],
        {
            grant.group_id
            for rule in rules.values()
            for grants in rule.grants.values()
            for grant in grants
            if grant.group_id is not None
        },
    )


def _for_actor(conn: Connection, actor: Actor, project: Project, rules: _Rules) -> Protection:
    groups: set[int] = set()
    if rules.groups and actor.user_id is not None:
        query = select(group_authorizations.c.group_id).where(
            group_authorizations.c.user_id == actor.user_id, group_authorizations.c.group_id.in_(rules.groups)
        )
        groups = set(conn.execute(query).scalars())
    return Protection(actor, project.level, project.archived, rules.branches, rules.tags, groups)


def _rules(table: Table, levels: Table, key: str, *, is_tag: bool) -> Select[Any]:
    """The rules of a project, one row for each grant."""
    return (
        select(
            literal("tag" if is_tag else "branch").label("source"),
            table.c.id.label("rule_id"),
            table.c.name,
            (false() if is_tag else table.c.allow_force_push).label("allow_force_push"),
            (false() if is_tag else table.c.code_owner_approval_required).label("code_owner_approval_required"),
            levels.c.id.label("grant_id"),
            (literal("create") if is_tag else levels.c.kind).label("kind"),
            levels.c.access_level,
            levels.c.user_id,
            levels.c.group_id,
        )
        .join_from(table, levels, levels.c[key] == table.c.id, isouter=True)
        .where(table.c.project_id == bindparam("of_project"))
    )


# Used at every push, merge and read of a branch: one statement, built once.
_RULES = lasting(
    union_all(
        _rules(protected_branches, protected_branch_access_levels, "protected_branch_id", is_tag=False),
        _rules(protected_tags, protected_tag_access_levels, "protected_tag_id", is_tag=True),
        inherited_rules(),
    ).order_by("rule_id", "grant_id")
)


def protect_default_branch(
    tx: Connection,
    project_id: int,
    branch: str,
    *,
    push: Sequence[int] = (MAINTAINER,),
    merge: Sequence[int] = (MAINTAINER,),
    allow_force_push: bool = False,
) -> None:
    """Protect the first branch of a project, unless somebody protected it before."""
    known = select(protected_branches.c.id).where(
        protected_branches.c.project_id == project_id, protected_branches.c.name == branch
    )
    if tx.execute(known).first() is not None:
        return
    moment = now()
    row = insert(protected_branches).values(
        project_id=project_id, name=branch, allow_force_push=allow_force_push, created_at=moment, updated_at=moment
    )
    try:
        with tx.begin_nested():
            created = tx.execute(row.returning(protected_branches.c.id)).scalar_one()
    except IntegrityError:
        return  # somebody else was first
    grants = [("push", level) for level in push] + [("merge", level) for level in merge]
    for kind, level in grants:
        tx.execute(
            insert(protected_branch_access_levels).values(protected_branch_id=created, kind=kind, access_level=level)
        )
