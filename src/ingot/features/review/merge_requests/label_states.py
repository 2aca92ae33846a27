"""The state of a request, repeated by the database itself on the links to its labels: open requests with a label are
then counted in one index. Without it, counting looks up the labels of each open request."""

from ingot.kit.schema import extra_ddl

_LINKED = """
UPDATE merge_request_labels
SET state = (SELECT state FROM merge_requests WHERE id = new.merge_request_id)
WHERE merge_request_id = new.merge_request_id AND label_id = new.label_id;
"""
_MOVED = "UPDATE merge_request_labels SET state = new.state WHERE merge_request_id = new.id;"
_TRIGGERS = (
    ("merge_request_label_linked", "INSERT ON merge_request_labels", _LINKED),
    ("merge_request_state_moved", "UPDATE OF state ON merge_requests", _MOVED),
)
# PostgreSQL has several writers: a new link waits for whoever is changing the state, and reads it only afterwards.
_WAIT = "PERFORM 1 FROM merge_requests WHERE id = new.merge_request_id FOR NO KEY UPDATE;"


def _sqlite(name: str, event: str, change: str) -> str:
    return f"CREATE TRIGGER IF NOT EXISTS {name} AFTER {event} BEGIN {change} END"


def _postgresql(name: str, event: str, change: str) -> list[str]:
    table = event.rpartition(" ")[2]
    body = f"BEGIN {_WAIT if change is _LINKED else ''} {change} RETURN NULL; END"
    return [
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$",
        f"DROP TRIGGER IF EXISTS {name} ON {table}",
        f"CREATE TRIGGER {name} AFTER {event} FOR EACH ROW EXECUTE FUNCTION {name}()",
    ]


extra_ddl(
    "merge_request_label_states",
    sqlite=[_sqlite(*trigger) for trigger in _TRIGGERS],
    postgresql=[statement for trigger in _TRIGGERS for statement in _postgresql(*trigger)],
)
