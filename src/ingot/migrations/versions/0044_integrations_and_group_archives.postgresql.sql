CREATE TABLE group_exports (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	blob_key VARCHAR(255),
	new_blob_key VARCHAR(255),
	file_name VARCHAR(255),
	size BIGINT DEFAULT '0' NOT NULL,
	error TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_exports PRIMARY KEY (id),
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
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	blob_key VARCHAR(255),
	ended BOOLEAN DEFAULT false NOT NULL,
	error TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_imports PRIMARY KEY (id),
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
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	slug VARCHAR(64) NOT NULL,
	active BOOLEAN NOT NULL,
	events JSON NOT NULL,
	properties JSON NOT NULL,
	sealed_secrets TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_integrations PRIMARY KEY (id),
	CONSTRAINT uq_integrations_project_id_slug UNIQUE (project_id, slug),
	CONSTRAINT fk_integrations_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE integration_messages (
	id BIGSERIAL NOT NULL,
	integration_id BIGINT NOT NULL,
	flag VARCHAR(64) NOT NULL,
	mark VARCHAR(64) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_integration_messages PRIMARY KEY (id),
	CONSTRAINT fk_integration_messages_integration_id FOREIGN KEY(integration_id) REFERENCES integrations (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_integration_messages_integration_id ON integration_messages (integration_id)
