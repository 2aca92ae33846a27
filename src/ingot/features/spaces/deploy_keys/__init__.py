"""Deploy keys: SSH keys for single projects, not tied to a user."""

from ingot.features.spaces.deploy_keys.commands import (
    is_deploy_key_use_noted,
    let_in_known_key,
    move_deploy_keys,
    note_deploy_key_use,
)
from ingot.features.spaces.deploy_keys.queries import (
    deploy_key_by_fingerprint,
    deploy_key_by_id,
    deploy_key_may_push,
    keys_in_project,
    offered_keys,
)
from ingot.features.spaces.deploy_keys.tables import deploy_keys

__all__ = [
    "deploy_key_by_fingerprint", "deploy_key_by_id", "deploy_key_may_push", "deploy_keys", "is_deploy_key_use_noted",
    "keys_in_project", "let_in_known_key", "move_deploy_keys", "note_deploy_key_use", "offered_keys",
]  # fmt: skip
