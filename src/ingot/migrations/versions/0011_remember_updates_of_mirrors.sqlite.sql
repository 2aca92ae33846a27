CREATE TABLE project_mirror_updates (
	project_id INTEGER NOT NULL,
	started_at DATETIME NOT NULL,
	ended_at DATETIME,
	succeeded_at DATETIME,
	CONSTRAINT pk_project_mirror_updates PRIMARY KEY (project_id),
	CONSTRAINT fk_project_mirror_updates_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
