CREATE TABLE deploy_keys (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER,
	title VARCHAR(255) NOT NULL,
	"key" TEXT NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	is_public BOOLEAN DEFAULT '0' NOT NULL,
	expires_at DATETIME,
	last_used_at DATETIME,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_deploy_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL,
	CONSTRAINT uq_deploy_keys_fingerprint UNIQUE (fingerprint)
)
--;
CREATE INDEX ix_deploy_keys_user_id ON deploy_keys (user_id)
--;
CREATE TABLE deploy_key_projects (
	id INTEGER NOT NULL,
	deploy_key_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	can_push BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_deploy_key_projects PRIMARY KEY (id),
	CONSTRAINT uq_deploy_key_projects_deploy_key_id_project_id UNIQUE (deploy_key_id, project_id),
	CONSTRAINT fk_deploy_key_projects_deploy_key_id FOREIGN KEY(deploy_key_id) REFERENCES deploy_keys (id) ON DELETE CASCADE,
	CONSTRAINT fk_deploy_key_projects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_deploy_key_projects_project_id ON deploy_key_projects (project_id)
--;
CREATE TABLE deploy_tokens (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	creator_id INTEGER,
	name VARCHAR(255) NOT NULL,
	username VARCHAR(255),
	digest VARCHAR(64) NOT NULL,
	sealed_token TEXT NOT NULL,
	scopes JSON NOT NULL,
	expires_at DATETIME,
	revoked BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
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
