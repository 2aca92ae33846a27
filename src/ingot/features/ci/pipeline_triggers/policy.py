"""Who may change trigger tokens."""

from ingot.features.ci.pipeline_triggers.rows import PipelineTriggerRow
from ingot.kit.actor import Actor


def may_update(actor: Actor, trigger: PipelineTriggerRow) -> bool:
    """The owner of the token and administrators."""
    return trigger.owner_id == actor.user_id or actor.is_admin
