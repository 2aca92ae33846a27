"""Background work of hooks: deliveries, warnings of tokens that end, and the end of old log entries."""

from datetime import timedelta

from sqlalchemy import delete, select

from ingot.features.integrations.web_hooks.delivering import deliver_waiting
from ingot.features.integrations.web_hooks.expiring_tokens import warn_of_access_tokens, warn_of_deploy_tokens
from ingot.features.integrations.web_hooks.messages import DELIVERY, queue_delivery
from ingot.features.integrations.web_hooks.tables import web_hook_logs, web_hook_messages
from ingot.kit.clock import now
from ingot.kit.jobs import OUTAGE_BACKOFF, OUTAGE_RETRIES, Run, job, periodic

KEPT = timedelta(days=90)
BATCH = 1000


@job(DELIVERY, calls=True, retries=OUTAGE_RETRIES, backoff=OUTAGE_BACKOFF)
def deliver(run: Run, hook_id: int) -> None:
    """Deliver what waits for a hook."""
    deliver_waiting(run, hook_id)


@periodic("web_hook_leftovers", every=300)
def deliver_leftovers(run: Run) -> None:
    """Messages whose job came to an end without them: it was worn out, or its worker's database was restored."""
    with run.db.write() as tx:
        for hook_id in tx.execute(select(web_hook_messages.c.hook_id).distinct()).scalars().all():
            queue_delivery(tx, hook_id)


@periodic("web_hook_token_warnings", every=3600)
def warn_of_tokens(run: Run) -> None:
    """Tell of tokens that end soon, a batch per transaction."""
    for warn in (warn_of_access_tokens, warn_of_deploy_tokens):
        warned = 1
        while warned:
            run.check()
            with run.db.write() as tx:
                warned = warn(tx)


@periodic("web_hook_log_retention", every=86400)
def delete_old_entries(run: Run) -> None:
    """Delete old entries of the log, a batch per transaction."""
    due = select(web_hook_logs.c.id).where(web_hook_logs.c.created_at < now() - KEPT).limit(BATCH)
    removed = BATCH
    while removed == BATCH:
        run.check()
        with run.db.write() as tx:
            removed = tx.execute(delete(web_hook_logs).where(web_hook_logs.c.id.in_(due))).rowcount
