CREATE TABLE group_exports (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	blob_key VARCHAR(255),
	new_blob_key VARCHAR(255),
	file_name VARCHAR(255),
	size BIGINT DEFAULT '0' NOT NULL,
	error TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_group_exports_group_id_user_id UNIQUE (group_id, user_id),
	CONSTRAINT fk_group_exports_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_exports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_exports_updated_at ON group_exports (updated_at)
--;
CREATE INDEX ix_group_exports_user_id ON group_exports (user_id)
--;
CREATE TABLE group_imports (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	blob_key VARCHAR(255),
	ended BOOLEAN DEFAULT 0 NOT NULL,
	error TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_group_imports_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_imports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_imports_group_id ON group_imports (group_id)
--;
CREATE INDEX ix_group_imports_updated_at ON group_imports (updated_at)
--;
CREATE INDEX ix_group_imports_user_id ON group_imports (user_id)
--;
CREATE TABLE integrations (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	slug VARCHAR(64) NOT NULL,
	active BOOLEAN NOT NULL,
	events JSON NOT NULL,
	properties JSON NOT NULL,
	sealed_secrets TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_integrations_project_id_slug UNIQUE (project_id, slug),
	CONSTRAINT fk_integrations_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE integration_messages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	integration_id INTEGER NOT NULL,
	flag VARCHAR(64) NOT NULL,
	mark VARCHAR(64) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_integration_messages_integration_id FOREIGN KEY(integration_id) REFERENCES integrations (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_integration_messages_integration_id ON integration_messages (integration_id)
