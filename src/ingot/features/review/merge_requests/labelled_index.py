"""Whether a request has a label, kept on the request by the database itself: `labels=None` and `labels=Any` then read
one index, however many requests have none. Links also go with their label, so that no command sees all of it."""

from ingot.kit.schema import extra_ddl

_ADDED = "UPDATE merge_requests SET is_labelled = true WHERE id = new.merge_request_id AND NOT is_labelled;"
_REMOVED = """
UPDATE merge_requests
SET is_labelled = EXISTS (SELECT 1 FROM merge_request_labels WHERE merge_request_id = old.merge_request_id)
WHERE id = old.merge_request_id;
"""
_TRIGGERS = (("merge_request_labelled", "INSERT", _ADDED), ("merge_request_unlabelled", "DELETE", _REMOVED))
# PostgreSQL has several writers: each waits for the request's row, and looks at the links only afterwards.
_WAIT = "PERFORM 1 FROM merge_requests WHERE id = {row}.merge_request_id FOR NO KEY UPDATE;"


def _sqlite(name: str, event: str, change: str) -> str:
    return f"CREATE TRIGGER IF NOT EXISTS {name} AFTER {event} ON merge_request_labels BEGIN {change} END"


def _postgresql(name: str, event: str, change: str) -> list[str]:
    wait = _WAIT.format(row="new" if event == "INSERT" else "old")
    body = f"BEGIN {wait} {change} RETURN NULL; END"
    return [
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$",
        f"DROP TRIGGER IF EXISTS {name} ON merge_request_labels",
        f"CREATE TRIGGER {name} AFTER {event} ON merge_request_labels FOR EACH ROW EXECUTE FUNCTION {name}()",
    ]


extra_ddl(
    "merge_request_labelled",
    sqlite=[_sqlite(*trigger) for trigger in _TRIGGERS],
    postgresql=[statement for trigger in _TRIGGERS for statement in _postgresql(*trigger)],
)
