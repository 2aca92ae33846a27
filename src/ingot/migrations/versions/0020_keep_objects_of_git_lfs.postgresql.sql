CREATE TABLE lfs_objects (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	oid VARCHAR(64) NOT NULL,
	size BIGINT NOT NULL,
	blob_key VARCHAR(255) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_lfs_objects PRIMARY KEY (id),
	CONSTRAINT uq_lfs_objects_project_id_oid UNIQUE (project_id, oid),
	CONSTRAINT fk_lfs_objects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_lfs_objects_blob_key ON lfs_objects (blob_key)
