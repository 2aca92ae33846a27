CREATE TABLE remote_mirrors (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	enabled BOOLEAN DEFAULT false NOT NULL,
	url TEXT NOT NULL,
	shown_url TEXT NOT NULL,
	sealed_login TEXT,
	auth_method VARCHAR(16) DEFAULT 'password' NOT NULL,
	sealed_key TEXT,
	public_key TEXT,
	host_keys JSON NOT NULL,
	only_protected_branches BOOLEAN DEFAULT false NOT NULL,
	keep_divergent_refs BOOLEAN DEFAULT false NOT NULL,
	mirror_branch_regex TEXT,
	update_status VARCHAR(16) DEFAULT 'none' NOT NULL,
	last_error TEXT,
	last_update_at TIMESTAMP WITH TIME ZONE,
	last_update_started_at TIMESTAMP WITH TIME ZONE,
	last_successful_update_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_remote_mirrors PRIMARY KEY (id),
	CONSTRAINT fk_remote_mirrors_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_remote_mirrors_project_id ON remote_mirrors (project_id)
