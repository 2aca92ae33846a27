"""Running an import: every step can be repeated, and a crashed import resumes where it stopped."""

import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, delete, select, update

from ingot.access.levels import OWNER
from ingot.access.namespaces import top_of
from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project, find_group, find_project
from ingot.access.tables import projects
from ingot.archives.pace import Pace
from ingot.archives.seal import is_own
from ingot.archives.unpack import ArchiveRefused, Limits, unpack
from ingot.archives.walk import files_below
from ingot.features.code.lfs_objects import LFS_FOLDER, check_objects, store_objects
from ingot.features.code.protected_branches import protect_default_branch
from ingot.features.spaces.projects import (
    empty_if_canceled,
    find_size_limit,
    make_repository,
    mark_pending_delete,
    repository_of,
)
from ingot.features.transfer.project_exports import preserve_files, preserve_objects
from ingot.features.transfer.project_imports.builders.numbers import forget_marks
from ingot.features.transfer.project_imports.builders.overrides import build_overrides
from ingot.features.transfer.project_imports.builders.settings import build_root
from ingot.features.transfer.project_imports.commands.avatar import store_avatar
from ingot.features.transfer.project_imports.commands.finish import flush_counters, restore_refs, take_place
from ingot.features.transfer.project_imports.commands.snippet_files import read_bundles, store_files
from ingot.features.transfer.project_imports.commands.store import relations_in_order, store_relation
from ingot.features.transfer.project_imports.context import ImportContext, clean
from ingot.features.transfer.project_imports.people import add_members, ensure_importer, map_people, named_people
from ingot.features.transfer.project_imports.rows import ProjectImportRow
from ingot.features.transfer.project_imports.tables import import_progress, project_imports
from ingot.features.transfer.project_imports.tree import Tree, check_version, open_tree
from ingot.features.transfer.project_imports.values import BadRecord
from ingot.features.transfer.uploads import store_uploads
from ingot.gitstore import GitError, Repository, storages_of
from ingot.gitstore.bundle import restore_bundle
from ingot.gitstore.storage import DEFAULT_BRANCH
from ingot.gitstore.storage import delete as delete_repository
from ingot.identity.authentication import actor_of_user
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.instance import application_setting, instance_uuid
from ingot.kit.actor import Actor
from ingot.kit.blobs import BlobMissing, StoreUnavailable
from ingot.kit.clock import now
from ingot.kit.jobs import Cancelled, JobFailed, Run, enqueue
from ingot.kit.services import Services

SYSTEM = Actor(user_id=0, is_admin=True)
MEGABYTE = 1024 * 1024
GONE = "The archive is no longer in the object store"


class Workplace:
    """A folder for the work, removed at the end whatever happens."""

    def __init__(self, services: Services) -> None:
        base = services.settings.data_folder / "tmp"
        base.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="import-", dir=base))

    def __enter__(self) -> Path:
        return self.folder

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def unpack_blob(run: Run, key: str | None, folder: Path) -> Path:
    """The archive from the store, unpacked within the instance's limits, for as long as the run may go on."""
    if key is None:
        raise ArchiveRefused(GONE)
    services = run.services
    with services.db.read() as conn:
        limit = int(application_setting(conn, "max_decompressed_archive_size") or 0)
        seconds = float(application_setting(conn, "decompress_archive_file_timeout") or 0)
    try:
        with services.blobs.open_file(key) as file:
            limits = Limits(bytes=limit * MEGABYTE, seconds=seconds)
            return unpack(file, folder / "tree", limits, run.check).folder
    except BlobMissing:
        raise ArchiveRefused(GONE) from None


def failure_text(project: ProjectRow, words: str) -> str:
    """As GitLab writes it: an empty URL leaves two spaces."""
    return f"Error importing repository  into {project.full_path} - {clean(words)}"


def _failed(project: ProjectRow, error: GitError) -> Exception:
    """A full disk or a busy repository is retried. Everything else is a fault of the archive."""
    if getattr(error, "status", None) in (503, 507):
        return error
    return JobFailed(failure_text(project, error.message))


def run_import(run: Run, result: ProjectImportRow, project: Project, importer: UserRow) -> None:
    """The whole import of an archive that is in the store."""
    services = run.services
    with Workplace(services) as folder:
        try:
            unpacked = unpack_blob(run, result.blob_key, folder)
            check_version(unpacked)
            tree = open_tree(unpacked)
            root = tree.root()
            check_objects(unpacked, run.check)
            _require_room(services, project, unpacked)
            read_bundles(unpacked, folder / "snippets", run.check)
        except ArchiveRefused as refusal:
            raise JobFailed(failure_text(project, str(refusal))) from None
        repository = make_repository(services, project)
        try:
            run.step("repository", lambda: _repositories(services, project, repository, unpacked, root))
        except Cancelled:
            empty_if_canceled(services, project.id)
            raise
        run.step("other repositories", lambda: _other_repositories(services, project, unpacked))
        try:
            _store_tree(run, result, project, importer, repository, unpacked, tree, root)
        except (ArchiveRefused, BadRecord) as refusal:
            raise JobFailed(failure_text(project, str(refusal))) from None
        run.step("avatar", lambda: store_avatar(services, result, project, unpacked))
        try:
            run.step("files", lambda: _files(services, result, project, importer, folder, unpacked))
        except ArchiveRefused as refusal:
            raise JobFailed(failure_text(project, str(refusal))) from None
    run.step("refs", lambda: restore_refs(services, project.id, repository))
    run.step("finish", lambda: _finish(services, result, project, importer))


def _require_room(services: Services, project: Project, folder: Path) -> None:
    """Refuse an archive whose repository and large files are larger than the project's place allows."""
    with services.db.read() as conn:
        limit = find_size_limit(conn, project.id)
    files = [folder / "project.bundle", *files_below(folder / LFS_FOLDER)]
    size = sum(file.stat().st_size for file in files if file.is_file())
    if limit is not None and not limit.leaves_room_for(size):
        raise ArchiveRefused(limit.refuse_import(size))


def _repositories(
    services: Services, project: Project, repository: Repository, folder: Path, root: Mapping[str, object]
) -> str | None:
    """Restore the repository from its bundle; a second attempt starts empty.

    A bundle says at which commit HEAD is, and several branches may be there: the root names the right one.
    """
    bundle = folder / "project.bundle"
    if not bundle.is_file():
        return None
    if not repository.is_empty():
        delete_repository(repository)
        repository = make_repository(services, project)
    named = root.get("default_branch")
    try:
        branch = restore_bundle(repository, bundle, preferred=named if isinstance(named, str) else DEFAULT_BRANCH)
    except GitError as error:
        delete_repository(repository)
        make_repository(services, project)
        raise _failed(project, error) from None
    with services.db.write() as tx:
        tx.execute(
            update(projects)
            .where(projects.c.id == project.id)
            .values(default_branch=branch or project.default_branch, empty_repo=repository.is_empty())
        )
    return branch


def _other_repositories(services: Services, project: Project, folder: Path) -> None:
    """Restore wiki and designs; a second attempt starts empty."""
    for kind in ("wiki", "design"):
        bundle = folder / f"project.{kind}.bundle"
        if not bundle.is_file():
            continue
        old = repository_of(services, project, kind)
        if old.exists():
            delete_repository(old)
        created = storages_of(services).create(project.repository_storage, project.id, kind)
        try:
            restore_bundle(created, bundle)
        except GitError as error:
            delete_repository(created)
            raise _failed(project, error) from None


def _files(
    services: Services, result: ProjectImportRow, project: Project, importer: UserRow, folder: Path, unpacked: Path
) -> None:
    """Uploads and large files get their rows, snippets their files; what nobody here reads is kept as it came."""
    placed = store_uploads(services, project.id, unpacked, importer.id)
    placed.update(store_files(services, result, project, folder / "snippets"))
    preserve_files(services, project.id, unpacked, placed)
    others = store_objects(services, project.id, unpacked)
    preserve_objects(services, project.id, unpacked, others)


def _store_tree(
    run: Run,
    result: ProjectImportRow,
    project: Project,
    importer: UserRow,
    repository: Repository,
    folder: Path,
    tree: Tree,
    root: Mapping[str, object],
) -> None:
    services, owner = run.services, f"import-{result.id}"
    with services.db.read() as conn:
        own = is_own(folder, instance_uuid(services.db, conn), services.secret_key)
        people = map_people(conn, tree, importer, own=own)
    context = ImportContext(services, project, repository, result.correlation_id, people)
    context.trusts_levels = own or _owns_top_group(services, project, importer)
    overrides = result.override_params or {}

    def begin(tx: Connection) -> None:
        build_root(context, tx, root, overrides)
        add_members(context, tx, tree)
        ensure_importer(tx, project, importer.id)

    pace, total = Pace("records"), tree.total()

    def report(relation: str, count: int) -> None:
        run.check()
        run.progress(done=count, label=relation, **pace.counters(tree.weight, total))

    run.transact("root", begin)
    relations: dict[str, dict[str, int]] = {}
    for relation in relations_in_order(tree):
        run.check()
        held, stored = run.step(f"relation {relation}", partial(store_relation, context, tree, relation, owner, report))
        relations[relation] = {"held": held, "stored": stored}
    with services.db.write() as tx:
        summary = {"relations": relations, "people": named_people(tree, people)}
        tx.execute(update(project_imports).where(project_imports.c.id == result.id).values(summary=summary))

    def override() -> None:
        with services.db.write() as tx:
            branch = build_overrides(context, tx, overrides)
        if branch is not None:
            repository.set_default_branch(branch)

    if overrides:
        run.step("overrides", override)


def _owns_top_group(services: Services, project: Project, importer: UserRow) -> bool:
    with services.db.read() as conn:
        top = top_of(conn, project.namespace_id)
        group = find_group(conn, actor_of_user(importer), top.id) if top.kind == "group" else None
    return group is not None and (importer.is_admin or group.level >= OWNER)


def _finish(services: Services, result: ProjectImportRow, project: Project, importer: UserRow) -> None:
    with services.db.write() as tx:
        fresh = tx.execute(select(projects).where(projects.c.id == project.id)).one()
        if fresh.default_branch and not fresh.empty_repo:
            protect_default_branch(tx, project.id, fresh.default_branch)
        flush_counters(tx, project.id)
        forget_marks(tx, project.id)
        if result.replaces_id is not None:
            old = tx.execute(select(projects).where(projects.c.id == result.replaces_id)).one_or_none()
            if old is not None:
                _require_owner(tx, importer, old)
                take_place(tx, project.id, old, result.final_name or old.name, result.final_path or old.path)
                mark_pending_delete(tx, old.id)
                enqueue(tx, "delete_project", args={"project_id": old.id}, key=f"delete_project-{old.id}")
        tx.execute(
            update(projects).where(projects.c.id == project.id).values(import_status="finished", import_error=None)
        )
        tx.execute(
            update(project_imports)
            .where(project_imports.c.id == result.id)
            .values(ended=True, sealed_url=None, blob_key=None, updated_at=now())
        )
        # In the same transaction: a process killed afterwards has nothing left to do.
        tx.execute(delete(import_progress).where(import_progress.c.owner == f"import-{result.id}"))
        enqueue(tx, "refresh_project", key=f"refresh_project-{project.id}", args={"project_id": project.id}, rerun=True)
    if result.blob_key:
        with suppress(StoreUnavailable):  # otherwise the sweep removes it
            services.blobs.delete(result.blob_key)


def _require_owner(tx: Connection, importer: UserRow, old: ProjectRow) -> None:
    row = tx.execute(select(users).where(users.c.id == importer.id)).one()
    seen = find_project(tx, actor_of_user(row), old.id)
    if not (row.is_admin or (seen is not None and seen.level >= OWNER)):
        place = old.full_path.rpartition("/")[0]
        raise JobFailed(f"User {row.username} ({row.id}) cannot overwrite a project in {place}")
