"""The trigram index of project texts: substrings of three and more characters are found without a scan.

Triggers keep it on SQLite, so that it follows whoever changes a project's texts or path.
"""

from ingot.kit.schema import extra_ddl

_TABLE = """
CREATE VIRTUAL TABLE IF NOT EXISTS project_search USING fts5(
    search_text, full_path_lower, content='projects', content_rowid='id', tokenize='trigram case_sensitive 1'
)
"""

_ADD = """
INSERT INTO project_search(rowid, search_text, full_path_lower)
VALUES (new.id, new.search_text, new.full_path_lower);
"""

# An external-content index forgets a row by being told its old texts.
_REMOVE = """
INSERT INTO project_search(project_search, rowid, search_text, full_path_lower)
VALUES ('delete', old.id, old.search_text, old.full_path_lower);
"""

extra_ddl(
    "project_search",
    sqlite=[
        _TABLE,
        f"CREATE TRIGGER IF NOT EXISTS project_search_added AFTER INSERT ON projects BEGIN {_ADD} END",
        f"CREATE TRIGGER IF NOT EXISTS project_search_removed AFTER DELETE ON projects BEGIN {_REMOVE} END",
        f"""
        CREATE TRIGGER IF NOT EXISTS project_search_changed AFTER UPDATE OF search_text, full_path_lower ON projects
        BEGIN {_REMOVE} {_ADD} END
        """,
    ],
    postgresql=[
        "CREATE EXTENSION IF NOT EXISTS pg_trgm",
        "CREATE INDEX IF NOT EXISTS ix_projects_search_text_trgm ON projects USING gin (search_text gin_trgm_ops)",
        "CREATE INDEX IF NOT EXISTS ix_projects_full_path_trgm ON projects USING gin (full_path_lower gin_trgm_ops)",
    ],
)
