CREATE TABLE signing_keys (
	kid VARCHAR(64) NOT NULL,
	private_key TEXT NOT NULL,
	public_key JSONB NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_signing_keys PRIMARY KEY (kid)
)
--;
CREATE INDEX ix_signing_keys_created_at ON signing_keys (created_at)
--;
CREATE TABLE oauth_applications (
	id BIGSERIAL NOT NULL,
	uid VARCHAR(64) NOT NULL,
	name VARCHAR(255) NOT NULL,
	secret_digest VARCHAR(64) NOT NULL,
	redirect_uri TEXT NOT NULL,
	scopes JSONB NOT NULL,
	confidential BOOLEAN NOT NULL,
	trusted BOOLEAN DEFAULT '0' NOT NULL,
	user_id BIGINT,
	group_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_oauth_applications PRIMARY KEY (id),
	CONSTRAINT uq_oauth_applications_uid UNIQUE (uid),
	CONSTRAINT fk_oauth_applications_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_oauth_applications_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_oauth_applications_group_id ON oauth_applications (group_id)
--;
CREATE INDEX ix_oauth_applications_user_id ON oauth_applications (user_id)
--;
CREATE TABLE oauth_access_tokens (
	id BIGSERIAL NOT NULL,
	application_id BIGINT,
	user_id BIGINT,
	digest VARCHAR(64) NOT NULL,
	refresh_digest VARCHAR(64),
	scopes JSONB NOT NULL,
	family VARCHAR(64) NOT NULL,
	previous_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	revoked_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_oauth_access_tokens PRIMARY KEY (id),
	CONSTRAINT fk_oauth_access_tokens_application_id FOREIGN KEY(application_id) REFERENCES oauth_applications (id) ON DELETE CASCADE,
	CONSTRAINT fk_oauth_access_tokens_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_oauth_access_tokens_digest UNIQUE (digest),
	CONSTRAINT uq_oauth_access_tokens_refresh_digest UNIQUE (refresh_digest)
)
--;
CREATE INDEX ix_oauth_access_tokens_application_id ON oauth_access_tokens (application_id)
--;
CREATE INDEX ix_oauth_access_tokens_expires_at ON oauth_access_tokens (expires_at)
--;
CREATE INDEX ix_oauth_access_tokens_family ON oauth_access_tokens (family)
--;
CREATE INDEX ix_oauth_access_tokens_previous_id ON oauth_access_tokens (previous_id)
--;
CREATE INDEX ix_oauth_access_tokens_user_id ON oauth_access_tokens (user_id)
--;
CREATE TABLE oauth_device_grants (
	id BIGSERIAL NOT NULL,
	application_id BIGINT NOT NULL,
	user_id BIGINT,
	digest VARCHAR(64) NOT NULL,
	user_code VARCHAR(16) NOT NULL,
	scopes JSONB NOT NULL,
	state VARCHAR(8) NOT NULL,
	interval INTEGER NOT NULL,
	polled_at TIMESTAMP WITH TIME ZONE,
	signed_in_at TIMESTAMP WITH TIME ZONE,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_oauth_device_grants PRIMARY KEY (id),
	CONSTRAINT fk_oauth_device_grants_application_id FOREIGN KEY(application_id) REFERENCES oauth_applications (id) ON DELETE CASCADE,
	CONSTRAINT fk_oauth_device_grants_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_oauth_device_grants_digest UNIQUE (digest),
	CONSTRAINT uq_oauth_device_grants_user_code UNIQUE (user_code)
)
--;
CREATE INDEX ix_oauth_device_grants_application_id ON oauth_device_grants (application_id)
--;
CREATE INDEX ix_oauth_device_grants_expires_at ON oauth_device_grants (expires_at)
--;
CREATE INDEX ix_oauth_device_grants_user_id ON oauth_device_grants (user_id)
--;
CREATE TABLE oauth_grants (
	id BIGSERIAL NOT NULL,
	application_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	digest VARCHAR(64) NOT NULL,
	redirect_uri TEXT NOT NULL,
	scopes JSONB NOT NULL,
	code_challenge VARCHAR(128),
	code_challenge_method VARCHAR(8),
	nonce TEXT,
	signed_in_at TIMESTAMP WITH TIME ZONE NOT NULL,
	family VARCHAR(64) NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	used_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_oauth_grants PRIMARY KEY (id),
	CONSTRAINT fk_oauth_grants_application_id FOREIGN KEY(application_id) REFERENCES oauth_applications (id) ON DELETE CASCADE,
	CONSTRAINT fk_oauth_grants_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_oauth_grants_digest UNIQUE (digest)
)
--;
CREATE INDEX ix_oauth_grants_application_id ON oauth_grants (application_id)
--;
CREATE INDEX ix_oauth_grants_expires_at ON oauth_grants (expires_at)
--;
CREATE INDEX ix_oauth_grants_user_id ON oauth_grants (user_id)
