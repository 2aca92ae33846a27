CREATE TABLE lfs_locks (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	path VARCHAR(511) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_lfs_locks PRIMARY KEY (id),
	CONSTRAINT uq_lfs_locks_project_id_path UNIQUE (project_id, path),
	CONSTRAINT fk_lfs_locks_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_lfs_locks_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_lfs_locks_user_id ON lfs_locks (user_id)
