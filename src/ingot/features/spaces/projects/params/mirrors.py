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
    auth_user: str | None = Param("Username.")
    auth_password: str | None = Param("Password or token.")
    mirror_trigger_builds: bool | None = Param("Mirroring starts pipelines.")
    only_mirror_protected_branches: bool | None = Param("Mirror protected branches only.")
    mirror_overwrites_diverged_branches: bool | None = Param("The mirror overwrites what diverged.")
    mirror_branch_regex: str | None = Param("Mirror branches only whose name matches.")

    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (("only_mirror_protected_branches", "mirror_branch_regex"),)
    at_least_one: ClassVar[tuple[str, ...]] = ("enabled", "url", "auth_user", "auth_password", *SETTINGS)


def as_edit(params: UpdatePullMirror, current_url: str | None, login: str | None) -> EditProject:
    """The same as an edit of the project, which has this address and login by now."""
    values = {name: value for name, value in params.given().items() if name in SETTINGS}
    if params.enabled is not None:
        values["mirror"] = params.enabled
    if params.only_mirror_protected_branches:
        values["mirror_branch_regex"] = ""
    elif params.mirror_branch_regex:
        values["only_mirror_protected_branches"] = False
    if params.url or params.auth_user or params.auth_password:
        values["import_url"] = _with_login(params, current_url or "", login)
    return EditProject.parse(values or {"mirror": None})


def _with_login(params: UpdatePullMirror, current_url: str, login: str | None) -> str:
    """The address as the project takes it. What is not sent of a login is what the address names, else what is known
    for it; another address is told nothing of that."""
    try:
        result = URL(params.url or current_url)
        if login and str(result).rstrip("/") == current_url:
            result = URL(current_url.replace("://", f"://{login}@", 1), encoded=True)
        if params.auth_user or params.auth_password:
            result = result.with_user(params.auth_user or result.user or "oauth2")
            result = result.with_password(params.auth_password or result.password)
    except ValueError:
        raise Invalid({"import_url": ["is blocked: URI is invalid"]}) from None
    return str(result)
