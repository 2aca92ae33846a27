"""What an edit of a pull mirror may change."""

from typing import ClassVar

from yarl import URL

from ingot.features.spaces.projects.params.edit import EditProject
from ingot.kit.errors import Invalid
from ingot.kit.params import Param, Params

SETTINGS = (
    "mirror_trigger_builds",
    "only_mirror_protected_branches",
    "mirror_overwrites_diverged_branches",
    "mirror_branch_regex",
)


class UpdatePullMirror(Params):
    """At least one change."""

    enabled: bool | None = Param("Whether the project is a mirror.")
    url: str | None = Param("Repository to mirror from.")
    auth_user: str | None = Param("User name there.")
    auth_password: str | None = Param("Password or token there.")
    mirror_trigger_builds: bool | None = Param("Mirroring starts pipelines.")
    only_mirror_protected_branches: bool | None = Param("Mirror protected branches only.")
    mirror_overwrites_diverged_branches: bool | None = Param("The mirror overwrites what diverged.")
    mirror_branch_regex: str | None = Param("Mirror branches only whose name matches.")

    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (("only_mirror_protected_branches", "mirror_branch_regex"),)
    at_least_one: ClassVar[tuple[str, ...]] = ("enabled", "url", "auth_user", "auth_password", *SETTINGS)


def as_edit(params: UpdatePullMirror, current_url: str | None) -> EditProject:
    """The same as an edit of the project."""
    values = {name: value for name, value in params.given().items() if name in SETTINGS}
    if params.enabled is not None:
        values["mirror"] = params.enabled
    if params.only_mirror_protected_branches:
        values["mirror_branch_regex"] = ""
    elif params.mirror_branch_regex:
        values["only_mirror_protected_branches"] = False
    if params.url or params.auth_user or params.auth_password:
        values["import_url"] = _with_login(params.url or current_url or "", params)
    return EditProject.parse(values or {"mirror": None})


def _with_login(url: str, params: UpdatePullMirror) -> str:
    """The address as the project takes it; what the address itself names counts where nothing else is sent."""
    try:
        result = URL(url)
        if params.auth_user or params.auth_password:
            result = result.with_user(params.auth_user or result.user or "oauth2")
            result = result.with_password(params.auth_password or result.password)
    except ValueError:
        raise Invalid({"import_url": ["is blocked: URI is invalid"]}) from None
    return str(result)
