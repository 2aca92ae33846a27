"""The modules that say what each action means."""

from ingot.features.planning.quick_actions import beside, edits

REGISTERED = (beside, edits)
