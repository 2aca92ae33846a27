CREATE TABLE wiki_pages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	slug TEXT NOT NULL,
	title TEXT NOT NULL,
	format VARCHAR(16) NOT NULL,
	CONSTRAINT uq_wiki_pages_project_id_slug UNIQUE (project_id, slug),
	CONSTRAINT uq_wiki_pages_group_id_slug UNIQUE (group_id, slug),
	CONSTRAINT ck_wiki_pages_one_owner CHECK ((project_id IS NULL) <> (group_id IS NULL)),
	CONSTRAINT fk_wiki_pages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_wiki_pages_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE wikis (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	head VARCHAR(64),
	writing_since DATETIME,
	writer_id INTEGER,
	CONSTRAINT uq_wikis_project_id UNIQUE (project_id),
	CONSTRAINT uq_wikis_group_id UNIQUE (group_id),
	CONSTRAINT ck_wikis_one_owner CHECK ((project_id IS NULL) <> (group_id IS NULL)),
	CONSTRAINT fk_wikis_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_wikis_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_wikis_writer_id FOREIGN KEY(writer_id) REFERENCES users (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_wikis_writer_id ON wikis (writer_id)
--;
CREATE INDEX ix_wikis_writing_since ON wikis (writing_since)
