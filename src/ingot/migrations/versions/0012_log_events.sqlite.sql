CREATE TABLE events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	author_id INTEGER NOT NULL,
	action VARCHAR(16) NOT NULL,
	target_type VARCHAR(32),
	target_id INTEGER,
	push_action VARCHAR(8),
	ref_type VARCHAR(8),
	ref TEXT,
	commit_from VARCHAR(64),
	commit_to VARCHAR(64),
	commit_title VARCHAR(70),
	commit_count INTEGER,
	ref_count INTEGER,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_events_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_events_author_id FOREIGN KEY(author_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_events_author_id_id ON events (author_id, id)
--;
CREATE INDEX ix_events_created_at ON events (created_at)
--;
CREATE INDEX ix_events_project_id_id ON events (project_id, id)
--;
CREATE INDEX ix_events_target ON events (target_type, target_id)
