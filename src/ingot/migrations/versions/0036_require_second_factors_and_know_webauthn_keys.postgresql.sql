ALTER TABLE users ADD COLUMN otp_grace_period_started_at TIMESTAMP WITH TIME ZONE
--;
CREATE INDEX ix_namespaces_two_factors ON namespaces (id) WHERE settings ->> 'require_two_factor_authentication' IS NOT NULL
--;
CREATE TABLE webauthn_registrations (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	credential_id VARCHAR(1400) NOT NULL,
	public_key TEXT NOT NULL,
	counter BIGINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_webauthn_registrations PRIMARY KEY (id),
	CONSTRAINT fk_webauthn_registrations_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_webauthn_registrations_credential_id UNIQUE (credential_id)
)
--;
CREATE INDEX ix_webauthn_registrations_user_id ON webauthn_registrations (user_id)
