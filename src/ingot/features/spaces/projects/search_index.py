"""The trigram index of project texts: substrings of three and more characters are found without a scan.

On SQLite triggers update it, so that it follows every change of a project's texts or path.
"""

from ingot.kit.schema import extra_ddl

_TABLE = """
CREATE VIRTUAL TABLE IF NOT EXISTS project_search USING fts5(
    search_text, full_path_lower, content='projects', content_rowid='id', tokenize='trigram case_sensitive 1'
)
"""

# Which trigrams there are, for terms that are shorter than one.
_TERMS = "CREATE VIRTUAL TABLE IF NOT EXISTS project_search_terms USING fts5vocab('project_search', 'row')"

_ADD = """
INSERT INTO project_search(rowid, search_text, full_path_lower)
VALUES (new.id, new.search_text, new.full_path_lower);
"""

# An external-content index deletes a row only when given its old texts.
_REMOVE = """
INSERT INTO project_search(project_search, rowid, search_text, full_path_lower)
VALUES ('delete', old.id, old.search_text, old.full_path_lower);
"""

# A server without the extension still searches, by scanning.
_INDEXES = """
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
        CREATE INDEX IF NOT EXISTS ix_projects_search_text_trgm ON projects USING gin (search_text gin_trgm_ops);
        CREATE INDEX IF NOT EXISTS ix_projects_full_path_trgm ON projects USING gin (full_path_lower gin_trgm_ops);
    END IF;
END
$$
"""

# Two letters are looked up with each letter of ASCII behind them; these few texts are looked through besides.
_BEYOND_ASCII = """
CREATE INDEX IF NOT EXISTS ix_projects_beyond_ascii ON projects (id)
    WHERE octet_length(search_text) > char_length(search_text)
"""

_TRIGRAMS = """
CREATE OR REPLACE FUNCTION ingot_trigrams(phrase text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(array_agg(DISTINCT substr('  ' || word || ' ', place, 3)), '{}')
    FROM regexp_split_to_table(lower(phrase), '[^[:alnum:]]+') AS word, generate_series(1, length(word) + 1) AS place
    WHERE word <> ''
$$
"""

# What pg_trgm calls similarity; SQLite gets its twin from queries/similarity.py.
_SIMILARITY = """
CREATE OR REPLACE FUNCTION ingot_similarity(one text, other text) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(count(*) FILTER (WHERE times = 2)::double precision / nullif(count(*), 0), 0)
    FROM (
        SELECT count(*) AS times
        FROM (SELECT unnest(ingot_trigrams(one)) AS part UNION ALL SELECT unnest(ingot_trigrams(other))) AS parts
        GROUP BY part
    ) AS counted
$$
"""

extra_ddl(
    "project_search",
    sqlite=[
        _TABLE,
        _TERMS,
        f"CREATE TRIGGER IF NOT EXISTS project_search_added AFTER INSERT ON projects BEGIN {_ADD} END",
        f"CREATE TRIGGER IF NOT EXISTS project_search_removed AFTER DELETE ON projects BEGIN {_REMOVE} END",
        f"""
        CREATE TRIGGER IF NOT EXISTS project_search_changed AFTER UPDATE OF search_text, full_path_lower ON projects
        BEGIN {_REMOVE} {_ADD} END
        """,
    ],
    postgresql=[_INDEXES, _BEYOND_ASCII, _TRIGRAMS, _SIMILARITY],
)
