"""Deploy keys: SSH keys for single projects, not tied to a user."""

from ingot.features.spaces.deploy_keys.commands import move_deploy_keys, note_deploy_key_use
from ingot.features.spaces.deploy_keys.queries import deploy_key_by_fingerprint, deploy_key_by_id, deploy_key_may_push

__all__ = [
    "deploy_key_by_fingerprint", "deploy_key_by_id", "deploy_key_may_push", "move_deploy_keys", "note_deploy_key_use",
]  # fmt: skip
