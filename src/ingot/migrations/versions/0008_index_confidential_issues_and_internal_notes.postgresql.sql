CREATE INDEX ix_notes_internal ON notes (noteable_type, noteable_id) WHERE internal
--;
CREATE INDEX ix_issues_confidential ON issues (project_id, state) WHERE confidential
