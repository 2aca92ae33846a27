CREATE TABLE releases (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	author_id INTEGER,
	tag VARCHAR(255) NOT NULL,
	name VARCHAR(255) NOT NULL,
	description TEXT,
	sha VARCHAR(64),
	released_at DATETIME NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_releases_project_id_tag UNIQUE (project_id, tag),
	CONSTRAINT fk_releases_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_releases_author_id ON releases (author_id)
--;
CREATE INDEX ix_releases_project_released_at ON releases (project_id, released_at, id)
--;
CREATE TABLE release_evidences (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	release_id INTEGER NOT NULL,
	sha VARCHAR(64) NOT NULL,
	summary TEXT NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_release_evidences_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_release_evidences_release_id ON release_evidences (release_id)
--;
CREATE TABLE release_links (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	release_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	url TEXT NOT NULL,
	filepath VARCHAR(128),
	link_type VARCHAR(16) DEFAULT 'other' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_release_links_release_id_name UNIQUE (release_id, name),
	CONSTRAINT fk_release_links_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE
)
--;
CREATE TABLE release_milestones (
	release_id INTEGER NOT NULL,
	milestone_id INTEGER NOT NULL,
	CONSTRAINT pk_release_milestones PRIMARY KEY (release_id, milestone_id),
	CONSTRAINT fk_release_milestones_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE,
	CONSTRAINT fk_release_milestones_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_release_milestones_milestone_id ON release_milestones (milestone_id)
