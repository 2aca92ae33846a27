CREATE TABLE freeze_periods (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	freeze_start VARCHAR(255) NOT NULL,
	freeze_end VARCHAR(255) NOT NULL,
	cron_timezone VARCHAR(255) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_freeze_periods PRIMARY KEY (id),
	CONSTRAINT fk_freeze_periods_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_freeze_periods_project_id ON freeze_periods (project_id)
