"""Where each field of the full form that is no setting comes from, and who sees it. Blocks are added, never taken."""

from typing import Any
from urllib.parse import urlsplit

from ingot.access import policy
from ingot.access.levels import FEATURES, Feature, Visibility
from ingot.access.subjects import Project
from ingot.features.spaces.projects import policy as own
from ingot.features.spaces.projects.entities.full import ExpirationPolicyShown, Links
from ingot.features.spaces.projects.settings import ProjectSettings
from ingot.kit.actor import Actor
from ingot.kit.entity import wire, wire_or_none
from ingot.settings import Settings

FEATURE_WORDS = {int(level): level.word for level in Feature}
SHOWN_SWITCHES = tuple(f"{name}_access_level" for name in FEATURES if name != "requirements")

ENABLED_FLAGS = {
    "issues_enabled": policy.READ_ISSUES,
    "merge_requests_enabled": None,
    "wiki_enabled": own.READ_WIKI,
    "jobs_enabled": policy.READ_BUILDS,
    "snippets_enabled": own.READ_SNIPPETS,
    "container_registry_enabled": own.READ_REGISTRY,
}


def open_values(project: Project, settings: ProjectSettings, actor: Actor, base_url: str) -> dict[str, Any]:
    """What everybody who sees the project sees, settings aside."""
    row = project.row
    result: dict[str, Any] = {name: FEATURE_WORDS[getattr(row, name)] for name in SHOWN_SWITCHES}
    result |= {
        "links": links(project, actor, base_url),
        "container_registry_image_prefix": f"{urlsplit(base_url).netloc}/{project.full_path.lower()}",
        "empty_repo": project.empty_repo,
        "archived": project.archived,
        "visibility": Visibility(project.visibility).word,
        "container_expiration_policy": expiration_policy(project, settings),
        "can_create_merge_request_in": own.CREATE_MERGE_REQUEST_IN.held(actor, project),
        "emails_disabled": not settings.emails_enabled,
        "creator_id": project.creator_id,
        "import_status": project.import_status,
        "description_html": project.description_html,
        "updated_at": wire(project.updated_at),
        "printing_merge_requests_link_enabled": settings.printing_merge_request_link_enabled,
        "merge_requests_enabled": merge_requests_available(actor, project),
    }
    for name, ability in ENABLED_FLAGS.items():
        if ability is not None:
            result[name] = ability.held(actor, project)
    if result["issues_enabled"]:
        result["open_issues_count"] = project.open_issues_count
    return result


def merge_requests_available(actor: Actor, project: Project) -> bool:
    """The switch as the caller meets it: a Guest of a private project sees what the switch says."""
    switch = project.feature("merge_requests")
    if switch is Feature.ENABLED and project.feature("repository") is Feature.ENABLED:
        return True
    return policy.READ_MERGE_REQUESTS.held(actor, project)


def role_values(
    project: Project, settings: ProjectSettings, actor: Actor, base_url: str, instance: dict[str, Any]
) -> dict[str, Any]:
    """What depends on the caller's role, settings aside."""
    result: dict[str, Any] = {}
    if own.MANAGE_ISSUES.held(actor, project):
        result["service_desk_address"] = service_desk_address(project, settings, base_url, instance)
    if policy.ADMIN_PROJECT.held(actor, project):
        result["import_url"] = without_credentials(project.import_url)
        result["import_type"] = project.import_type
    if actor.is_admin:
        result["repository_storage"] = project.repository_storage
    return result


def licensed_values(project: Project, settings: ProjectSettings, actor: Actor, tiers: Settings) -> dict[str, Any]:
    """What exists in the paid tiers only, settings aside."""
    if not tiers.has_tier("premium"):
        return {}
    result = {
        "marked_for_deletion_at": project.marked_for_deletion_on,
        "marked_for_deletion_on": project.marked_for_deletion_on,
        "requirements_enabled": own.READ_REQUIREMENTS.held(actor, project),
        "requirements_access_level": project.feature("requirements").word,
        "security_and_compliance_enabled": own.READ_SECURITY.held(actor, project),
    }
    if own.SEE_SECRET_DETECTION.held(actor, project):
        result["secret_push_protection_enabled"] = settings.pre_receive_secret_detection_enabled
    return result


def links(project: Project, actor: Actor, base_url: str) -> Links:
    """Addresses below the project; those of a feature only while the caller may use it."""
    here = f"{base_url}/api/v4/projects/{project.id}"
    result = Links(
        self_=here,
        repo_branches=f"{here}/repository/branches",
        labels=f"{here}/labels",
        events=f"{here}/events",
        members=f"{here}/members",
        cluster_agents=f"{here}/cluster_agents",
    )
    if policy.READ_ISSUES.held(actor, project):
        result.issues = f"{here}/issues"
    if merge_requests_available(actor, project):
        result.merge_requests = f"{here}/merge_requests"
    return result


def expiration_policy(project: Project, settings: ProjectSettings) -> ExpirationPolicyShown:
    """The clean-up policy; a fresh one would run a day after the project's creation."""
    wanted = settings.container_expiration_policy
    return ExpirationPolicyShown(
        cadence=wanted.cadence,
        enabled=wanted.enabled,
        keep_n=wanted.keep_n,
        older_than=wanted.older_than,
        name_regex=wanted.name_regex,
        name_regex_delete=wanted.name_regex,
        name_regex_keep=wanted.name_regex_keep,
        next_run_at=wire_or_none(wanted.next_run_at or project.created_at),
    )


def service_desk_address(
    project: Project, settings: ProjectSettings, base_url: str, instance: dict[str, Any]
) -> str | None:
    """Where mail becomes an issue, while the service desk is on."""
    chosen = settings.service_desk_enabled
    if not (instance["service_desk_enabled"] if chosen is None else chosen):
        return None
    slug = project.full_path.replace("/", "-").lower()
    return f"incoming+{slug}-{project.id}-issue-@{urlsplit(base_url).hostname}"


def without_credentials(url: str | None) -> str | None:
    """The address that a project was imported from, without a user's name and secret."""
    if not url:
        return None
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host).geturl()
