CREATE TABLE group_integrations (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	slug VARCHAR(64) NOT NULL,
	active BOOLEAN NOT NULL,
	events JSON NOT NULL,
	properties JSON NOT NULL,
	sealed_secrets TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_integrations PRIMARY KEY (id),
	CONSTRAINT uq_group_integrations_group_id_slug UNIQUE (group_id, slug),
	CONSTRAINT fk_group_integrations_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE group_integration_messages (
	id BIGSERIAL NOT NULL,
	integration_id BIGINT NOT NULL,
	project_id BIGINT NOT NULL,
	flag VARCHAR(64) NOT NULL,
	mark VARCHAR(64) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_integration_messages PRIMARY KEY (id),
	CONSTRAINT fk_group_integration_messages_integration_id FOREIGN KEY(integration_id) REFERENCES group_integrations (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_integration_messages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_integration_messages_integration_id ON group_integration_messages (integration_id)
--;
CREATE INDEX ix_group_integration_messages_project_id ON group_integration_messages (project_id)
