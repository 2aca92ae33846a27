"""The rules that a request gets from CODEOWNERS: one for each entry that owns some of its files (paid tiers)."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, and_, delete, insert, or_, select, update

from ingot.access.levels import DEVELOPER, MAINTAINER, OWNER
from ingot.access.tables import (
    group_authorizations,
    members,
    namespace_ancestors,
    namespaces,
    project_authorizations,
    project_group_links,
    projects,
)
from ingot.features.review.approvals import code_owners
from ingot.features.review.approvals.code_owners import Entry
from ingot.features.review.approvals.rule_commands import MOST_REQUIRED, NAME_LIMIT, REQUEST, set_links
from ingot.features.review.approvals.tables import CODE_OWNER, approval_merge_request_rules
from ingot.features.review.merge_requests import MergeRequestRow, MergeRequestWithProject, Store, target_repository
from ingot.gitstore import GitError, diff
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.kit.services import Services

ROLES = {"@@developer": DEVELOPER, "@@maintainer": MAINTAINER, "@@owner": OWNER}
SECTION_LIMIT = 255
BATCH = 1000  # names in one statement


def prepare(services: Services, row: MergeRequestWithProject) -> Store:
    """Read the owners of the files that the request changes; returns a function that stores their rules."""
    entries = owning_entries(services, row)
    rules = approval_merge_request_rules
    of_request = (rules.c.merge_request_id == row.id) & (rules.c.rule_type == CODE_OWNER)

    def store(tx: Connection) -> None:
        known = {(rule.section, rule.name): rule.id for rule in tx.execute(select(rules).where(of_request))}
        for entry in entries:
            key = entry.section.name[:SECTION_LIMIT], entry.pattern[:NAME_LIMIT]
            _store(tx, row, entry, known.pop(key, None))
        if known:
            tx.execute(delete(rules).where(rules.c.id.in_(known.values())))

    return store


def file_differs(services: Services, before: MergeRequestRow, after: MergeRequestWithProject) -> bool:
    """The target branch has another CODEOWNERS file than before."""
    repository = target_repository(services, after)
    try:
        old, new = (
            code_owners.file_ids(repository, row.checked_target_sha) if row.checked_target_sha else []
            for row in (before, after)
        )
    except GitError:
        return True
    return old != new


def _store(tx: Connection, row: MergeRequestRow, entry: Entry, rule_id: int | None) -> None:
    rules, moment = approval_merge_request_rules, now()
    values = {"approvals_required": min(MOST_REQUIRED, entry.section.required), "updated_at": moment}
    if rule_id is None:
        values |= {
            "merge_request_id": row.id,
            "name": entry.pattern[:NAME_LIMIT],
            "section": entry.section.name[:SECTION_LIMIT],
            "rule_type": CODE_OWNER,
            "created_at": moment,
        }
        rule_id = tx.execute(insert(rules).values(values).returning(rules.c.id)).scalar_one()
    else:
        tx.execute(update(rules).where(rules.c.id == rule_id).values(values))
    set_links(tx, REQUEST, rule_id, *people_of(tx, row.project_id, entry.owners))


def owning_entries(services: Services, row: MergeRequestWithProject) -> list[Entry]:
    """Entries that own files which the request changes; all of them where the changes cannot be read."""
    if row.checked_target_sha is None or row.head_sha is None:
        return []
    repository = target_repository(services, row)
    entries = code_owners.read_entries(repository, row.checked_target_sha)
    try:
        changed = diff.changed_paths(repository, row.base_sha or EMPTY_TREE_ID, row.head_sha) if entries else []
    except GitError:
        return [entry for entry in entries if entry.owners]
    return code_owners.matching(entries, {path for one in changed for path in (one.old_path, one.new_path)})


def entries_of(services: Services, row: MergeRequestWithProject, paths: Iterable[str]) -> list[Entry]:
    """Entries of the target branch that own these files."""
    if row.checked_target_sha is None:
        return []
    repository = target_repository(services, row)
    return code_owners.matching(code_owners.read_entries(repository, row.checked_target_sha), paths)


def people_of(conn: Connection, project_id: int, owners: Sequence[str]) -> tuple[list[int], list[int]]:
    """The users and groups of owners' names, limited to members of the project."""
    names = [owner[1:] for owner in owners if owner.startswith("@") and not owner.startswith("@@")]
    mails = [owner for owner in owners if not owner.startswith("@")]
    levels = [level for level in (ROLES.get(owner.removesuffix("s")) for owner in owners) if level is not None]
    rights = project_authorizations
    developers = select(rights.c.user_id).where(rights.c.project_id == project_id, rights.c.access_level >= DEVELOPER)
    direct = select(members.c.user_id).where(members.c.project_id == project_id, members.c.access_level.in_(levels))
    # Anybody can run an identity provider that claims any address: only confirmed addresses count.
    by_mail = and_(users.c.email_lower.in_(mails), users.c.confirmed_at.is_not(None))
    named = or_(users.c.username_lower.in_(names), by_mail, users.c.id.in_(direct))
    people = conn.scalars(select(users.c.id).where(named, users.c.id.in_(developers)).order_by(users.c.id)).all()
    above = select(namespace_ancestors.c.ancestor_id).join_from(
        namespace_ancestors, projects, projects.c.namespace_id == namespace_ancestors.c.namespace_id
    )
    invited = select(project_group_links.c.group_id).where(project_group_links.c.project_id == project_id)
    groups = select(namespaces.c.id).where(
        namespaces.c.kind == "group",
        namespaces.c.full_path_lower.in_(names),
        namespaces.c.id.in_(above.where(projects.c.id == project_id)) | namespaces.c.id.in_(invited),
    )
    return list(people), list(conn.scalars(groups.order_by(namespaces.c.id)))


def owner_ids(conn: Connection, project_id: int, entries: Iterable[Entry]) -> set[int]:
    """All the people that entries name, by themselves or in groups."""
    owners = list(dict.fromkeys(owner for entry in entries for owner in entry.owners))
    rights = group_authorizations
    result: set[int] = set()
    for start in range(0, len(owners), BATCH):
        people, groups = people_of(conn, project_id, owners[start : start + BATCH])
        result.update(people, conn.scalars(select(rights.c.user_id).where(rights.c.group_id.in_(groups))))
    return result
