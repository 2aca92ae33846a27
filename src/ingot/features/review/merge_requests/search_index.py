"""The trigram index of titles and descriptions: words of three and more characters are found without a scan."""

from ingot.kit.schema import extra_ddl

_TABLE = """
CREATE VIRTUAL TABLE IF NOT EXISTS merge_request_search USING fts5(
    title, description, content='merge_requests', content_rowid='id', tokenize='trigram'
)
"""

_ADD = """
INSERT INTO merge_request_search(rowid, title, description) VALUES (new.id, new.title, new.description);
"""

# An external-content index deletes a row only when given its old texts.
_REMOVE = """
INSERT INTO merge_request_search(merge_request_search, rowid, title, description)
VALUES ('delete', old.id, old.title, old.description);
"""

# A server without the extension still searches, by scanning.
_INDEXES = """
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
        CREATE INDEX IF NOT EXISTS ix_merge_requests_title_trgm
            ON merge_requests USING gin (lower(title) gin_trgm_ops);
        CREATE INDEX IF NOT EXISTS ix_merge_requests_description_trgm
            ON merge_requests USING gin (lower(description) gin_trgm_ops);
    END IF;
END
$$
"""

extra_ddl(
    "merge_request_search",
    sqlite=[
        _TABLE,
        f"CREATE TRIGGER IF NOT EXISTS merge_request_search_added AFTER INSERT ON merge_requests BEGIN {_ADD} END",
        f"CREATE TRIGGER IF NOT EXISTS merge_request_search_removed AFTER DELETE ON merge_requests BEGIN {_REMOVE} END",
        f"""
        CREATE TRIGGER IF NOT EXISTS merge_request_search_changed AFTER UPDATE OF title, description ON merge_requests
        BEGIN {_REMOVE} {_ADD} END
        """,
    ],
    postgresql=[_INDEXES],
)
