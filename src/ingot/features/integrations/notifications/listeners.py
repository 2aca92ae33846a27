"""Changes become jobs that mail people, in the same transaction."""

import msgspec
from sqlalchemy import Connection

from ingot.features.integrations.notifications.happenings import happenings
from ingot.kit.changes import Change, follows
from ingot.kit.jobs import enqueue
from ingot.kit.mail import is_sent_from


@follows("auto_merge", "issue", "merge_request", "note", "pipeline", "project", "release", "review")
def queue_mails(tx: Connection, change: Change) -> None:
    """Queue the mails of a change; nothing where no mail server is configured."""
    if not is_sent_from(tx):
        return
    for happening in happenings(tx, change):
        args = {"happening": msgspec.to_builtins(happening)}
        enqueue(tx, "notification_mails", args=args, subject=f"project:{happening.project_id}")
