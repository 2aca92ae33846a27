CREATE TABLE lfs_objects (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	oid VARCHAR(64) NOT NULL,
	size BIGINT NOT NULL,
	blob_key VARCHAR(255) NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT uq_lfs_objects_project_id_oid UNIQUE (project_id, oid),
	CONSTRAINT fk_lfs_objects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_lfs_objects_blob_key ON lfs_objects (blob_key)
