CREATE INDEX ix_notes_commenters ON notes (noteable_type, noteable_id, author_id) WHERE NOT system
--;
CREATE INDEX ix_notes_naming ON notes (noteable_type, noteable_id, id) WHERE NOT system AND replace(body, '@', '') != body
