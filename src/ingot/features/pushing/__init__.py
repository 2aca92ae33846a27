"""Around every change of a branch or tag, by git or by an endpoint: who may make it, and what follows it."""

from ingot.features.pushing import texts
from ingot.features.pushing.first_branch import repair
from ingot.features.pushing.rights import PushRights, load_rights
from ingot.features.pushing.texts import refusal

__all__ = ["PushRights", "load_rights", "refusal", "repair", "texts"]
