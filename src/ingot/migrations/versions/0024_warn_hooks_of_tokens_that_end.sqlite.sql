CREATE INDEX ix_web_hook_logs_event_uuid ON web_hook_logs (event_uuid)
--;
CREATE INDEX ix_web_hook_messages_event_uuid ON web_hook_messages (event_uuid)
--;
CREATE TABLE web_hook_token_warnings (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	access_token_id INTEGER,
	deploy_token_id INTEGER,
	days SMALLINT NOT NULL,
	CONSTRAINT ck_web_hook_token_warnings_one_token CHECK ((access_token_id IS NULL) <> (deploy_token_id IS NULL)),
	CONSTRAINT fk_web_hook_token_warnings_access_token_id FOREIGN KEY(access_token_id) REFERENCES personal_access_tokens (id) ON DELETE CASCADE,
	CONSTRAINT fk_web_hook_token_warnings_deploy_token_id FOREIGN KEY(deploy_token_id) REFERENCES deploy_tokens (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_web_hook_token_warnings_access_token_id ON web_hook_token_warnings (access_token_id)
--;
CREATE INDEX ix_web_hook_token_warnings_deploy_token_id ON web_hook_token_warnings (deploy_token_id)
