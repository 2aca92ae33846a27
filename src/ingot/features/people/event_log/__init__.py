"""What people did in projects: every room writes its events here, `review/events` shows them."""

from ingot.features.people.event_log.recording import PushedRef, forget_target, record_event, record_push
from ingot.features.people.event_log.tables import events

__all__ = ["PushedRef", "events", "forget_target", "record_event", "record_push"]
