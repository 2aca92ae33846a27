"""Which changes make which audit events."""

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from sqlalchemy import Connection, select

from ingot.access.levels import ROLE_NAMES
from ingot.access.member_changes import MembershipRow
from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import members, namespaces, projects
from ingot.features.integrations.audit_events import recording
from ingot.features.integrations.audit_events.facts import (
    Facts,
    differences,
    group_facts,
    project_facts,
    user_facts,
)
from ingot.features.integrations.audit_events.recording import Entry, Subject
from ingot.features.people.resource_access_tokens import resource_bots
from ingot.features.planning.releases import releases
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.kit.changes import Change

Rule = Callable[[Connection, Change], Iterable[Entry]]
TARGET_TYPES = {
    "personal_access_token": "PersonalAccessToken",
    "impersonation_token": "PersonalAccessToken",
    "project_access_token": "PersonalAccessToken",
    "group_access_token": "PersonalAccessToken",
    "deploy_token": "DeployToken",
    "deploy_key": "DeployKey",
    "oauth_application": "Doorkeeper::Application",
    "protected_branch": "ProtectedBranch",
    "external_status_check": "MergeRequests::ExternalStatusCheck",
    "protected_environment": "ProtectedEnvironment",
    "protected_tag": "ProtectedTag",
    "push_rule": "PushRule",
    "integration": "Integration",
    "push_mirror": "RemoteMirror",
    "feature_flag": "Operations::FeatureFlag",
    "project_hook": "ProjectHook",
    "group_hook": "GroupHook",
    "system_hook": "SystemHook",
    "ci_variable": "Ci::Variable",
    "ci_group_variable": "Ci::GroupVariable",
    "ci_instance_variable": "Ci::InstanceVariable",
}
# What is done to a record: its word in the event's name, and in the details.
VERBS = {
    "create": ("created", "add"),
    "add": ("added", "add"),
    "delete": ("deleted", "remove"),
    "remove": ("removed", "remove"),
    "revoke": ("revoked", "remove"),
    "renew": ("secret_renewed", "change"),
}
# Events whose names are not made of the record's word and the verb.
NAMES = {
    "protected_branch_deleted": "protected_branch_removed",
    "project_access_token_revoked": "project_access_token_deleted",
    "group_access_token_revoked": "group_access_token_deleted",
    "deploy_token_deleted": "deploy_token_destroyed",
    "project_hook_created": "webhook_created",
    "group_hook_created": "webhook_created",
    "system_hook_created": "webhook_created",
    "project_hook_deleted": "webhook_destroyed",
    "group_hook_deleted": "webhook_destroyed",
    "system_hook_deleted": "webhook_destroyed",
}
MESSAGES = {
    "block": ("user_blocked", "Blocked user"),
    "unblock": ("user_unblocked", "Unblocked user"),
    "deactivate": ("user_deactivate", "Deactivated user"),
    "activate": ("user_activate", "Activated user"),
    "ban": ("user_banned", "Banned user"),
    "unban": ("user_unbanned", "Unbanned user"),
    "approve": ("user_approved", "Instance access request approved"),
    "enable_two_factor": ("user_enable_two_factor", "Two-factor authentication enabled"),
    "enter_admin_mode": ("user_enable_admin_mode", "Enabled Admin Mode"),
    "start_impersonation": ("user_impersonation", "Started Impersonation"),
    "stop_impersonation": ("user_impersonation", "Stopped Impersonation"),
    "disable_two_factor": ("user_disable_two_factor", "Two-factor authentication disabled"),
}


def _member(tx: Connection, change: Change) -> Iterable[Entry]:
    entity, user = recording.place_of(tx, change), recording.user_subject(tx, change.record_id, by_name=True)
    if change.action == "remove":
        yield Entry("member_destroyed", entity, user, {"remove": "user_access"})
        return
    here = members.c.group_id == change.group_id
    if change.project_id is not None:
        here = members.c.project_id == change.project_id
    row: MembershipRow | None = tx.execute(
        select(members).where(here, members.c.user_id == change.record_id)
    ).one_or_none()
    if row is None:
        return
    before = change.details.get("before")
    if before is None:
        yield Entry("member_created", entity, user, {"add": "user_access", "as": ROLE_NAMES[row.access_level]})
        return
    for _, words in differences(_membership(cast("MembershipRow", before)), _membership(row)):
        yield Entry("member_updated", entity, user, words)


def _membership(row: MembershipRow) -> Facts:
    expires_at = None if row.expires_at is None else row.expires_at.isoformat()
    return {"access_level": ROLE_NAMES[row.access_level], "expiry": expires_at}


def _project(tx: Connection, change: Change) -> Iterable[Entry]:
    entity = recording.project_subject(tx, change.record_id)
    if change.action in ("create", "destroy"):
        yield _life(entity, "project", change.action)
        return
    row: ProjectRow | None = tx.execute(select(projects).where(projects.c.id == change.record_id)).one_or_none()
    before = change.details.get("before")
    if row is not None and before is not None:
        yield from _edits("project", entity, project_facts(cast("ProjectRow", before)), project_facts(row))


def _group(tx: Connection, change: Change) -> Iterable[Entry]:
    if change.action in ("create", "destroy"):
        yield _life(recording.group_subject(tx, change.record_id), "group", change.action)


def _group_settings(tx: Connection, change: Change) -> Iterable[Entry]:
    row: NamespaceRow = tx.execute(select(namespaces).where(namespaces.c.id == change.record_id)).one()
    before = group_facts(cast("NamespaceRow", change.details["before"]))
    yield from _edits("group", recording.group_subject(tx, change.record_id), before, group_facts(row))


def _user(tx: Connection, change: Change) -> Iterable[Entry]:
    if change.action in ("create", "destroy"):
        yield _life(recording.user_subject(tx, change.record_id), "user", change.action)


def _life(entity: Subject, word: str, action: str) -> Entry:
    verb, name = ("add", "created") if action == "create" else ("remove", "destroyed")
    return Entry(f"{word}_{name}", entity, entity, {verb: word})


def _edits(word: str, entity: Subject, before: Facts, after: Facts) -> Iterable[Entry]:
    for name, words in differences(before, after):
        yield Entry(f"{word}_{name.replace(' ', '_')}_updated", entity, entity, words)


def _account(tx: Connection, change: Change) -> Iterable[Entry]:
    entity = recording.user_subject(tx, change.record_id)
    if change.action in MESSAGES:
        name, message = MESSAGES[change.action]
        author_id = cast("int | None", change.details.get("author_id"))
        author = None if author_id is None else recording.user_subject(tx, author_id, by_name=True)
        yield Entry(name, entity, entity, {"custom_message": message}, author=author)
        return
    row: UserRow = tx.execute(select(users).where(users.c.id == change.record_id)).one()
    before = user_facts(cast("UserRow", change.details["before"]))
    yield from _edits("user", entity, before, user_facts(row))


def _session(tx: Connection, change: Change) -> Iterable[Entry]:
    if change.action == "refuse":
        target = Subject("User", 0, str(change.details["login"]))
        words: Facts = {"failed_login": "STANDARD", "custom_message": "Failed to login with STANDARD authentication"}
        yield Entry("login_failed_with_standard_authentication", recording.place_of(tx, change), target, words)
        return
    user = recording.user_subject(tx, change.record_id, by_name=True)
    way = str(change.details["with"])
    words = {"with": way, "custom_message": f"Signed in with {way.upper()} authentication"}
    yield Entry(f"authenticated_with_{way}", recording.user_subject(tx, user.id), user, words, author=user)


def _settings(tx: Connection, change: Change) -> Iterable[Entry]:
    entity = recording.place_of(tx, change)
    target = Subject("ApplicationSetting", 1, "application settings")
    yield from _updates("application_setting", entity, target, change)


def _record(tx: Connection, change: Change) -> Iterable[Entry]:
    """A record that grants something: its `type` is the word of the events."""
    kind, place = str(change.details["type"]), change
    if kind == "personal_access_token":
        kind, place = _token(tx, change)
    entity = recording.place_of(tx, place)
    target = Subject(TARGET_TYPES[kind], change.record_id, str(change.details["name"]))
    if change.action == "update":
        yield from _updates(kind, entity, target, change)
        return
    past, verb = VERBS[change.action]
    name = f"{kind}_{past}"
    more = cast("Facts", change.details.get("more", {}))
    yield Entry(NAMES.get(name, name), entity, target, {verb: kind, **more})


def _updates(word: str, entity: Subject, target: Subject, change: Change) -> Iterable[Entry]:
    """One event for each value of the record that changed."""
    before = cast("Mapping[str, object]", change.details["before"])
    for _, words in differences(before, cast("Mapping[str, object]", change.details["after"])):
        yield Entry(f"{word}_updated", entity, target, words)


def _token(tx: Connection, change: Change) -> tuple[str, Change]:
    """A token of a bot belongs to the bot's project or group."""
    bot = tx.execute(select(resource_bots).where(resource_bots.c.user_id == change.user_id)).one_or_none()
    if bot is None:
        word = "impersonation_token" if change.details.get("impersonation") else "personal_access_token"
        return word, change
    word = "group_access_token" if bot.project_id is None else "project_access_token"
    return word, Change(change.kind, change.action, change.record_id, bot.project_id, bot.group_id)


def _share(tx: Connection, change: Change) -> Iterable[Entry]:
    entity, target = recording.place_of(tx, change), recording.group_subject(tx, change.record_id)
    word = "project_group_link" if change.project_id is not None else "group_share_with_group_link"
    access = "project_access" if change.project_id is not None else "group_access"
    if change.action == "create":
        role = ROLE_NAMES[cast("int", change.details["access_level"])]
        yield Entry(f"{word}_created", entity, target, {"add": access, "as": role})
    else:
        ended = "deleted" if change.project_id is not None else "removed"
        yield Entry(f"{word}_{ended}", entity, target, {"remove": access})


def _deletion(tx: Connection, change: Change) -> Iterable[Entry]:
    entity = recording.place_of(tx, change)
    word = entity.type.lower()
    if change.action == "mark":
        yield Entry(f"{word}_deletion_marked", entity, entity, {"custom_message": f"{entity.type} marked for deletion"})
    else:
        yield Entry(f"{word}_restored", entity, entity, {"custom_message": f"{entity.type} restored"})


def _key(tx: Connection, change: Change) -> Iterable[Entry]:
    """SSH keys of people; those of projects are reported as records of the projects that let them in."""
    title = change.details.get("title")
    if title is None or change.user_id is None:
        return
    name = "add_ssh_key" if change.action == "create" else "remove_ssh_key"
    message = "Added SSH key" if change.action == "create" else "Removed SSH key"
    target = Subject("Key", change.record_id, str(title))
    yield Entry(name, recording.user_subject(tx, change.user_id), target, {"custom_message": message})


def _repair(tx: Connection, change: Change) -> Iterable[Entry]:
    target = Subject("BackgroundJob", change.record_id, "repair of what is stored")
    yield Entry(
        "instance_repair_started", recording.place_of(tx, change), target, {"custom_message": "Started a repair"}
    )


RELEASES = {
    "create": ("release_created", "Created release"),
    "update": ("release_updated", "Updated release"),
    "delete": ("release_deleted_audit_event", "Deleted release"),
}


def _release(tx: Connection, change: Change) -> Iterable[Entry]:
    tag = tx.execute(select(releases.c.tag).where(releases.c.id == change.record_id)).scalar_one_or_none()
    name, text = RELEASES[change.action]
    target = Subject("Release", change.record_id, tag or "")
    yield Entry(name, recording.place_of(tx, change), target, {"custom_message": f"{text} {tag}"})


RULES: Mapping[str, Rule] = {
    "member": _member,
    "project": _project,
    "group": _group,
    "group_settings": _group_settings,
    "user": _user,
    "account": _account,
    "session": _session,
    "application_settings": _settings,
    "audited_record": _record,
    "share": _share,
    "deletion": _deletion,
    "key": _key,
    "release": _release,
    "repair": _repair,
}
