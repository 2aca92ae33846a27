CREATE TABLE code_contents (
	id BIGSERIAL NOT NULL,
	sha VARCHAR(64) NOT NULL,
	size INTEGER NOT NULL,
	text BYTEA,
	CONSTRAINT pk_code_contents PRIMARY KEY (id),
	CONSTRAINT uq_code_contents_sha UNIQUE (sha)
)
--;
CREATE TABLE code_files (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	path TEXT NOT NULL,
	path_lower TEXT NOT NULL,
	content_id BIGINT NOT NULL,
	CONSTRAINT pk_code_files PRIMARY KEY (id),
	CONSTRAINT uq_code_files_project_id_path UNIQUE (project_id, path),
	CONSTRAINT fk_code_files_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_code_files_content_id FOREIGN KEY(content_id) REFERENCES code_contents (id)
)
--;
CREATE INDEX ix_code_files_content_id ON code_files (content_id)
--;
CREATE TABLE code_indexes (
	project_id BIGINT NOT NULL,
	head VARCHAR(64) NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_code_indexes PRIMARY KEY (project_id),
	CONSTRAINT fk_code_indexes_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE IF NOT EXISTS code_content_trigrams (id BIGINT PRIMARY KEY REFERENCES code_contents(id) ON DELETE CASCADE, trigrams INTEGER[] NOT NULL)
--;
CREATE INDEX IF NOT EXISTS ix_code_content_trigrams ON code_content_trigrams USING gin (trigrams)
--;
CREATE TABLE IF NOT EXISTS code_path_trigrams (id BIGINT PRIMARY KEY REFERENCES code_files(id) ON DELETE CASCADE, trigrams INTEGER[] NOT NULL)
--;
CREATE INDEX IF NOT EXISTS ix_code_path_trigrams ON code_path_trigrams USING gin (trigrams)
