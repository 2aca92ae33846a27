"""The look of the instance: its title, pictures, messages and guidelines."""

from ingot.features.spaces.appearance.current import current_look

__all__ = ["current_look"]
