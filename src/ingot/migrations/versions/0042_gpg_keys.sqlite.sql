CREATE TABLE gpg_keys (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	"key" TEXT NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	primary_keyid VARCHAR(16) NOT NULL,
	users JSON NOT NULL,
	created_at DATETIME NOT NULL,
	revoked_at DATETIME,
	CONSTRAINT fk_gpg_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_gpg_keys_fingerprint UNIQUE (fingerprint)
)
--;
CREATE INDEX ix_gpg_keys_primary_keyid ON gpg_keys (primary_keyid)
--;
CREATE INDEX ix_gpg_keys_user_id ON gpg_keys (user_id)
--;
CREATE TABLE gpg_key_subkeys (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	gpg_key_id INTEGER NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	keyid VARCHAR(16) NOT NULL,
	CONSTRAINT fk_gpg_key_subkeys_gpg_key_id FOREIGN KEY(gpg_key_id) REFERENCES gpg_keys (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_gpg_key_subkeys_gpg_key_id ON gpg_key_subkeys (gpg_key_id)
--;
CREATE INDEX ix_gpg_key_subkeys_keyid ON gpg_key_subkeys (keyid)
