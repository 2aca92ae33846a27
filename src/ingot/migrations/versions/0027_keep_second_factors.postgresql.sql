CREATE TABLE recovery_codes (
	user_id BIGINT NOT NULL,
	digest VARCHAR(64) NOT NULL,
	CONSTRAINT pk_recovery_codes PRIMARY KEY (user_id, digest),
	CONSTRAINT fk_recovery_codes_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE second_factors (
	user_id BIGINT NOT NULL,
	secret TEXT NOT NULL,
	last_step BIGINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_second_factors PRIMARY KEY (user_id),
	CONSTRAINT fk_second_factors_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
