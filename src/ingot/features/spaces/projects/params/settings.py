"""What creating and editing a project accept: the settings of the catalogue, and what is declared here."""

from ingot.access.levels import FEATURE_WORDS, VISIBILITY_WORDS
from ingot.features.spaces.projects.settings import PROJECT_SETTINGS
from ingot.kit.params import Param, Params, UploadedFile


def _switch(what: str) -> str | None:
    result: str | None = Param(f"Who can use {what}.", one_of=FEATURE_WORDS)
    return result


class ExpirationPolicyParams(Params):
    """Clean-up of container images."""

    cadence: str | None = Param("How often it runs.", one_of=("1d", "7d", "14d", "1month", "3month"))
    enabled: bool | None = Param("Whether it runs.")
    keep_n: int | None = Param("Images to keep per name.", one_of=(1, 5, 10, 25, 50, 100, 0))
    older_than: str | None = Param("Age from which images go.", one_of=("7d", "14d", "30d", "60d", "90d", ""))
    name_regex: str | None = Param("Names to remove (older spelling).")
    name_regex_delete: str | None = Param("Names to remove.")
    name_regex_keep: str | None = Param("Names to keep.")


@PROJECT_SETTINGS.parameters()
class ProjectSettingsParams(Params):
    """Everything about a project that its creation and its edit can set."""

    analytics_access_level: str | None = _switch("analytics")
    avatar: UploadedFile | None = Param("Picture, at most 200 kB.")
    builds_access_level: str | None = _switch("pipelines")
    container_expiration_policy_attributes: ExpirationPolicyParams | None = Param("Clean-up of container images.")
    container_registry_access_level: str | None = _switch("the container registry")
    container_registry_enabled: bool | None = Param("Older switch of the container registry.")
    default_branch: str | None = Param("Name of the default branch.")
    description: str | None = Param("Description, Markdown.")
    emails_disabled: bool | None = Param("Opposite of `emails_enabled`.")
    environments_access_level: str | None = _switch("environments")
    feature_flags_access_level: str | None = _switch("feature flags")
    forking_access_level: str | None = _switch("forks")
    infrastructure_access_level: str | None = _switch("infrastructure")
    issues_access_level: str | None = _switch("issues")
    issues_enabled: bool | None = Param("Older switch of issues.")
    jobs_enabled: bool | None = Param("Older switch of pipelines.")
    merge_requests_access_level: str | None = _switch("merge requests")
    merge_requests_enabled: bool | None = Param("Older switch of merge requests.")
    model_experiments_access_level: str | None = _switch("model experiments")
    model_registry_access_level: str | None = _switch("the model registry")
    monitor_access_level: str | None = _switch("monitoring")
    name: str | None = Param("Name.")
    pages_access_level: str | None = Param("Who can use Pages.", one_of=(*FEATURE_WORDS, "public"))
    path: str | None = Param("Last part of the URL.")
    public_builds: bool | None = Param("Older name of `public_jobs`.")
    releases_access_level: str | None = _switch("releases")
    repository_access_level: str | None = _switch("the repository")
    repository_storage: str | None = Param("Storage of the repository (administrators).")
    requirements_access_level: str | None = _switch("requirements")
    security_and_compliance_access_level: str | None = _switch("security and compliance")
    snippets_access_level: str | None = _switch("snippets")
    snippets_enabled: bool | None = Param("Older switch of snippets.")
    tag_list: list[str] = Param("Older name of `topics`.", comma=True)
    topics: list[str] = Param("Topics.", comma=True)
    visibility: str | None = Param("Who sees the project.", one_of=VISIBILITY_WORDS)
    wiki_access_level: str | None = _switch("the wiki")
    wiki_enabled: bool | None = Param("Older switch of the wiki.")
