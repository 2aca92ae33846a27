"""Creating a project: rows in one transaction, the repository right after its commit."""

import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from ingot.access import names
from ingot.access.authorizations import refresh_projects
from ingot.access.levels import FEATURES, OWNER, Feature, Visibility
from ingot.access.member_changes import report_member
from ingot.access.namespaces import Namespace, find_namespace, instance_runners, may_create_project_in
from ingot.access.paths import lock_namespace, release_path
from ingot.access.rows import NamespaceRow
from ingot.access.tables import members, namespaces, projects
from ingot.features.people.event_log import record_event
from ingot.features.spaces.projects.commands.taken import taken_problems
from ingot.features.spaces.projects.commands.texts import search_values
from ingot.features.spaces.projects.commands.topics import set_topics
from ingot.features.spaces.projects.markdown import to_html
from ingot.features.spaces.projects.settings import ProjectSettings, stored
from ingot.features.spaces.projects.tables import project_statistics
from ingot.gitstore.names import is_valid_branch
from ingot.identity.tables import users
from ingot.instance import application_settings
from ingot.kit.actor import Actor
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import Body, Invalid


class NewProject(msgspec.Struct, frozen=True, kw_only=True):
    """A project to be created; without `namespace_id` in the personal namespace of `owner_id` or the actor."""

    name: str | None = None
    path: str | None = None
    namespace_id: int | None = None
    owner_id: int | None = None
    description: str | None = None
    visibility: str | None = None
    default_branch: str | None = None
    topics: list[str] = msgspec.field(default_factory=list)
    settings: ProjectSettings = msgspec.field(default_factory=ProjectSettings)
    features: dict[str, Feature] = msgspec.field(default_factory=dict)
    # import_type, forked_from_id, … from callers that set them
    columns: dict[str, Any] = msgspec.field(default_factory=dict)
    import_url: str | None = None
    storage: str  # see `choose_storage`


def create_project(tx: Connection, actor: Actor, options: NewProject) -> int:
    """Store the project and what belongs to it; returns its id. `make_repository` follows after the commit."""
    instance = application_settings(tx)
    creator_id = options.owner_id or actor.id
    space = _namespace(tx, actor, options)
    name, path = _name_and_path(options)
    _check_limit(tx, space)
    visibility = _visibility(actor, options, space, instance)
    problems = creation_problems(tx, space, name, path, options.description)
    if options.default_branch:
        problems |= branch_problems(options.default_branch)
    if problems:
        raise Invalid(problems)
    values = _row(options, space, name, path, visibility, instance)
    try:
        with tx.begin_nested():
            project_id = int(
                tx.execute(
                    insert(projects).values(creator_id=creator_id, **values).returning(projects.c.id)
                ).scalar_one()
            )
    except IntegrityError:
        # A concurrent request was faster; its names are visible now.
        raise Invalid(creation_problems(tx, space, name, path, options.description) or TAKEN) from None
    release_path(tx, values["full_path_lower"])
    tx.execute(insert(project_statistics).values(project_id=project_id))
    set_topics(tx, project_id, options.topics)
    if space.kind == "user":
        _add_owner(tx, project_id, space.owner_id, actor.user_id)
        report_member(tx, space.owner_id, None, project_id=project_id)
    refresh_projects(tx, [project_id])
    record_event(tx, "created", project_id, creator_id)
    report_change(tx, Change("project", "create", project_id, project_id=project_id))
    return project_id


TAKEN = {"path": ["has already been taken"]}


def creation_problems(
    tx: Connection, space: NamespaceRow, name: str, path: str, description: str | None, *, except_id: int = 0
) -> dict[str, list[str]]:
    """Problems of a name, path and description in a namespace, keyed as on the wire."""
    result = taken_problems(tx, space, name, path, except_id=except_id)
    if texts := names.project_name_problems(name):
        result.setdefault("name", []).extend(texts)
    if texts := names.project_path_problems(path) or names.full_path_problems(f"{space.full_path}/{path}"):
        result.setdefault("path", []).extend(texts)
    if description is not None and len(description) > names.MAX_PROJECT_DESCRIPTION:
        result["description"] = [names.too_long(names.MAX_PROJECT_DESCRIPTION)]
    return result


def branch_problems(name: str) -> dict[str, list[str]]:
    """Problems of the name of a default branch."""
    if len(name) > names.MAX_LENGTH:
        return {"default_branch": [names.too_long(names.MAX_LENGTH)]}
    return {} if is_valid_branch(name) else {"default_branch": ["is invalid"]}


def _name_and_path(options: NewProject) -> tuple[str, str]:
    name = (options.name or "").lstrip()
    path = options.path or names.path_from_name(name)
    return name or path, path


def _namespace(tx: Connection, actor: Actor, options: NewProject) -> Namespace:
    """The namespace, if the actor may create projects there; locked until this transaction ends."""
    namespace_id = options.namespace_id
    if namespace_id is None:
        owner = (namespaces.c.owner_id == (options.owner_id or actor.id)) & (namespaces.c.kind == "user")
        namespace_id = tx.execute(select(namespaces.c.id).where(owner)).scalar_one_or_none()
    lock_namespace(tx, namespace_id)
    space = None if namespace_id is None else find_namespace(tx, actor, namespace_id)
    if space is None or not may_create_project_in(tx, actor, space):
        raise Invalid({"namespace": ["is not valid"]})
    return space


def _check_limit(tx: Connection, space: NamespaceRow) -> None:
    """Personal projects count against their owner's limit."""
    if space.kind != "user":
        return
    limit = tx.execute(select(users.c.projects_limit).where(users.c.id == space.owner_id)).scalar_one()
    if limit == 0:
        raise Body(
            403,
            {"error": ["You cannot create projects in your personal namespace. Contact your GitLab administrator."]},
        )
    have = tx.execute(
        select(func.count()).select_from(projects).where(projects.c.namespace_id == space.id)
    ).scalar_one()
    if have >= limit:
        text = f"You've reached your limit of {limit} projects created. Contact your GitLab administrator."
        raise Body(403, {"error": [text]})


def _visibility(actor: Actor, options: NewProject, space: NamespaceRow, instance: Mapping[str, object]) -> Visibility:
    word = options.visibility or str(instance["default_project_visibility"])
    if options.visibility is not None:
        check_restricted(actor, options.visibility, instance["restricted_visibility_levels"])
    visibility = Visibility.of(word)
    # spec: create - a visibility above the group's is silently lowered to the group's
    return min(visibility, Visibility(space.visibility)) if space.kind == "group" else visibility


def check_restricted(actor: Actor, word: str, restricted: object) -> None:
    """Administrators may restrict visibility levels for everybody else."""
    if isinstance(restricted, list) and word in restricted and not actor.is_admin:
        raise Invalid({"visibility_level": [f"{word} has been restricted by your GitLab administrator"]})


def _row(
    options: NewProject,
    space: NamespaceRow,
    name: str,
    path: str,
    visibility: Visibility,
    instance: Mapping[str, object],
) -> dict[str, Any]:
    moment = now()
    full_path = f"{space.full_path}/{path}"
    settings = msgspec.structs.replace(options.settings, runners_token=f"GR1348941{secrets.token_urlsafe(15)}")
    if instance_runners(space) != "enabled":
        settings = msgspec.structs.replace(settings, shared_runners_enabled=False)
    features = {**FEATURES, **options.features}
    if "pages" not in options.features and visibility is Visibility.PUBLIC:
        features["pages"] = Feature.ENABLED
    return {
        "namespace_id": space.id,
        "name": name,
        "path": path,
        **search_values(name, path, options.description),
        "full_path": full_path,
        "full_path_lower": full_path.lower(),
        "full_name": f"{space.full_name} / {name}",
        "description": options.description,
        "description_html": to_html(options.description),
        "visibility": int(visibility),
        "default_branch": options.default_branch or default_branch_of(space, instance),
        "repository_storage": options.storage,
        "import_url": options.import_url,
        "settings": stored(settings),
        **{f"{feature}_access_level": int(level) for feature, level in features.items()},
        "created_at": moment,
        "updated_at": moment,
        "last_activity_at": moment,
        **options.columns,
    }


def default_branch_of(space: NamespaceRow, instance: Mapping[str, object]) -> str:
    """The default branch name where none was chosen."""
    return str((space.settings or {}).get("default_branch") or instance["default_branch_name"] or "main")


def _add_owner(tx: Connection, project_id: int, user_id: int, by: int | None) -> None:
    moment = now()
    tx.execute(
        insert(members).values(
            user_id=user_id,
            project_id=project_id,
            access_level=OWNER,
            created_by_id=by,
            created_at=moment,
            updated_at=moment,
        )
    )
