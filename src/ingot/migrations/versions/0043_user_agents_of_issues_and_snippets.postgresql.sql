CREATE TABLE user_agent_details (
	id BIGSERIAL NOT NULL,
	issue_id BIGINT,
	snippet_id BIGINT,
	user_id BIGINT NOT NULL,
	user_agent VARCHAR(255) NOT NULL,
	ip_address VARCHAR(64) NOT NULL,
	CONSTRAINT pk_user_agent_details PRIMARY KEY (id),
	CONSTRAINT ck_user_agent_details_one_subject CHECK ((issue_id IS NULL) <> (snippet_id IS NULL)),
	CONSTRAINT uq_user_agent_details_issue_id UNIQUE (issue_id),
	CONSTRAINT fk_user_agent_details_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT uq_user_agent_details_snippet_id UNIQUE (snippet_id),
	CONSTRAINT fk_user_agent_details_snippet_id FOREIGN KEY(snippet_id) REFERENCES snippets (id) ON DELETE CASCADE,
	CONSTRAINT fk_user_agent_details_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_user_agent_details_user_id ON user_agent_details (user_id)
