CREATE TABLE releases (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	author_id BIGINT,
	tag VARCHAR(255) NOT NULL,
	name VARCHAR(255) NOT NULL,
	description TEXT,
	sha VARCHAR(64),
	released_at TIMESTAMP WITH TIME ZONE NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_releases PRIMARY KEY (id),
	CONSTRAINT uq_releases_project_id_tag UNIQUE (project_id, tag),
	CONSTRAINT fk_releases_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_releases_author_id ON releases (author_id)
--;
CREATE INDEX ix_releases_project_released_at ON releases (project_id, released_at, id)
--;
CREATE TABLE release_evidences (
	id BIGSERIAL NOT NULL,
	release_id BIGINT NOT NULL,
	sha VARCHAR(64) NOT NULL,
	summary TEXT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_release_evidences PRIMARY KEY (id),
	CONSTRAINT fk_release_evidences_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_release_evidences_release_id ON release_evidences (release_id)
--;
CREATE TABLE release_links (
	id BIGSERIAL NOT NULL,
	release_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	url TEXT NOT NULL,
	filepath VARCHAR(128),
	link_type VARCHAR(16) DEFAULT 'other' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_release_links PRIMARY KEY (id),
	CONSTRAINT uq_release_links_release_id_name UNIQUE (release_id, name),
	CONSTRAINT fk_release_links_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE
)
--;
CREATE TABLE release_milestones (
	release_id BIGINT NOT NULL,
	milestone_id BIGINT NOT NULL,
	CONSTRAINT pk_release_milestones PRIMARY KEY (release_id, milestone_id),
	CONSTRAINT fk_release_milestones_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE,
	CONSTRAINT fk_release_milestones_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_release_milestones_milestone_id ON release_milestones (milestone_id)
