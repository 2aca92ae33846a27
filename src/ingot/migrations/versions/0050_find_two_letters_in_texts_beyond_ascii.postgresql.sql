-- locks: a look at the length of each project's text takes a second for a million, and few of them are indexed
CREATE INDEX IF NOT EXISTS ix_projects_beyond_ascii ON projects (id)
    WHERE octet_length(search_text) > char_length(search_text)
