"""The instance itself: its UUID, application settings and feature flags, readable by every package above."""

from ingot.instance.flags import FLAGS, is_on, is_on_for
from ingot.instance.identity import instance_uuid
from ingot.instance.settings import application_setting, application_settings

__all__ = ["FLAGS", "application_setting", "application_settings", "instance_uuid", "is_on", "is_on_for"]
