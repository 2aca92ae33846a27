"""Effects of quick actions other than edits: time, to-do items, subscriptions and reactions."""

from ingot.features.planning.quick_effects.effects import apply_extras

__all__ = ["apply_extras"]
