CREATE TABLE broadcast_messages (
	id BIGSERIAL NOT NULL,
	message TEXT NOT NULL,
	starts_at TIMESTAMP WITH TIME ZONE NOT NULL,
	ends_at TIMESTAMP WITH TIME ZONE NOT NULL,
	color VARCHAR(16) NOT NULL,
	font VARCHAR(16) NOT NULL,
	target_access_levels JSONB NOT NULL,
	target_path VARCHAR(255),
	broadcast_type VARCHAR(16) NOT NULL,
	theme VARCHAR(16) NOT NULL,
	dismissable BOOLEAN NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_broadcast_messages PRIMARY KEY (id)
)
