CREATE TABLE appearances (
	id INTEGER NOT NULL,
	texts JSON NOT NULL,
	pwa_icon VARCHAR(255),
	logo VARCHAR(255),
	header_logo VARCHAR(255),
	favicon VARCHAR(255),
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_appearances PRIMARY KEY (id)
)
