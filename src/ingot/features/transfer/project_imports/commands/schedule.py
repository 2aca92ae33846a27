"""Requesting an import: the new project, its import and its job in one transaction."""

import secrets
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from ingot.access.namespaces import Namespace, find_namespace, may_create_project_in, may_import_into
from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import namespaces, projects
from ingot.features.spaces.projects import NewProject, choose_storage, clear_place, create_project
from ingot.features.transfer.project_imports.tables import project_imports
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import Failure, Invalid, NotFound
from ingot.kit.jobs import enqueue
from ingot.kit.sealing import seal
from ingot.kit.services import Services


class ImportOptions(msgspec.Struct):
    """What the caller asked for."""

    path: str
    name: str | None = None
    namespace: str | None = None
    overwrite: bool = False
    override_params: dict[str, Any] = msgspec.field(default_factory=dict)
    blob_key: str | None = None
    url: str | None = None
    correlation_id: str = ""


def target_namespace(conn: Connection, actor: Actor, id_or_path: str | None) -> Namespace:
    """The namespace to import into, if the caller may; else the documented errors."""
    if id_or_path in (None, ""):
        mine = select(namespaces.c.id).where(namespaces.c.owner_id == actor.id, namespaces.c.kind == "user")
        id_or_path = str(conn.execute(mine).scalar_one())
    namespace = find_namespace(conn, actor, str(id_or_path))
    if namespace is None:
        raise NotFound("Namespace")
    if not may_create_project_in(conn, actor, namespace):
        raise Failure(400, "Namespace is not valid")
    if not may_import_into(conn, actor, namespace):
        raise Failure(400, "User is not allowed to import projects")
    return namespace


def schedule_import(
    services: Services, tx: Connection, actor: Actor, space: NamespaceRow, options: ImportOptions
) -> int:
    """Store the project and the import; returns the project's id. Only the first problem is reported."""
    if not options.path.strip():
        raise Failure(400, "Path can't be blank")
    name, path = options.name or options.path, options.path
    replaced = _replaced(tx, space, path) if options.overwrite else None
    values: dict[str, Any] = {}
    if replaced is not None:
        suffix = secrets.token_hex(16)
        values = {"replaces_id": replaced.id, "final_name": name, "final_path": path}
        name, path = f"{name[:200]}-{suffix}", f"{path[:200]}-{suffix}"
    project_id = _create(services, tx, actor, space, name, path)
    moment = now()
    import_id = tx.execute(
        insert(project_imports)
        .values(
            project_id=project_id,
            user_id=actor.id,
            correlation_id=options.correlation_id,
            blob_key=options.blob_key,
            sealed_url=None if options.url is None else seal(services, options.url),
            override_params=options.override_params,
            created_at=moment,
            updated_at=moment,
            **values,
        )
        .returning(project_imports.c.id)
    ).scalar_one()
    enqueue(
        tx,
        "project_import",
        key=f"import-{import_id}",
        args={"import_id": int(import_id)},
        subject=f"project:{project_id}",
    )
    return project_id


def _replaced(tx: Connection, space: NamespaceRow, path: str) -> ProjectRow | None:
    query = select(projects).where(
        projects.c.full_path_lower == f"{space.full_path}/{path}".lower(), ~projects.c.pending_delete
    )
    return tx.execute(query).one_or_none()


def _create(services: Services, tx: Connection, actor: Actor, space: NamespaceRow, name: str, path: str) -> int:
    new = NewProject(
        name=name,
        path=path,
        namespace_id=space.id,
        columns={"import_type": "gitlab_project", "import_status": "scheduled"},
        storage=choose_storage(services, tx),
    )
    try:
        project_id = create_project(tx, actor, new)
    except Invalid as invalid:
        raise Failure(400, first_problem(invalid.problems)) from None
    clear_place(services, new.storage, project_id)
    return project_id


def first_problem(problems: dict[str, list[str]]) -> str:
    """`Name has already been taken`: the first validation message as a sentence."""
    for key in ("name", "path", *problems):
        if problems.get(key):
            words = "Namespace" if key == "namespace" else key.rpartition(".")[2].replace("_", " ").capitalize()
            return f"{words} {problems[key][0]}"
    return "The project could not be created"
