CREATE TABLE notification_settings (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	level SMALLINT NOT NULL,
	events JSONB NOT NULL,
	notification_email VARCHAR(255),
	notified_of_own_activity BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_notification_settings PRIMARY KEY (id),
	CONSTRAINT ck_notification_settings_one_place CHECK (project_id IS NULL OR group_id IS NULL),
	CONSTRAINT fk_notification_settings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_notification_settings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_notification_settings_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_notification_settings_user_id ON notification_settings (user_id)
--;
CREATE UNIQUE INDEX ux_notification_settings_general ON notification_settings (user_id) WHERE project_id IS NULL AND group_id IS NULL
--;
CREATE UNIQUE INDEX ux_notification_settings_group ON notification_settings (group_id, user_id)
--;
CREATE UNIQUE INDEX ux_notification_settings_project ON notification_settings (project_id, user_id)
