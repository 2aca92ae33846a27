CREATE TABLE group_address_ranges (
	group_id INTEGER NOT NULL,
	ranges TEXT NOT NULL,
	CONSTRAINT pk_group_address_ranges PRIMARY KEY (group_id),
	CONSTRAINT fk_group_address_ranges_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
