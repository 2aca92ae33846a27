CREATE TABLE flag_user_lists (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	iid INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	user_xids TEXT NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_flag_user_lists_project_id_iid UNIQUE (project_id, iid),
	CONSTRAINT uq_flag_user_lists_project_id_name UNIQUE (project_id, name),
	CONSTRAINT fk_flag_user_lists_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE project_flags (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	name VARCHAR(63) NOT NULL,
	description TEXT,
	active BOOLEAN NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_project_flags_project_id_name UNIQUE (project_id, name),
	CONSTRAINT fk_project_flags_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE flag_strategies (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	flag_id INTEGER NOT NULL,
	name VARCHAR(32) NOT NULL,
	parameters JSON NOT NULL,
	user_list_id INTEGER,
	CONSTRAINT fk_flag_strategies_flag_id FOREIGN KEY(flag_id) REFERENCES project_flags (id) ON DELETE CASCADE,
	CONSTRAINT fk_flag_strategies_user_list_id FOREIGN KEY(user_list_id) REFERENCES flag_user_lists (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_flag_strategies_flag_id ON flag_strategies (flag_id)
--;
CREATE INDEX ix_flag_strategies_user_list_id ON flag_strategies (user_list_id)
--;
CREATE TABLE flag_scopes (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	strategy_id INTEGER NOT NULL,
	environment_scope VARCHAR(255) NOT NULL,
	CONSTRAINT uq_flag_scopes_strategy_id_environment_scope UNIQUE (strategy_id, environment_scope),
	CONSTRAINT fk_flag_scopes_strategy_id FOREIGN KEY(strategy_id) REFERENCES flag_strategies (id) ON DELETE CASCADE
)
