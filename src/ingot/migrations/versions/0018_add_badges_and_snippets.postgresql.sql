CREATE TABLE group_badges (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	name VARCHAR(255),
	link_url TEXT NOT NULL,
	image_url TEXT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_badges PRIMARY KEY (id),
	CONSTRAINT fk_group_badges_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_badges_group_id ON group_badges (group_id)
--;
CREATE TABLE project_badges (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	name VARCHAR(255),
	link_url TEXT NOT NULL,
	image_url TEXT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_badges PRIMARY KEY (id),
	CONSTRAINT fk_project_badges_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_badges_project_id ON project_badges (project_id)
--;
CREATE TABLE snippets (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	author_id BIGINT NOT NULL,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	visibility SMALLINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_snippets PRIMARY KEY (id),
	CONSTRAINT fk_snippets_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_snippets_author_id ON snippets (author_id)
--;
CREATE INDEX ix_snippets_project_id ON snippets (project_id)
--;
CREATE TABLE snippet_files (
	snippet_id BIGINT NOT NULL,
	path VARCHAR(255) NOT NULL,
	position INTEGER NOT NULL,
	content TEXT NOT NULL,
	CONSTRAINT pk_snippet_files PRIMARY KEY (snippet_id, path),
	CONSTRAINT fk_snippet_files_snippet_id FOREIGN KEY(snippet_id) REFERENCES snippets (id) ON DELETE CASCADE
)
