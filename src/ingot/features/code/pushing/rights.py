"""Who may move which ref: roles, protected branches and tags, and branches opened to the target's maintainers."""

import msgspec
from sqlalchemy import Connection

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import MAINTAINER, Feature
from ingot.access.policy import PUSH_CODE
from ingot.access.subjects import Project, find_project
from ingot.features.code import protected_branches
from ingot.features.code.protected_branches import Protection
from ingot.features.code.pushing import texts
from ingot.features.code.pushing.first_branch import developers_push_first
from ingot.features.code.pushing.hooks import OpenedBranch, opened_branches
from ingot.kit.actor import Actor


class PushRights(msgspec.Struct):
    """The rights of one actor on the refs of one project; loaded once, checked by name."""

    conn: Connection
    actor: Actor
    project: Project
    protection: Protection
    is_first_push_closed: bool  # only maintainers may create the first branch of an empty repository
    _opened: dict[str, bool] = msgspec.field(default_factory=dict)
    _requests: list[OpenedBranch] | None = None

    @property
    def may_push_somewhere(self) -> bool:
        """The actor pushes to the project: as a member, or to a branch that a merge request opened to them."""
        return may(PUSH_CODE, self.actor, self.project) or any(
            self.is_opened(row.source_branch) for row in self._collaborations()
        )

    def may_push(self, branch: str) -> bool:
        """Whether the branch may be created or moved."""
        if self.is_first_push_closed:
            return False
        if self.protection.may_push(branch) and may(PUSH_CODE, self.actor, self.project):
            return True
        return not self.protection.is_protected(branch) and self.is_opened(branch)

    def refuse_branch(self, branch: str, *, creates: bool = False) -> str | None:
        """Why the branch may not be created or moved; None if it may."""
        if self.may_push(branch):
            return None
        if not may(PUSH_CODE, self.actor, self.project):
            return texts.NO_PUSH
        if self.is_first_push_closed:
            return texts.PROTECTED_PUSH
        if not self.protection.is_protected(branch):
            return texts.NO_PUSH
        return texts.PROTECTED_CREATE if creates else texts.PROTECTED_PUSH

    def refuse_branch_deletion(self, branch: str, *, by_git: bool = False) -> str | None:
        """Why the branch may not be deleted; None when it may."""
        if branch == self.project.default_branch:
            return texts.DEFAULT_DELETE
        if self.protection.is_protected(branch):
            if not self._is_maintainer:
                return texts.PROTECTED_DELETE
            return texts.DELETE_BY_WEB if by_git else None
        return None if self.may_push(branch) else texts.NO_PUSH

    def refuse_tag(self, tag: str) -> str | None:
        """Why the tag may not be created; None if it may."""
        if not may(PUSH_CODE, self.actor, self.project):
            return texts.NO_PUSH
        return None if self.protection.may_create_tag(tag) else texts.TAG_CREATE

    def refuse_tag_change(self, tag: str) -> str | None:
        """Why an existing tag may not be moved; None when it may."""
        if not may(PUSH_CODE, self.actor, self.project):
            return texts.NO_PUSH
        if self.protection.is_protected_tag(tag):
            return texts.TAG_UPDATE
        return None if self._is_maintainer else texts.TAG_CHANGE

    def refuse_tag_deletion(self, tag: str, *, by_git: bool = False) -> str | None:
        """Why the tag may not be deleted; None when it may."""
        if not may(PUSH_CODE, self.actor, self.project):
            return texts.NO_PUSH
        if not self.protection.is_protected_tag(tag):
            return None
        if not self._is_maintainer:
            return texts.TAG_DELETE
        return texts.TAG_DELETE_BY_WEB if by_git else None

    @property
    def _is_maintainer(self) -> bool:
        return may(PUSH_CODE, self.actor, self.project) and (
            self.actor.is_admin or bool(self.project.level >= MAINTAINER)
        )

    def is_opened(self, branch: str) -> bool:
        """An open merge request from this branch lets those who may merge it push here."""
        if branch not in self._opened:
            self._opened[branch] = any(
                self._may_merge(row) for row in self._collaborations() if row.source_branch == branch
            )
        return self._opened[branch]

    @property
    def _is_closed(self) -> bool:
        return (
            self.actor.is_anonymous
            or bool(self.project.archived)
            or self.project.feature("repository") is Feature.DISABLED
        )

    def _collaborations(self) -> list[OpenedBranch]:
        """Open merge requests that open their source branches here; read once, however many branches are asked for."""
        if self._requests is None:
            self._requests = [] if self._is_closed else opened_branches(self.conn, self.project.id)
        return self._requests

    def _may_merge(self, row: OpenedBranch) -> bool:
        target = find_project(self.conn, self.actor, row.project_id)
        if target is None or not may(PUSH_CODE, self.actor, target):
            return False
        return protected_branches.load(self.conn, self.actor, target).may_merge(row.target_branch)


def may(ability: ProjectAbility, actor: Actor, project: Project) -> bool:
    """The actor holds the ability on a loaded project."""
    return ability.allows(actor, project)


def load_rights(conn: Connection, actor: Actor, project: Project) -> PushRights:
    """The actor's rights on the refs of a loaded project."""
    below = not actor.is_admin and project.level < MAINTAINER
    is_closed = bool(project.empty_repo) and below and not developers_push_first(conn, project)
    return PushRights(conn, actor, project, protected_branches.load(conn, actor, project), is_closed)
