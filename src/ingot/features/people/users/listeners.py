"""What users react to."""

from ingot.features.people.users import notices

__all__ = ["notices"]
