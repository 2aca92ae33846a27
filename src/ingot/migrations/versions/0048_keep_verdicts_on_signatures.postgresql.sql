CREATE TABLE judged_signatures (
	project_id BIGINT NOT NULL,
	object_id VARCHAR(64) NOT NULL,
	gpg_key_id BIGINT,
	status VARCHAR(32) NOT NULL,
	primary_keyid VARCHAR(16) NOT NULL,
	user_name TEXT,
	user_email TEXT,
	CONSTRAINT pk_judged_signatures PRIMARY KEY (project_id, object_id),
	CONSTRAINT fk_judged_signatures_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_judged_signatures_gpg_key_id FOREIGN KEY(gpg_key_id) REFERENCES gpg_keys (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_judged_signatures_gpg_key_id ON judged_signatures (gpg_key_id)
