CREATE TABLE scim_identities (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	extern_uid VARCHAR(255) NOT NULL,
	extern_uid_lower VARCHAR(255) NOT NULL,
	active BOOLEAN NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_scim_identities_group_id_extern_uid_lower UNIQUE (group_id, extern_uid_lower),
	CONSTRAINT uq_scim_identities_group_id_user_id UNIQUE (group_id, user_id),
	CONSTRAINT fk_scim_identities_group_id FOREIGN KEY(group_id) REFERENCES saml_providers (group_id) ON DELETE CASCADE,
	CONSTRAINT fk_scim_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_scim_identities_user_id ON scim_identities (user_id)
--;
CREATE TABLE scim_tokens (
	group_id INTEGER NOT NULL,
	digest VARCHAR(64) NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_scim_tokens PRIMARY KEY (group_id),
	CONSTRAINT fk_scim_tokens_group_id FOREIGN KEY(group_id) REFERENCES saml_providers (group_id) ON DELETE CASCADE,
	CONSTRAINT uq_scim_tokens_digest UNIQUE (digest)
)
