CREATE INDEX ix_notes_commenters ON notes (noteable_type, noteable_id, author_id) WHERE system = 0
--;
CREATE INDEX ix_notes_naming ON notes (noteable_type, noteable_id, id) WHERE system = 0 AND replace(body, '@', '') != body
