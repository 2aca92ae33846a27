"""Activity in projects: every room writes its events here, `review/events` shows them."""

from ingot.features.people.event_log.recording import COMMENTS, PushedRef, forget_targets, record_event, record_push
from ingot.features.people.event_log.tables import events

__all__ = ["COMMENTS", "PushedRef", "events", "forget_targets", "record_event", "record_push"]
