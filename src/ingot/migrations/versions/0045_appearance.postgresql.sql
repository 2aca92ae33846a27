CREATE TABLE appearances (
	id BIGINT NOT NULL,
	texts JSONB NOT NULL,
	pwa_icon VARCHAR(255),
	logo VARCHAR(255),
	header_logo VARCHAR(255),
	favicon VARCHAR(255),
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_appearances PRIMARY KEY (id)
)
