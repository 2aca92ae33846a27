CREATE TABLE notification_settings (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	project_id INTEGER,
	group_id INTEGER,
	level SMALLINT NOT NULL,
	events JSON NOT NULL,
	notification_email VARCHAR(255),
	notified_of_own_activity BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
