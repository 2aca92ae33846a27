CREATE TABLE deploy_keys (
	id BIGSERIAL NOT NULL,
	user_id BIGINT,
	title VARCHAR(255) NOT NULL,
	key TEXT NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	is_public BOOLEAN DEFAULT '0' NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE,
	last_used_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_deploy_keys PRIMARY KEY (id),
	CONSTRAINT fk_deploy_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL,
	CONSTRAINT uq_deploy_keys_fingerprint UNIQUE (fingerprint)
)
--;
CREATE INDEX ix_deploy_keys_user_id ON deploy_keys (user_id)
--;
CREATE TABLE deploy_key_projects (
	id BIGSERIAL NOT NULL,
	deploy_key_id BIGINT NOT NULL,
	project_id BIGINT NOT NULL,
	can_push BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_deploy_key_projects PRIMARY KEY (id),
	CONSTRAINT uq_deploy_key_projects_deploy_key_id_project_id UNIQUE (deploy_key_id, project_id),
	CONSTRAINT fk_deploy_key_projects_deploy_key_id FOREIGN KEY(deploy_key_id) REFERENCES deploy_keys (id) ON DELETE CASCADE,
	CONSTRAINT fk_deploy_key_projects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_deploy_key_projects_project_id ON deploy_key_projects (project_id)
--;
CREATE TABLE deploy_tokens (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	creator_id BIGINT,
	name VARCHAR(255) NOT NULL,
	username VARCHAR(255),
	digest VARCHAR(64) NOT NULL,
	sealed_token TEXT NOT NULL,
	scopes JSONB NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE,
	revoked BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_deploy_tokens PRIMARY KEY (id),
	CONSTRAINT fk_deploy_tokens_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_deploy_tokens_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_deploy_tokens_creator_id FOREIGN KEY(creator_id) REFERENCES users (id) ON DELETE SET NULL,
	CONSTRAINT uq_deploy_tokens_digest UNIQUE (digest)
)
--;
CREATE INDEX ix_deploy_tokens_creator_id ON deploy_tokens (creator_id)
--;
CREATE INDEX ix_deploy_tokens_group_id ON deploy_tokens (group_id)
--;
CREATE INDEX ix_deploy_tokens_project_id ON deploy_tokens (project_id)
