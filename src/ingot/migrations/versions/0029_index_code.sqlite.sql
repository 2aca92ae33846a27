CREATE TABLE code_contents (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	sha VARCHAR(64) NOT NULL,
	size INTEGER NOT NULL,
	text BLOB,
	CONSTRAINT uq_code_contents_sha UNIQUE (sha)
)
--;
CREATE TABLE code_files (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	path TEXT NOT NULL,
	path_lower TEXT NOT NULL,
	content_id INTEGER NOT NULL,
	CONSTRAINT uq_code_files_project_id_path UNIQUE (project_id, path),
	CONSTRAINT fk_code_files_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_code_files_content_id FOREIGN KEY(content_id) REFERENCES code_contents (id)
)
--;
CREATE INDEX ix_code_files_content_id ON code_files (content_id)
--;
CREATE TABLE code_indexes (
	project_id INTEGER NOT NULL,
	head VARCHAR(64) NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_code_indexes PRIMARY KEY (project_id),
	CONSTRAINT fk_code_indexes_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE VIRTUAL TABLE IF NOT EXISTS code_content_trigrams USING fts5(words, content='', detail=none, tokenize='trigram case_sensitive 1')
--;
CREATE VIRTUAL TABLE IF NOT EXISTS code_path_trigrams USING fts5(words, content='', detail=none, tokenize='trigram case_sensitive 1')
--;
CREATE TRIGGER IF NOT EXISTS code_path_trigrams_removed AFTER DELETE ON code_files BEGIN
INSERT INTO code_path_trigrams(code_path_trigrams, rowid, words) VALUES ('delete', old.id, old.path_lower);
END
