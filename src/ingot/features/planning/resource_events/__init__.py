"""The history of an issuable's labels, milestone and weight.

`event_routes` are the endpoints of one kind; `find_resource` finds the issuable of a path as these endpoints do.
"""

from ingot.features.planning.resource_events.endpoints import event_routes, find_resource
from ingot.features.planning.resource_events.tables import resource_label_events, resource_milestone_events

__all__ = ["event_routes", "find_resource", "resource_label_events", "resource_milestone_events"]
