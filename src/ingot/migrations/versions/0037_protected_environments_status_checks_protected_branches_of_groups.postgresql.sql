CREATE TABLE group_protected_branches (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	allow_force_push BOOLEAN DEFAULT '0' NOT NULL,
	code_owner_approval_required BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_protected_branches PRIMARY KEY (id),
	CONSTRAINT uq_group_protected_branches_group_id_name UNIQUE (group_id, name),
	CONSTRAINT fk_group_protected_branches_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE external_status_checks (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	external_url VARCHAR(255) NOT NULL,
	sealed_secret TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_external_status_checks PRIMARY KEY (id),
	CONSTRAINT uq_external_status_checks_project_id_name UNIQUE (project_id, name),
	CONSTRAINT uq_external_status_checks_project_id_external_url UNIQUE (project_id, external_url),
	CONSTRAINT fk_external_status_checks_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE group_protected_branch_access_levels (
	id BIGSERIAL NOT NULL,
	protected_branch_id BIGINT NOT NULL,
	kind VARCHAR(16) NOT NULL,
	access_level SMALLINT NOT NULL,
	CONSTRAINT pk_group_protected_branch_access_levels PRIMARY KEY (id),
	CONSTRAINT fk_group_protected_branch_access_levels_protected_branch_id FOREIGN KEY(protected_branch_id) REFERENCES group_protected_branches (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_protected_branch_access_levels_protected_branch_id ON group_protected_branch_access_levels (protected_branch_id)
--;
CREATE TABLE protected_environments (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	name VARCHAR(255) NOT NULL,
	required_approval_count INTEGER DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_protected_environments PRIMARY KEY (id),
	CONSTRAINT ck_protected_environments_one_place CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT uq_protected_environments_project_id_name UNIQUE (project_id, name),
	CONSTRAINT uq_protected_environments_group_id_name UNIQUE (group_id, name),
	CONSTRAINT fk_protected_environments_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_environments_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE protected_environment_entries (
	id BIGSERIAL NOT NULL,
	protected_environment_id BIGINT NOT NULL,
	kind VARCHAR(16) NOT NULL,
	access_level SMALLINT,
	user_id BIGINT,
	group_id BIGINT,
	group_inheritance_type SMALLINT DEFAULT '0' NOT NULL,
	required_approvals INTEGER DEFAULT '1' NOT NULL,
	CONSTRAINT pk_protected_environment_entries PRIMARY KEY (id),
	CONSTRAINT fk_protected_environment_entries_protected_environment_id FOREIGN KEY(protected_environment_id) REFERENCES protected_environments (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_environment_entries_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_environment_entries_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_protected_environment_entries_protected_environment_id ON protected_environment_entries (protected_environment_id)
--;
CREATE TABLE status_check_branches (
	check_id BIGINT NOT NULL,
	protected_branch_id BIGINT NOT NULL,
	CONSTRAINT pk_status_check_branches PRIMARY KEY (check_id, protected_branch_id),
	CONSTRAINT fk_status_check_branches_check_id FOREIGN KEY(check_id) REFERENCES external_status_checks (id) ON DELETE CASCADE,
	CONSTRAINT fk_status_check_branches_protected_branch_id FOREIGN KEY(protected_branch_id) REFERENCES protected_branches (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_status_check_branches_protected_branch_id ON status_check_branches (protected_branch_id)
--;
CREATE TABLE status_check_messages (
	id BIGSERIAL NOT NULL,
	check_id BIGINT NOT NULL,
	mark VARCHAR(64) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_status_check_messages PRIMARY KEY (id),
	CONSTRAINT fk_status_check_messages_check_id FOREIGN KEY(check_id) REFERENCES external_status_checks (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_status_check_messages_check_id ON status_check_messages (check_id)
--;
CREATE TABLE deployment_approvals (
	id BIGSERIAL NOT NULL,
	deployment_id BIGINT NOT NULL,
	user_id BIGINT,
	entry_id BIGINT,
	status VARCHAR(16) NOT NULL,
	comment TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_deployment_approvals PRIMARY KEY (id),
	CONSTRAINT uq_deployment_approvals_deployment_id_user_id UNIQUE (deployment_id, user_id),
	CONSTRAINT fk_deployment_approvals_deployment_id FOREIGN KEY(deployment_id) REFERENCES deployments (id) ON DELETE CASCADE,
	CONSTRAINT fk_deployment_approvals_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL,
	CONSTRAINT fk_deployment_approvals_entry_id FOREIGN KEY(entry_id) REFERENCES protected_environment_entries (id) ON DELETE SET NULL
)
--;
CREATE TABLE status_check_responses (
	id BIGSERIAL NOT NULL,
	merge_request_id BIGINT NOT NULL,
	check_id BIGINT NOT NULL,
	sha VARCHAR(64) NOT NULL,
	status VARCHAR(16) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_status_check_responses PRIMARY KEY (id),
	CONSTRAINT fk_status_check_responses_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_status_check_responses_check_id FOREIGN KEY(check_id) REFERENCES external_status_checks (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_status_check_responses_check_id ON status_check_responses (check_id)
--;
CREATE INDEX ix_status_check_responses_request ON status_check_responses (merge_request_id, check_id)
