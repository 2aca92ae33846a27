"""Web hooks, which come at rest, and deploy keys, which open the project only where the importer could let them in."""

from collections.abc import Mapping

from sqlalchemy import Connection, select

from ingot.features.integrations.web_hooks import SWITCHES, TEXTS, ArchivedHook, store_hook
from ingot.features.spaces.deploy_keys import let_in_known_key
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import BadRecord, flag, flag_or_none, moment_or, text
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `hooks`; those of integrations belong to the source alone."""
    if record.get("type") not in (None, "ProjectHook"):
        return
    texts = {name: text(record, name, longest=longest) or None for name, longest in TEXTS.items()}
    values: ArchivedHook = {
        "url": text(record, "url", longest=2048, required=True) or "",
        "branch_filter_strategy": text(record, "branch_filter_strategy"),
        "push_events_branch_filter": texts.pop("push_events_branch_filter"),
        "others": {
            **texts,
            **{name: flag(record, name, default=name == "enable_ssl_verification") for name in SWITCHES},
            "confidential_note_events": flag_or_none(record, "confidential_note_events"),
        },
    }
    moment = moment_or(record, "created_at", context.started)
    problem = store_hook(tx, context.services, context.project.id, values, moment)
    if problem is not None:
        raise BadRecord(problem)


def build_key(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `deploy_keys`."""
    importer = actor_of_user(tx.execute(select(users).where(users.c.id == context.people.importer_id)).one())
    key = text(record, "key", longest=10_000, required=True) or ""
    if not let_in_known_key(tx, importer, context.project.id, key, may_push=flag(record, "can_push")):
        raise BadRecord("Deploy key is not one that you could let in here: add it again")
