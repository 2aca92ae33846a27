"""Notification settings: which mails people want, in general and about single projects and groups."""

from ingot.features.spaces.notification_settings.levels import EVENTS, Level
from ingot.features.spaces.notification_settings.queries import Preferences, load_preferences, people_who_want

__all__ = ["EVENTS", "Level", "Preferences", "load_preferences", "people_who_want"]
