CREATE TABLE web_hooks (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	kind VARCHAR(8) NOT NULL,
	project_id INTEGER,
	group_id INTEGER,
	url TEXT NOT NULL,
	name VARCHAR(255),
	description TEXT,
	sealed_token TEXT,
	sealed_signing_token TEXT,
	enable_ssl_verification BOOLEAN DEFAULT '1' NOT NULL,
	push_events BOOLEAN NOT NULL,
	tag_push_events BOOLEAN NOT NULL,
	merge_requests_events BOOLEAN NOT NULL,
	repository_update_events BOOLEAN NOT NULL,
	issues_events BOOLEAN NOT NULL,
	confidential_issues_events BOOLEAN NOT NULL,
	note_events BOOLEAN NOT NULL,
	confidential_note_events BOOLEAN,
	job_events BOOLEAN NOT NULL,
	pipeline_events BOOLEAN NOT NULL,
	wiki_page_events BOOLEAN NOT NULL,
	deployment_events BOOLEAN NOT NULL,
	releases_events BOOLEAN NOT NULL,
	feature_flag_events BOOLEAN NOT NULL,
	emoji_events BOOLEAN NOT NULL,
	resource_access_token_events BOOLEAN NOT NULL,
	vulnerability_events BOOLEAN NOT NULL,
	milestone_events BOOLEAN NOT NULL,
	resource_deploy_token_events BOOLEAN NOT NULL,
	member_events BOOLEAN NOT NULL,
	subgroup_events BOOLEAN NOT NULL,
	project_events BOOLEAN NOT NULL,
	push_events_branch_filter TEXT,
	branch_filter_strategy VARCHAR(16) DEFAULT 'wildcard' NOT NULL,
	url_variables JSON NOT NULL,
	custom_headers JSON NOT NULL,
	custom_webhook_template TEXT,
	recent_failures INTEGER DEFAULT '0' NOT NULL,
	disabled_until DATETIME,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_web_hooks_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_web_hooks_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_web_hooks_group_id ON web_hooks (group_id)
--;
CREATE INDEX ix_web_hooks_project_id ON web_hooks (project_id)
--;
CREATE INDEX ix_web_hooks_system ON web_hooks (id) WHERE kind = 'system'
--;
CREATE TABLE web_hook_logs (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	hook_id INTEGER NOT NULL,
	flag VARCHAR(40),
	url TEXT NOT NULL,
	url_digest VARCHAR(64) NOT NULL,
	event_uuid VARCHAR(36) NOT NULL,
	idempotency_key VARCHAR(36) NOT NULL,
	request_headers JSON NOT NULL,
	request_data TEXT NOT NULL,
	response_headers JSON NOT NULL,
	response_body TEXT NOT NULL,
	response_status VARCHAR(16) NOT NULL,
	execution_duration FLOAT NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_web_hook_logs_hook_id FOREIGN KEY(hook_id) REFERENCES web_hooks (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_web_hook_logs_created_at ON web_hook_logs (created_at)
--;
CREATE INDEX ix_web_hook_logs_hook_id_id ON web_hook_logs (hook_id, id)
--;
CREATE TABLE web_hook_messages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	hook_id INTEGER NOT NULL,
	flag VARCHAR(40),
	subject VARCHAR(255) NOT NULL,
	event_uuid VARCHAR(36) NOT NULL,
	idempotency_key VARCHAR(36) NOT NULL,
	mark VARCHAR(40) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_web_hook_messages_hook_id FOREIGN KEY(hook_id) REFERENCES web_hooks (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_web_hook_messages_hook_id_id ON web_hook_messages (hook_id, id)
