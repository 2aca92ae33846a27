"""Whether refs may move as the rule of their project says: before git moves them, with the new objects at hand."""

from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.events import RefChange
from ingot.features.code.push_rules.commit_checks import CommitChecks
from ingot.features.code.push_rules.file_checks import refuse_files
from ingot.features.code.push_rules.rows import PushRuleRow
from ingot.features.code.push_rules.tables import project_push_rules
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository
from ingot.gitstore.errors import OutputTooLarge
from ingot.gitstore.new_commits import LARGEST_COMMIT, new_commits
from ingot.gitstore.new_commits import Source as Tips
from ingot.kit.errors import Failure
from ingot.kit.regexps import RegexpError, TooMuchWork, compile_regexp, limited_work
from ingot.kit.services import Services

__all__ = ["RuleBroken", "Tips", "find_rule", "refuse_commits", "refuse_ref", "require_obedience"]

TAG_DELETION = "You cannot delete a tag"
TOO_LARGE = f"A commit message is longer than push rules check ({LARGEST_COMMIT >> 20} MB)"
TOO_COSTLY = "The patterns of the push rule take too long to match what is pushed"
SECONDS = 10  # of processor time for the patterns of a rule and everything that is pushed
_RULE = select(project_push_rules).where(project_push_rules.c.project_id == bindparam("project_id"))


class RuleBroken(Failure):
    """A change over the API that the rule forbids."""

    def __init__(self, why: str) -> None:
        super().__init__(400, why)


def find_rule(services: Services, conn: Connection, project_id: int) -> PushRuleRow | None:
    """The rule in effect, or None."""
    if not services.settings.has_tier("premium"):
        return None
    return conn.execute(_RULE, {"project_id": project_id}).one_or_none()


def refuse_ref(rule: PushRuleRow, default_branch: str | None, change: RefChange, *, by_git: bool) -> str | None:
    """Why the ref may not move, as far as its name says; None if it may."""
    if change.is_deletion:
        return TAG_DELETION if change.tag is not None and by_git and rule.deny_delete_tag else None
    text = rule.branch_name_regex
    if not text or change.branch is None or change.branch == default_branch:
        return None
    try:
        obeys = compile_regexp(text).search(change.branch) is not None
    except RegexpError:
        return TOO_COSTLY
    return None if obeys else f"Branch name does not follow the pattern '{text}'"


def refuse_commits(
    services: Services, rule: PushRuleRow, user_id: int | None, repo: Repository, tips: Tips, *, by_git: bool
) -> str | None:
    """Why the new commits that lead to the tips may not come in; None if they may."""
    try:
        with limited_work(SECONDS):
            with services.db.read() as conn:
                checks = CommitChecks(conn, rule, user_id, by_git=by_git)
                for commit in new_commits(repo, tips):
                    if (why := checks.refuse(commit)) is not None:
                        return why
            return refuse_files(repo, tips, rule)
    except OutputTooLarge:
        return TOO_LARGE
    except (RegexpError, TooMuchWork):  # rules of older versions may be larger than those of today
        return TOO_COSTLY


def require_obedience(services: Services, project_id: int, user_id: int | None, moves: Mapping[str, str]) -> None:
    """Refuse with 400 what an endpoint is about to do: full names of refs, and where each is going to point to."""
    with services.db.read() as conn:
        rule = find_rule(services, conn, project_id)
        if rule is None:
            return
        project: ProjectRow | None = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
    if project is None:
        return
    changes = [RefChange(ref, "", new) for ref, new in moves.items()]
    for change in changes:
        if (why := refuse_ref(rule, project.default_branch, change, by_git=False)) is not None:
            raise RuleBroken(why)
    tips = [change.new for change in changes if not change.is_deletion]
    if tips:
        repository = repository_of(services, project)
        why = refuse_commits(services, rule, user_id, repository, Tips(tips), by_git=False)
        if why is not None:
            raise RuleBroken(why)
