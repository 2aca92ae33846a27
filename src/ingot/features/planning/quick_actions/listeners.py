"""Imports the modules that define the actions."""

from ingot.features.planning.quick_actions import beside, edits

REGISTERED = (beside, edits)
