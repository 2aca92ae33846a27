DROP INDEX ix_notes_noteable
--;
ALTER TABLE environments ADD COLUMN auto_delete_at DATETIME
--;
CREATE INDEX ix_environments_auto_delete_at ON environments (auto_delete_at)
--;
CREATE TABLE invitations (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER,
	project_id INTEGER,
	email VARCHAR(255) NOT NULL,
	email_lower VARCHAR(255) NOT NULL,
	access_level SMALLINT NOT NULL,
	member_role_id INTEGER,
	notification_level SMALLINT DEFAULT '3' NOT NULL,
	expires_at DATE,
	created_by_id INTEGER,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT ck_invitations_one_source CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT uq_invitations_group_id_email_lower UNIQUE (group_id, email_lower),
	CONSTRAINT uq_invitations_project_id_email_lower UNIQUE (project_id, email_lower),
	CONSTRAINT fk_invitations_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_invitations_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_invitations_email_lower ON invitations (email_lower)
--;
ALTER TABLE notes ADD COLUMN starts_thread BOOLEAN DEFAULT '1' NOT NULL
--;
UPDATE notes SET starts_thread = false WHERE EXISTS (
	SELECT 1 FROM notes AS earlier
	WHERE earlier.noteable_type = notes.noteable_type AND earlier.noteable_id = notes.noteable_id
	AND earlier.discussion_id = notes.discussion_id AND earlier.id < notes.id
)
--;
CREATE INDEX ix_notes_noteable ON notes (noteable_type, noteable_id, created_at, id, system)
--;
CREATE INDEX ix_notes_threads ON notes (noteable_type, noteable_id, created_at, id) WHERE starts_thread
--;
CREATE INDEX ix_notes_unresolved ON notes (noteable_type, noteable_id, discussion_id) WHERE resolvable = 1 AND resolved_at IS NULL
--;
CREATE TABLE push_notes (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	user_id INTEGER,
	refs JSON NOT NULL,
	options JSON NOT NULL,
	merge_request_id INTEGER,
	attempts INTEGER NOT NULL,
	created_at DATETIME NOT NULL,
	taken_at DATETIME NOT NULL,
	CONSTRAINT fk_push_notes_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_push_notes_merge_request_id ON push_notes (merge_request_id)
--;
CREATE INDEX ix_push_notes_project_id ON push_notes (project_id)
--;
CREATE INDEX ix_push_notes_taken_at ON push_notes (taken_at)
--;
CREATE TABLE relation_exports (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	relation VARCHAR(64) NOT NULL,
	run VARCHAR(32) NOT NULL,
	status SMALLINT NOT NULL,
	error TEXT,
	batched BOOLEAN NOT NULL,
	batches_count INTEGER NOT NULL,
	total_objects_count INTEGER NOT NULL,
	blob_key VARCHAR(255),
	size BIGINT DEFAULT '0' NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_relation_exports_project_id_user_id_relation UNIQUE (project_id, user_id, relation),
	CONSTRAINT fk_relation_exports_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_relation_exports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_relation_exports_updated_at ON relation_exports (updated_at)
--;
CREATE TABLE resource_bots (
	user_id INTEGER NOT NULL,
	project_id INTEGER,
	group_id INTEGER,
	CONSTRAINT pk_resource_bots PRIMARY KEY (user_id),
	CONSTRAINT ck_resource_bots_one_source CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT fk_resource_bots_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_bots_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_bots_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_resource_bots_group_id ON resource_bots (group_id)
--;
CREATE INDEX ix_resource_bots_project_id ON resource_bots (project_id)
--;
CREATE TABLE uploads (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	secret VARCHAR(32) NOT NULL,
	filename VARCHAR(255) NOT NULL,
	size BIGINT NOT NULL,
	media_type VARCHAR(100) NOT NULL,
	blob_key VARCHAR(255) NOT NULL,
	uploaded_by_id INTEGER,
	created_at DATETIME NOT NULL,
	CONSTRAINT ck_uploads_one_owner CHECK ((project_id IS NULL) <> (group_id IS NULL)),
	CONSTRAINT fk_uploads_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_uploads_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_uploads_uploaded_by_id FOREIGN KEY(uploaded_by_id) REFERENCES users (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_uploads_group_id_newest ON uploads (group_id, created_at, id)
--;
CREATE INDEX ix_uploads_project_id_newest ON uploads (project_id, created_at, id)
--;
CREATE INDEX ix_uploads_uploaded_by_id ON uploads (uploaded_by_id)
--;
CREATE UNIQUE INDEX uq_uploads_group_id_secret ON uploads (group_id, secret, filename)
--;
CREATE UNIQUE INDEX uq_uploads_project_id_secret ON uploads (project_id, secret, filename)
--;
ALTER TABLE ci_jobs ADD COLUMN environment_url TEXT
--;
CREATE TABLE relation_export_batches (
	export_id INTEGER NOT NULL,
	batch_number INTEGER NOT NULL,
	status SMALLINT NOT NULL,
	objects_count INTEGER NOT NULL,
	error TEXT,
	blob_key VARCHAR(255),
	size BIGINT DEFAULT '0' NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_relation_export_batches PRIMARY KEY (export_id, batch_number),
	CONSTRAINT fk_relation_export_batches_export_id FOREIGN KEY(export_id) REFERENCES relation_exports (id) ON DELETE CASCADE
)
--;
ALTER TABLE job_traces ADD COLUMN crc32 BIGINT DEFAULT '0' NOT NULL
--;
ALTER TABLE job_traces ADD COLUMN short_since DATETIME
