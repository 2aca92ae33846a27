CREATE TABLE flag_user_lists (
	id BIGSERIAL NOT NULL,
	iid INTEGER NOT NULL,
	project_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	user_xids TEXT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_flag_user_lists PRIMARY KEY (id),
	CONSTRAINT uq_flag_user_lists_project_id_iid UNIQUE (project_id, iid),
	CONSTRAINT uq_flag_user_lists_project_id_name UNIQUE (project_id, name),
	CONSTRAINT fk_flag_user_lists_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE project_flags (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	name VARCHAR(63) COLLATE "C" NOT NULL,
	description TEXT,
	active BOOLEAN NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_flags PRIMARY KEY (id),
	CONSTRAINT uq_project_flags_project_id_name UNIQUE (project_id, name),
	CONSTRAINT fk_project_flags_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE flag_strategies (
	id BIGSERIAL NOT NULL,
	flag_id BIGINT NOT NULL,
	name VARCHAR(32) NOT NULL,
	parameters JSONB NOT NULL,
	user_list_id BIGINT,
	CONSTRAINT pk_flag_strategies PRIMARY KEY (id),
	CONSTRAINT fk_flag_strategies_flag_id FOREIGN KEY(flag_id) REFERENCES project_flags (id) ON DELETE CASCADE,
	CONSTRAINT fk_flag_strategies_user_list_id FOREIGN KEY(user_list_id) REFERENCES flag_user_lists (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_flag_strategies_flag_id ON flag_strategies (flag_id)
--;
CREATE INDEX ix_flag_strategies_user_list_id ON flag_strategies (user_list_id)
--;
CREATE TABLE flag_scopes (
	id BIGSERIAL NOT NULL,
	strategy_id BIGINT NOT NULL,
	environment_scope VARCHAR(255) NOT NULL,
	CONSTRAINT pk_flag_scopes PRIMARY KEY (id),
	CONSTRAINT uq_flag_scopes_strategy_id_environment_scope UNIQUE (strategy_id, environment_scope),
	CONSTRAINT fk_flag_scopes_strategy_id FOREIGN KEY(strategy_id) REFERENCES flag_strategies (id) ON DELETE CASCADE
)
