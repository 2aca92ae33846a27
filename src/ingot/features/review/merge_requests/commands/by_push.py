"""Opening and changing merge requests by the options of a push, as the one who pushed."""

import logging
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, select

from ingot.access.levels import Feature
from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project, find_project
from ingot.events import MergeRequestChanged, RefChange
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.repository import are_related
from ingot.features.planning.issuables import with_draft, without_draft
from ingot.features.planning.labels import ADMIN_LABELS
from ingot.features.planning.milestones import milestones, usable_in_project
from ingot.features.review.merge_requests import policy, queries
from ingot.features.review.merge_requests.commands import check, people
from ingot.features.review.merge_requests.commands.accept import accept
from ingot.features.review.merge_requests.commands.create import NewMergeRequest, create_merge_request
from ingot.features.review.merge_requests.commands.update import Change, update_merge_request
from ingot.features.review.merge_requests.merge_options import MergeOptions
from ingot.features.review.merge_requests.push_options import RequestOptions, read_options
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_request_assignees, merge_requests
from ingot.features.spaces.projects import CREATE_MERGE_REQUEST_IN, project_settings, repository_of
from ingot.gitstore import log, refs
from ingot.gitstore.model import Commit
from ingot.gitstore.names import is_valid_branch
from ingot.gitstore.revisions import has_object
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.errors import ApiError, Invalid, Texts
from ingot.kit.events import announce
from ingot.kit.ids import parse_id
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

logger = logging.getLogger("ingot.merge_requests")

MOST_BRANCHES = 10
MOST_COMMITS = 100
DENIED = "User access was denied"
_SEPARATORS = pattern(r"[-_\s]+")


def apply_push_options(
    services: Services, actor: Actor, project_id: int, changes: Sequence[RefChange], options: Sequence[str]
) -> list[str]:
    """Apply the options of a push; returns their problems as sentences."""
    request_options = read_options(options)
    if request_options is None:
        return []
    with services.db.read() as conn:
        project = find_project(conn, actor, project_id)
        if project is None:
            return [DENIED]
        target = _target(conn, actor, project, request_options)
        if isinstance(target, str):
            return [target]
        heads = {
            change.branch: change.new
            for change in changes
            if change.branch is not None
            and not change.is_deletion
            and (target.id != project.id or change.branch != target.default_branch)
        }
        if problem := _problem(services, target, request_options, len(heads)):
            return [problem]
    job = _Push(services, actor, project, target, request_options)
    return [text for branch, head in heads.items() for text in job.follow(branch, head)]


def _target(conn: Connection, actor: Actor, project: ProjectRow, options: RequestOptions) -> Any:
    """The target project, or the error message."""
    if options.target_project is not None:
        project_row = find_project(conn, actor, options.target_project)
        if project_row is None:
            return DENIED
        if not are_related(conn, project, project_row):
            return f"Projects {project.full_path} and {project_row.full_path} are not in the same network"
        return project_row
    if project.forked_from_id is None or project_settings(project).mr_default_target_self:
        return project
    above = find_project(conn, actor, project.forked_from_id)
    return above if above is not None and above.feature("merge_requests") > Feature.DISABLED else project


def _problem(services: Services, target: Project, options: RequestOptions, branches: int) -> str | None:
    if target.feature("merge_requests") is Feature.DISABLED:
        return f"Merge requests are not enabled for project {target.full_path}"
    if branches > MOST_BRANCHES:
        return f"Too many branches pushed ({branches} were pushed, limit is {MOST_BRANCHES})"
    if options.target is not None and not _has_branch(services, target, options.target):
        return f"Target branch {target.full_path}:{options.target} does not exist"
    return None


def _has_branch(services: Services, project: ProjectRow, branch: str) -> bool:
    repository = repository_of(services, project)
    return is_valid_branch(branch) and repository.exists() and refs.find_branch(repository, branch) is not None


class _Push(msgspec.Struct, frozen=True):
    """One push with its options, branch by branch."""

    services: Services
    actor: Actor
    project: Any
    target: Any
    options: RequestOptions

    def follow(self, branch: str, head: str) -> list[str]:
        """Change the open request of the branch, or open one; returns the problem."""
        try:
            with self.services.db.read() as conn:
                row = self._open_request(conn, branch)
            if row is None and not self.options.create:
                return [f"A merge_request.create push option is required to create a merge request for branch {branch}"]
            number = self._create(branch, head) if row is None else self._update(row)
            if self.options.auto_merge:
                self._merge_later(number, head)
        except Invalid as refused:
            return [
                f"{key.replace('_', ' ').capitalize()} {text}"
                for key, texts in refused.problems.items()
                for text in texts
            ]
        except Texts as refused:
            return list(refused.texts)
        except ApiError as refused:
            return [DENIED if refused.status in (401, 403) else refused.text]
        except Exception:
            # The refs have moved: the push must not look as if it had failed.
            logger.exception("push options failed", extra={"project_id": self.project.id, "branch": branch})
            return ["An unknown error occurred"]
        return []

    def _open_request(self, conn: Connection, branch: str) -> MergeRequestWithProject | None:
        rows = conn.execute(
            queries.with_project()
            .where(
                merge_requests.c.source_project_id == self.project.id,
                merge_requests.c.source_branch == branch,
                merge_requests.c.project_id == self.target.id,
                merge_requests.c.state == "opened",
            )
            .order_by(merge_requests.c.id.desc())
        ).all()
        same = [row for row in rows if row.target_branch == self.options.target]
        return next(iter([*same, *rows]), None)

    def _create(self, branch: str, head: str) -> int:
        options, actor, target = self.options, self.actor, self.target
        if not CREATE_MERGE_REQUEST_IN.allows(actor, target) or not policy.may_push_to_source(actor, self.project):
            raise Texts(403, [DENIED])
        into = options.target or target.default_branch or ""
        if not _has_branch(self.services, target, into):
            raise Texts(400, [f"Target branch {target.full_path}:{into} does not exist"])
        title, description = _texts_of(self._commits(into, head), branch)
        title = options.title or title
        with self.services.db.write() as tx:
            created = create_merge_request(
                tx,
                actor,
                self.project,
                target,
                NewMergeRequest(
                    title=with_draft(title) if options.draft else title,
                    source_branch=branch,
                    target_branch=into,
                    description=options.description or description,
                    squash=options.squash,
                    remove_source_branch=options.remove_source_branch,
                    assignee_ids=[*self._people(tx, options.assign), actor.id],
                    add_labels=list(options.label),
                    milestone_id=self._milestone(tx),
                    manages=policy.is_developer(actor, target),
                    creates_labels=ADMIN_LABELS.allows(actor, target),
                    is_paid=self.services.settings.has_tier("premium"),
                ),
            )
        self._check_and_announce(created, "opened")
        return created

    def _update(self, row: MergeRequestWithProject) -> int:
        options, actor, target = self.options, self.actor, self.target
        with self.services.db.write() as tx:
            if not policy.can_update(tx, actor, target, row):
                raise Texts(403, [DENIED])
            given = self._given(tx, row)
            change = Change(
                given=given,
                manages=policy.is_developer(actor, target),
                creates_labels=ADMIN_LABELS.allows(actor, target),
                pushes_to_source=policy.may_push_to_source(actor, self.project),
                may_collaborate=False,
                is_paid=self.services.settings.has_tier("premium"),
            )
            update_merge_request(tx, actor, row, target, change)
        if given:
            self._check_and_announce(
                row.id, "retargeted" if options.target not in (None, row.target_branch) else "updated"
            )
        return int(row.id)

    def _given(self, tx: Connection, row: MergeRequestRow) -> dict[str, Any]:
        """The changes, as an update by the API would send them."""
        options = self.options
        given: dict[str, Any] = {}
        title = options.title or row.title
        if options.draft is not None:
            title = with_draft(title) if options.draft else without_draft(title)
        if title != row.title:
            given["title"] = title
        if options.description is not None:
            given["description"] = options.description
        if options.target is not None:
            given["target_branch"] = options.target
        given |= {
            name: value
            for name, value in (("squash", options.squash), ("remove_source_branch", options.remove_source_branch))
            if value is not None
        }
        if options.label or options.unlabel:
            given |= {"add_labels": list(options.label), "remove_labels": list(options.unlabel)}
        if (milestone := self._milestone(tx)) is not None:
            given["milestone_id"] = milestone
        if options.assign or options.unassign:
            table = merge_request_assignees
            here = select(table.c.user_id).where(table.c.merge_request_id == row.id).order_by(table.c.position)
            gone = set(self._people(tx, options.unassign))
            user_ids = [*self._people(tx, options.assign), *tx.execute(here).scalars()]
            given["assignee_ids"] = [person for person in dict.fromkeys(user_ids) if person not in gone]
        return given

    def _merge_later(self, number: int, head: str) -> None:
        """Merge as soon as the checks pass, if it is still what was pushed."""
        with self.services.db.read() as conn:
            row = queries.get_by_id(conn, number)
            if not load_protection(conn, self.actor, self.target).may_merge(row.target_branch):
                raise Texts(403, [DENIED])
            accept(self.services, conn, row, self.actor, MergeOptions(auto_merge=True, sha=head))

    def _check_and_announce(self, number: int, what: str) -> None:
        with self.services.db.read() as conn:
            check.check(self.services, conn, queries.get_by_id(conn, number))
        announce(self.services, MergeRequestChanged(number, self.target.id, what, self.actor.user_id))

    def _people(self, tx: Connection, texts: Sequence[str]) -> list[int]:
        """The users with these ids and names; unknown ones are ignored."""
        numbers = [number for number in map(parse_id, texts) if number is not None]
        names = [text.lstrip("@").lower() for text in texts]
        values = tx.execute(
            select(users.c.id).where(users.c.id.in_(numbers) | users.c.username_lower.in_(names)).order_by(users.c.id)
        ).scalars()
        return people.acceptable(tx, self.target, list(values)) if texts else []

    def _milestone(self, tx: Connection) -> int | None:
        if self.options.milestone is None:
            return None
        here = select(milestones.c.id).where(
            usable_in_project(self.target), milestones.c.title == self.options.milestone
        )
        return tx.execute(here.order_by(milestones.c.project_id.is_(None)).limit(1)).scalar_one_or_none()

    def _commits(self, into: str, head: str) -> list[Commit]:
        """The commits of the branch, oldest first."""
        base = refs.find_branch(repository_of(self.services, self.target), into)
        repository = repository_of(self.services, self.project)
        # A fork may lack new commits of its target: compare with its own copy of the branch.
        known = base if base is not None and has_object(repository, base) else refs.find_branch(repository, into)
        query = log.LogQuery(include=[head], exclude=[known] if known else [], no_merges=True, limit=MOST_COMMITS)
        return log.commits(repository, query)[::-1]


def _texts_of(commits: Sequence[Commit], branch: str) -> tuple[str, str | None]:
    """Title and description of the only commit, or of the first with a description; else the branch's name."""
    chosen = commits[0] if len(commits) == 1 else next((commit for commit in commits if commit.body), None)
    if chosen is not None and chosen.title:
        return chosen.title[:255], chosen.body or None
    words = _SEPARATORS.sub(" ", branch).strip() or branch
    return words[:1].upper() + words[1:255], None
