"""Rights on projects that only this feature asks for."""

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import DEVELOPER, GUEST, MAINTAINER, NO_ACCESS, REPORTER
from ingot.access.subjects import Project
from ingot.identity.rows import UserRow
from ingot.kit.actor import Actor
from ingot.kit.errors import NotFound

READ_WIKI = ProjectAbility(ability="read_wiki", level=GUEST, feature="wiki", outsiders=True)
READ_SNIPPETS = ProjectAbility(ability="read_snippet", level=GUEST, feature="snippets", outsiders=True)
READ_REGISTRY = ProjectAbility(
    ability="read_container_image", level=REPORTER, feature="container_registry", outsiders=True
)
READ_REQUIREMENTS = ProjectAbility(ability="read_requirement", level=GUEST, feature="requirements", outsiders=True)
READ_SECURITY = ProjectAbility(ability="read_security", level=DEVELOPER, feature="security_and_compliance")
READ_PAGES = ProjectAbility(ability="read_pages", level=GUEST, feature="pages", outsiders=True)
MANAGE_ISSUES = ProjectAbility(ability="admin_issue", level=REPORTER)
SEE_SECRET_DETECTION = ProjectAbility(ability="read_secret_detection", level=DEVELOPER)
CREATE_MERGE_REQUEST_IN = ProjectAbility(
    ability="create_merge_request_in",
    level=REPORTER,
    feature=("repository", "merge_requests"),
    outsiders=True,
    writes=True,
    needs_user=True,
)
# Without the right to fork, the fork endpoint answers 404.
FORK_PROJECT = ProjectAbility(
    ability="fork_project",
    level=REPORTER,
    feature=("repository", "forking"),
    outsiders=True,
    needs_user=True,
    refusal=NotFound,
)
# Seeing a public project is not enough.
IMPORT_MEMBERS_FROM = ProjectAbility(ability="import_members_from", level=GUEST, needs_user=True)
STAR_PROJECT = ProjectAbility(ability="star_project", outsiders=True, needs_user=True)
SHARE_PROJECT = ProjectAbility(ability="share_project", level=MAINTAINER, needs_user=True)


def may_choose_storage(actor: Actor) -> bool:
    """Only administrators choose the storage."""
    return actor.is_admin


def sees_all_members(actor: Actor, project: Project) -> bool:
    """Members see all members; others see public members."""
    return actor.is_admin or project.level > NO_ACCESS


def sees_everything_of(actor: Actor, owner: UserRow) -> bool:
    """The user and administrators, even if the profile is private."""
    return actor.is_admin or actor.user_id == owner.id
