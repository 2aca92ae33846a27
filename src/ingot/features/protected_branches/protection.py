"""Who may push to, merge into and create refs: loaded once per project and caller, then asked by name."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError

from ingot.access.levels import ADMIN, DEVELOPER, MAINTAINER, NO_ACCESS
from ingot.access.tables import group_authorizations
from ingot.features.protected_branches.tables import (
    protected_branch_access_levels,
    protected_branches,
    protected_tag_access_levels,
    protected_tags,
)
from ingot.gitstore.listing import matches_pattern
from ingot.kit.actor import Actor
from ingot.kit.clock import now


@dataclass(slots=True)
class Rule:
    """One protected name or pattern."""

    id: int
    name: str
    allow_force_push: bool = False
    code_owner_approval_required: bool = False
    grants: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))


@dataclass(slots=True)
class Protection:
    """The rules of a project as they bear on one actor."""

    actor: Actor
    level: int  # the actor's effective level on the project
    archived: bool
    branches: list[Rule]
    tags: list[Rule]
    groups: set[int]

    def rules_for(self, branch: str) -> list[Rule]:
        """The rules whose name or pattern covers this branch."""
        return [rule for rule in self.branches if matches_pattern(branch, rule.name)]

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
        """The actor may merge into the branch; whoever may push may merge too."""
        return self._may(branch, "merge") or self._may(branch, "push")

    def may_force_push(self, branch: str) -> bool:
        """History of the branch may be rewritten."""
        return self.may_push(branch) and all(rule.allow_force_push for rule in self.rules_for(branch))

    def may_delete(self, branch: str) -> bool:
        """The branch may be removed by a push; protected branches only through the API, by maintainers."""
        return self.may_push(branch) and not self.is_protected(branch)

    def may_unprotect(self, name: str) -> bool:
        """The rule of this very name may be taken away; where it names nobody, maintainers may."""
        rule = next((rule for rule in self.branches if rule.name == name), None)
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
            elif grant.access_level == NO_ACCESS:
                continue
            elif self.actor.is_admin or (grant.access_level < ADMIN and self.level >= grant.access_level):
                return True
        return False


def load(conn: Connection, actor: Actor, project: Any) -> Protection:
    """The protection of a project (a loaded `Project`, or a row with `id`, `archived` and `level`)."""
    branches = _rules(conn, protected_branches, protected_branch_access_levels, "protected_branch_id", project.id)
    tags = _rules(conn, protected_tags, protected_tag_access_levels, "protected_tag_id", project.id)
    grants = [g for rule in (*branches, *tags) for kind in rule.grants.values() for g in kind if g.group_id is not None]
    groups: set[int] = set()
    if grants and actor.user_id is not None:
        found = select(group_authorizations.c.group_id).where(
            group_authorizations.c.user_id == actor.user_id,
            group_authorizations.c.group_id.in_({grant.group_id for grant in grants}),
        )
        groups = set(conn.execute(found).scalars())
    return Protection(actor, project.level, project.archived, branches, tags, groups)


def _rules(conn: Connection, table: Any, levels: Any, key: str, project_id: int) -> list[Rule]:
    rules = {}
    for row in conn.execute(select(table).where(table.c.project_id == project_id).order_by(table.c.id)):
        rules[row.id] = Rule(
            row.id,
            row.name,
            getattr(row, "allow_force_push", False),
            getattr(row, "code_owner_approval_required", False),
        )
    if rules:
        for grant in conn.execute(select(levels).where(levels.c[key].in_(rules)).order_by(levels.c.id)):
            rules[getattr(grant, key)].grants[getattr(grant, "kind", "create")].append(grant)
    return list(rules.values())


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
            made = tx.execute(row.returning(protected_branches.c.id)).scalar_one()
    except IntegrityError:
        return  # somebody else was first
    grants = [("push", level) for level in push] + [("merge", level) for level in merge]
    for kind, level in grants:
        tx.execute(
            insert(protected_branch_access_levels).values(protected_branch_id=made, kind=kind, access_level=level)
        )
