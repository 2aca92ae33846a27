CREATE TABLE service_accounts (
	user_id INTEGER NOT NULL,
	group_id INTEGER,
	CONSTRAINT pk_service_accounts PRIMARY KEY (user_id),
	CONSTRAINT fk_service_accounts_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_service_accounts_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_service_accounts_group_id ON service_accounts (group_id)
