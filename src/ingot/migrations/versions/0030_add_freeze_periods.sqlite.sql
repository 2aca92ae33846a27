CREATE TABLE freeze_periods (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	freeze_start VARCHAR(255) NOT NULL,
	freeze_end VARCHAR(255) NOT NULL,
	cron_timezone VARCHAR(255) NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_freeze_periods_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_freeze_periods_project_id ON freeze_periods (project_id)
