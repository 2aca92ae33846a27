CREATE TABLE group_integrations (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	slug VARCHAR(64) NOT NULL,
	active BOOLEAN NOT NULL,
	events JSON NOT NULL,
	properties JSON NOT NULL,
	sealed_secrets TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_group_integrations_group_id_slug UNIQUE (group_id, slug),
	CONSTRAINT fk_group_integrations_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE group_integration_messages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	integration_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	flag VARCHAR(64) NOT NULL,
	mark VARCHAR(64) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_group_integration_messages_integration_id FOREIGN KEY(integration_id) REFERENCES group_integrations (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_integration_messages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_integration_messages_integration_id ON group_integration_messages (integration_id)
--;
CREATE INDEX ix_group_integration_messages_project_id ON group_integration_messages (project_id)
