CREATE TABLE project_mirror_updates (
	project_id BIGINT NOT NULL,
	started_at TIMESTAMP WITH TIME ZONE NOT NULL,
	ended_at TIMESTAMP WITH TIME ZONE,
	succeeded_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_project_mirror_updates PRIMARY KEY (project_id),
	CONSTRAINT fk_project_mirror_updates_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
