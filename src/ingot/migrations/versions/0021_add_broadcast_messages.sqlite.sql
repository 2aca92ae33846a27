CREATE TABLE broadcast_messages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	message TEXT NOT NULL,
	starts_at DATETIME NOT NULL,
	ends_at DATETIME NOT NULL,
	color VARCHAR(16) NOT NULL,
	font VARCHAR(16) NOT NULL,
	target_access_levels JSON NOT NULL,
	target_path VARCHAR(255),
	broadcast_type VARCHAR(16) NOT NULL,
	theme VARCHAR(16) NOT NULL,
	dismissable BOOLEAN NOT NULL,
	updated_at DATETIME NOT NULL
)
