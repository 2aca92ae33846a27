CREATE TABLE draft_notes (
	id BIGSERIAL NOT NULL,
	merge_request_id BIGINT NOT NULL,
	author_id BIGINT NOT NULL,
	note TEXT NOT NULL,
	discussion_id VARCHAR(40),
	resolve_discussion BOOLEAN NOT NULL,
	commit_id VARCHAR(64),
	position JSONB,
	line_code VARCHAR(128),
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_draft_notes PRIMARY KEY (id),
	CONSTRAINT fk_draft_notes_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_draft_notes_author_id FOREIGN KEY(author_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_draft_notes_author_id ON draft_notes (author_id)
--;
CREATE INDEX ix_draft_notes_merge_request_author ON draft_notes (merge_request_id, author_id, id)
