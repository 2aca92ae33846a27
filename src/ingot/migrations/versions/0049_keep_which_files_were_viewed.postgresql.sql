CREATE TABLE viewed_files (
	merge_request_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	path_sha VARCHAR(40) NOT NULL,
	blob_id VARCHAR(64) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_viewed_files PRIMARY KEY (merge_request_id, user_id, path_sha),
	CONSTRAINT fk_viewed_files_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_viewed_files_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_viewed_files_user_id ON viewed_files (user_id)
