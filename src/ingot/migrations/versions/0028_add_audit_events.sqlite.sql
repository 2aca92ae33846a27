CREATE TABLE audit_events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	author_id BIGINT NOT NULL,
	entity_type VARCHAR(40) NOT NULL,
	entity_id BIGINT NOT NULL,
	event_name VARCHAR(120) NOT NULL,
	details JSON NOT NULL,
	created_at DATETIME NOT NULL
)
--;
CREATE INDEX ix_audit_events_author_id ON audit_events (author_id, id)
--;
CREATE INDEX ix_audit_events_created_at ON audit_events (created_at, id)
--;
CREATE INDEX ix_audit_events_entity ON audit_events (entity_type, entity_id, id)
