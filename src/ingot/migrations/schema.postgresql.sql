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
--;
CREATE TABLE application_settings (
	name VARCHAR(255) NOT NULL,
	value JSONB,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_application_settings PRIMARY KEY (name)
)
--;
CREATE TABLE audit_events (
	id BIGSERIAL NOT NULL,
	author_id BIGINT NOT NULL,
	entity_type VARCHAR(40) NOT NULL,
	entity_id BIGINT NOT NULL,
	event_name VARCHAR(120) NOT NULL,
	details JSONB NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_audit_events PRIMARY KEY (id)
)
--;
CREATE INDEX ix_audit_events_author_id ON audit_events (author_id, id)
--;
CREATE INDEX ix_audit_events_created_at ON audit_events (created_at, id)
--;
CREATE INDEX ix_audit_events_entity ON audit_events (entity_type, entity_id, id)
--;
CREATE TABLE background_counters (
	kind VARCHAR(100) NOT NULL,
	event VARCHAR(20) NOT NULL,
	number BIGINT NOT NULL,
	CONSTRAINT pk_background_counters PRIMARY KEY (kind, event)
)
--;
CREATE TABLE background_jobs (
	id BIGSERIAL NOT NULL,
	kind VARCHAR(100) NOT NULL,
	key VARCHAR(255) NOT NULL,
	subject VARCHAR(255),
	args JSONB NOT NULL,
	state VARCHAR(20) DEFAULT 'queued' NOT NULL,
	run_after TIMESTAMP WITH TIME ZONE NOT NULL,
	token BIGINT DEFAULT '0' NOT NULL,
	worker VARCHAR(64),
	attempts INTEGER DEFAULT '0' NOT NULL,
	faults INTEGER DEFAULT '0' NOT NULL,
	takeovers INTEGER DEFAULT '0' NOT NULL,
	error TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	started_at TIMESTAMP WITH TIME ZONE,
	ended_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_background_jobs PRIMARY KEY (id)
)
--;
CREATE INDEX ix_background_jobs_due ON background_jobs (run_after, id) WHERE state = 'queued'
--;
CREATE INDEX ix_background_jobs_ended ON background_jobs (ended_at)
--;
CREATE INDEX ix_background_jobs_key ON background_jobs (key, id)
--;
CREATE INDEX ix_background_jobs_subject ON background_jobs (subject) WHERE ended_at IS NULL
--;
CREATE INDEX ix_background_jobs_worker ON background_jobs (worker) WHERE state = 'running'
--;
CREATE UNIQUE INDEX uq_background_jobs_waiting_key ON background_jobs (key) WHERE state = 'queued'
--;
CREATE TABLE background_schedules (
	name VARCHAR(100) NOT NULL,
	every FLOAT NOT NULL,
	next_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_background_schedules PRIMARY KEY (name)
)
--;
CREATE TABLE background_workers (
	id VARCHAR(64) NOT NULL,
	host VARCHAR(255) NOT NULL,
	pid INTEGER NOT NULL,
	started_at TIMESTAMP WITH TIME ZONE NOT NULL,
	beat_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_background_workers PRIMARY KEY (id)
)
--;
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
--;
CREATE TABLE code_contents (
	id BIGSERIAL NOT NULL,
	sha VARCHAR(64) NOT NULL,
	size INTEGER NOT NULL,
	text BYTEA,
	CONSTRAINT pk_code_contents PRIMARY KEY (id),
	CONSTRAINT uq_code_contents_sha UNIQUE (sha)
)
--;
CREATE TABLE counters (
	owner VARCHAR(64) NOT NULL,
	kind VARCHAR(64) NOT NULL,
	value INTEGER NOT NULL,
	CONSTRAINT pk_counters PRIMARY KEY (owner, kind)
)
--;
CREATE TABLE feature_flags (
	name VARCHAR(255) NOT NULL,
	gates JSONB NOT NULL,
	enabled BOOLEAN NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_feature_flags PRIMARY KEY (name)
)
--;
CREATE TABLE import_progress (
	owner VARCHAR(64) NOT NULL,
	relation VARCHAR(64) NOT NULL,
	next_line INTEGER NOT NULL,
	stored INTEGER NOT NULL,
	CONSTRAINT pk_import_progress PRIMARY KEY (owner, relation)
)
--;
CREATE TABLE instance_facts (
	name VARCHAR(64) NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_instance_facts PRIMARY KEY (name)
)
--;
CREATE TABLE instance_registration_tokens (
	id BIGSERIAL NOT NULL,
	token_digest VARCHAR(64) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_instance_registration_tokens PRIMARY KEY (id)
)
--;
CREATE TABLE plan_limits (
	plan_name VARCHAR(64) NOT NULL,
	limits JSONB NOT NULL,
	history JSONB NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_plan_limits PRIMARY KEY (plan_name)
)
--;
CREATE TABLE rate_windows (
	key VARCHAR(200) NOT NULL,
	starts_at BIGINT NOT NULL,
	period INTEGER NOT NULL,
	observed BIGINT NOT NULL,
	CONSTRAINT pk_rate_windows PRIMARY KEY (key, starts_at)
)
--;
CREATE TABLE runners (
	id BIGSERIAL NOT NULL,
	runner_type VARCHAR(16) NOT NULL,
	token_digest VARCHAR(64) NOT NULL,
	short_token VARCHAR(16) DEFAULT '' NOT NULL,
	token_expires_at TIMESTAMP WITH TIME ZONE,
	registration_type VARCHAR(24) DEFAULT 'authenticated_user' NOT NULL,
	creator_id BIGINT,
	name VARCHAR(255),
	description VARCHAR(1024),
	maintenance_note TEXT,
	active BOOLEAN DEFAULT '1' NOT NULL,
	locked BOOLEAN DEFAULT '0' NOT NULL,
	run_untagged BOOLEAN DEFAULT '1' NOT NULL,
	access_level VARCHAR(16) DEFAULT 'not_protected' NOT NULL,
	maximum_timeout INTEGER,
	tag_list JSONB NOT NULL,
	ip_address VARCHAR(64),
	contacted_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_runners PRIMARY KEY (id),
	CONSTRAINT uq_runners_token_digest UNIQUE (token_digest)
)
--;
CREATE INDEX ix_runners_type ON runners (runner_type, id)
--;
CREATE TABLE settled_changes (
	id BIGSERIAL NOT NULL,
	token VARCHAR(36) NOT NULL,
	transaction_id VARCHAR(20),
	CONSTRAINT pk_settled_changes PRIMARY KEY (id)
)
--;
CREATE TABLE signing_keys (
	kid VARCHAR(64) NOT NULL,
	private_key TEXT NOT NULL,
	public_key JSONB NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_signing_keys PRIMARY KEY (kid)
)
--;
CREATE INDEX ix_signing_keys_created_at ON signing_keys (created_at)
--;
CREATE TABLE topics (
	id BIGSERIAL NOT NULL,
	name VARCHAR(255) NOT NULL,
	name_lower VARCHAR(255) NOT NULL,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	avatar VARCHAR(255),
	projects_count INTEGER DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_topics PRIMARY KEY (id),
	CONSTRAINT uq_topics_name_lower UNIQUE (name_lower)
)
--;
CREATE TABLE users (
	id BIGSERIAL NOT NULL,
	username VARCHAR(255) NOT NULL,
	username_lower VARCHAR(255) COLLATE "C" NOT NULL,
	name VARCHAR(255) NOT NULL,
	name_lower VARCHAR(255) COLLATE "C" NOT NULL,
	email VARCHAR(255) NOT NULL,
	email_lower VARCHAR(255) NOT NULL,
	state VARCHAR(32) DEFAULT 'active' NOT NULL,
	kind VARCHAR(32) DEFAULT 'human' NOT NULL,
	is_admin BOOLEAN DEFAULT '0' NOT NULL,
	is_external BOOLEAN DEFAULT '0' NOT NULL,
	password_hash TEXT,
	can_create_group BOOLEAN DEFAULT '1' NOT NULL,
	projects_limit INTEGER DEFAULT '100000' NOT NULL,
	private_profile BOOLEAN DEFAULT '0' NOT NULL,
	public_email VARCHAR(255),
	commit_email VARCHAR(255),
	avatar VARCHAR(255),
	note TEXT,
	profile JSONB NOT NULL,
	created_by_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	confirmed_at TIMESTAMP WITH TIME ZONE,
	current_sign_in_at TIMESTAMP WITH TIME ZONE,
	last_sign_in_at TIMESTAMP WITH TIME ZONE,
	current_sign_in_ip VARCHAR(64),
	last_sign_in_ip VARCHAR(64),
	sign_in_count INTEGER DEFAULT '0' NOT NULL,
	last_activity_on DATE,
	password_expires_at TIMESTAMP WITH TIME ZONE,
	otp_grace_period_started_at TIMESTAMP WITH TIME ZONE,
	failed_attempts INTEGER DEFAULT '0' NOT NULL,
	locked_until TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_users PRIMARY KEY (id),
	CONSTRAINT uq_users_username_lower UNIQUE (username_lower),
	CONSTRAINT uq_users_email_lower UNIQUE (email_lower)
)
--;
CREATE INDEX ix_users_name_lower_id ON users (name_lower, id)
--;
CREATE TABLE award_emoji (
	id BIGSERIAL NOT NULL,
	awardable_type VARCHAR(32) NOT NULL,
	awardable_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_award_emoji PRIMARY KEY (id),
	CONSTRAINT uq_award_emoji_awardable_type_awardable_id_user_id_name UNIQUE (awardable_type, awardable_id, user_id, name),
	CONSTRAINT fk_award_emoji_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_award_emoji_awardable ON award_emoji (awardable_type, awardable_id)
--;
CREATE INDEX ix_award_emoji_user_id ON award_emoji (user_id)
--;
CREATE TABLE background_job_progress (
	job_id BIGINT NOT NULL,
	counters JSONB NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_background_job_progress PRIMARY KEY (job_id),
	CONSTRAINT fk_background_job_progress_job_id FOREIGN KEY(job_id) REFERENCES background_jobs (id) ON DELETE CASCADE
)
--;
CREATE TABLE background_job_steps (
	job_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	result JSONB,
	recorded_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_background_job_steps PRIMARY KEY (job_id, name),
	CONSTRAINT fk_background_job_steps_job_id FOREIGN KEY(job_id) REFERENCES background_jobs (id) ON DELETE CASCADE
)
--;
CREATE TABLE deploy_keys (
	id BIGSERIAL NOT NULL,
	user_id BIGINT,
	title VARCHAR(255) NOT NULL,
	key TEXT NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	is_public BOOLEAN DEFAULT '0' NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE,
	last_used_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_deploy_keys PRIMARY KEY (id),
	CONSTRAINT fk_deploy_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL,
	CONSTRAINT uq_deploy_keys_fingerprint UNIQUE (fingerprint)
)
--;
CREATE INDEX ix_deploy_keys_user_id ON deploy_keys (user_id)
--;
CREATE TABLE gpg_keys (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	key TEXT NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	primary_keyid VARCHAR(16) NOT NULL,
	users JSONB NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	revoked_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_gpg_keys PRIMARY KEY (id),
	CONSTRAINT fk_gpg_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_gpg_keys_fingerprint UNIQUE (fingerprint)
)
--;
CREATE INDEX ix_gpg_keys_primary_keyid ON gpg_keys (primary_keyid)
--;
CREATE INDEX ix_gpg_keys_user_id ON gpg_keys (user_id)
--;
CREATE TABLE namespaces (
	id BIGSERIAL NOT NULL,
	kind VARCHAR(8) NOT NULL,
	owner_id BIGINT,
	parent_id BIGINT,
	name VARCHAR(255) NOT NULL,
	path VARCHAR(255) NOT NULL,
	full_path VARCHAR(1024) NOT NULL,
	full_path_lower VARCHAR(1024) NOT NULL,
	full_name TEXT NOT NULL,
	description TEXT DEFAULT '' NOT NULL,
	visibility SMALLINT DEFAULT '0' NOT NULL,
	avatar VARCHAR(255),
	settings JSONB NOT NULL,
	marked_for_deletion_on DATE,
	pending_delete BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_namespaces PRIMARY KEY (id),
	CONSTRAINT fk_namespaces_owner_id FOREIGN KEY(owner_id) REFERENCES users (id),
	CONSTRAINT fk_namespaces_parent_id FOREIGN KEY(parent_id) REFERENCES namespaces (id),
	CONSTRAINT uq_namespaces_full_path_lower UNIQUE (full_path_lower)
)
--;
CREATE INDEX ix_namespaces_kind_visibility ON namespaces (kind, visibility)
--;
CREATE INDEX ix_namespaces_name_id ON namespaces (name, id)
--;
CREATE INDEX ix_namespaces_owner_id ON namespaces (owner_id)
--;
CREATE INDEX ix_namespaces_parent_id ON namespaces (parent_id)
--;
CREATE INDEX ix_namespaces_two_factors ON namespaces (id) WHERE settings ->> 'require_two_factor_authentication' IS NOT NULL
--;
CREATE TABLE personal_access_tokens (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	description VARCHAR(255),
	digest VARCHAR(64) NOT NULL,
	scopes JSONB NOT NULL,
	impersonation BOOLEAN DEFAULT '0' NOT NULL,
	revoked BOOLEAN DEFAULT '0' NOT NULL,
	expires_at DATE,
	last_used_at TIMESTAMP WITH TIME ZONE,
	family_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_personal_access_tokens PRIMARY KEY (id),
	CONSTRAINT fk_personal_access_tokens_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_personal_access_tokens_digest UNIQUE (digest)
)
--;
CREATE INDEX ix_personal_access_tokens_family_id ON personal_access_tokens (family_id)
--;
CREATE INDEX ix_personal_access_tokens_user_id ON personal_access_tokens (user_id)
--;
CREATE TABLE recovery_codes (
	user_id BIGINT NOT NULL,
	digest VARCHAR(64) NOT NULL,
	CONSTRAINT pk_recovery_codes PRIMARY KEY (user_id, digest),
	CONSTRAINT fk_recovery_codes_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE runner_managers (
	id BIGSERIAL NOT NULL,
	runner_id BIGINT NOT NULL,
	system_id VARCHAR(64) NOT NULL,
	name VARCHAR(255),
	version VARCHAR(255),
	revision VARCHAR(255),
	platform VARCHAR(255),
	architecture VARCHAR(255),
	executor VARCHAR(64),
	ip_address VARCHAR(64),
	features JSONB NOT NULL,
	contacted_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_runner_managers PRIMARY KEY (id),
	CONSTRAINT uq_runner_managers_runner_id_system_id UNIQUE (runner_id, system_id),
	CONSTRAINT fk_runner_managers_runner_id FOREIGN KEY(runner_id) REFERENCES runners (id) ON DELETE CASCADE
)
--;
CREATE TABLE second_factors (
	user_id BIGINT NOT NULL,
	secret TEXT NOT NULL,
	last_step BIGINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_second_factors PRIMARY KEY (user_id),
	CONSTRAINT fk_second_factors_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE sessions (
	digest VARCHAR(64) NOT NULL,
	user_id BIGINT NOT NULL,
	csrf VARCHAR(64) NOT NULL,
	details JSONB NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_sessions PRIMARY KEY (digest),
	CONSTRAINT fk_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_sessions_user_id ON sessions (user_id)
--;
CREATE TABLE user_custom_attributes (
	user_id BIGINT NOT NULL,
	key VARCHAR(255) NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_user_custom_attributes PRIMARY KEY (user_id, key),
	CONSTRAINT fk_user_custom_attributes_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_user_custom_attributes_key ON user_custom_attributes (key)
--;
CREATE TABLE user_emails (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	email VARCHAR(255) NOT NULL,
	email_lower VARCHAR(255) NOT NULL,
	confirmed_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_user_emails PRIMARY KEY (id),
	CONSTRAINT fk_user_emails_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_user_emails_email_lower UNIQUE (email_lower)
)
--;
CREATE INDEX ix_user_emails_user_id ON user_emails (user_id)
--;
CREATE TABLE user_follows (
	follower_id BIGINT NOT NULL,
	followee_id BIGINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_user_follows PRIMARY KEY (follower_id, followee_id),
	CONSTRAINT ck_user_follows_not_oneself CHECK (follower_id <> followee_id),
	CONSTRAINT fk_user_follows_follower_id FOREIGN KEY(follower_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_user_follows_followee_id FOREIGN KEY(followee_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_user_follows_followee_id ON user_follows (followee_id)
--;
CREATE TABLE user_keys (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	title VARCHAR(255) NOT NULL,
	key TEXT NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	usage_type VARCHAR(16) NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	last_used_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_user_keys PRIMARY KEY (id),
	CONSTRAINT fk_user_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_user_keys_fingerprint UNIQUE (fingerprint)
)
--;
CREATE INDEX ix_user_keys_user_id ON user_keys (user_id)
--;
CREATE TABLE user_statuses (
	user_id BIGINT NOT NULL,
	emoji VARCHAR(64) NOT NULL,
	message VARCHAR(100) NOT NULL,
	availability VARCHAR(16) NOT NULL,
	clear_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_user_statuses PRIMARY KEY (user_id),
	CONSTRAINT fk_user_statuses_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE webauthn_registrations (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	credential_id VARCHAR(1400) NOT NULL,
	public_key TEXT NOT NULL,
	counter BIGINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_webauthn_registrations PRIMARY KEY (id),
	CONSTRAINT fk_webauthn_registrations_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_webauthn_registrations_credential_id UNIQUE (credential_id)
)
--;
CREATE INDEX ix_webauthn_registrations_user_id ON webauthn_registrations (user_id)
--;
CREATE TABLE gpg_key_subkeys (
	id BIGSERIAL NOT NULL,
	gpg_key_id BIGINT NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	keyid VARCHAR(16) NOT NULL,
	CONSTRAINT pk_gpg_key_subkeys PRIMARY KEY (id),
	CONSTRAINT fk_gpg_key_subkeys_gpg_key_id FOREIGN KEY(gpg_key_id) REFERENCES gpg_keys (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_gpg_key_subkeys_gpg_key_id ON gpg_key_subkeys (gpg_key_id)
--;
CREATE INDEX ix_gpg_key_subkeys_keyid ON gpg_key_subkeys (keyid)
--;
CREATE TABLE group_address_ranges (
	group_id BIGINT NOT NULL,
	ranges TEXT NOT NULL,
	CONSTRAINT pk_group_address_ranges PRIMARY KEY (group_id),
	CONSTRAINT fk_group_address_ranges_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE group_approval_settings (
	group_id BIGINT NOT NULL,
	allow_author_approval BOOLEAN NOT NULL,
	allow_committer_approval BOOLEAN NOT NULL,
	allow_overrides_to_approver_list_per_merge_request BOOLEAN NOT NULL,
	retain_approvals_on_push BOOLEAN NOT NULL,
	selective_code_owner_removals BOOLEAN NOT NULL,
	require_reauthentication_to_approve BOOLEAN NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_approval_settings PRIMARY KEY (group_id),
	CONSTRAINT fk_group_approval_settings_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE group_authorizations (
	user_id BIGINT NOT NULL,
	group_id BIGINT NOT NULL,
	access_level SMALLINT NOT NULL,
	CONSTRAINT pk_group_authorizations PRIMARY KEY (user_id, group_id),
	CONSTRAINT fk_group_authorizations_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_authorizations_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_authorizations_group_id ON group_authorizations (group_id)
--;
CREATE TABLE group_badges (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	name VARCHAR(255),
	link_url TEXT NOT NULL,
	image_url TEXT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_badges PRIMARY KEY (id),
	CONSTRAINT fk_group_badges_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_badges_group_id ON group_badges (group_id)
--;
CREATE TABLE group_custom_attributes (
	group_id BIGINT NOT NULL,
	key VARCHAR(255) NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_group_custom_attributes PRIMARY KEY (group_id, key),
	CONSTRAINT fk_group_custom_attributes_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_custom_attributes_key ON group_custom_attributes (key)
--;
CREATE TABLE group_exports (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	blob_key VARCHAR(255),
	new_blob_key VARCHAR(255),
	file_name VARCHAR(255),
	size BIGINT DEFAULT '0' NOT NULL,
	error TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_exports PRIMARY KEY (id),
	CONSTRAINT uq_group_exports_group_id_user_id UNIQUE (group_id, user_id),
	CONSTRAINT fk_group_exports_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_exports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_exports_updated_at ON group_exports (updated_at)
--;
CREATE INDEX ix_group_exports_user_id ON group_exports (user_id)
--;
CREATE TABLE group_group_links (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	invited_group_id BIGINT NOT NULL,
	access_level SMALLINT NOT NULL,
	expires_at DATE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_group_links PRIMARY KEY (id),
	CONSTRAINT uq_group_group_links_group_id_invited_group_id UNIQUE (group_id, invited_group_id),
	CONSTRAINT fk_group_group_links_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_group_links_invited_group_id FOREIGN KEY(invited_group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_group_links_invited_group_id ON group_group_links (invited_group_id)
--;
CREATE TABLE group_imports (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	blob_key VARCHAR(255),
	ended BOOLEAN DEFAULT false NOT NULL,
	error TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_imports PRIMARY KEY (id),
	CONSTRAINT fk_group_imports_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_imports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_imports_group_id ON group_imports (group_id)
--;
CREATE INDEX ix_group_imports_updated_at ON group_imports (updated_at)
--;
CREATE INDEX ix_group_imports_user_id ON group_imports (user_id)
--;
CREATE TABLE group_integrations (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	slug VARCHAR(64) NOT NULL,
	active BOOLEAN NOT NULL,
	events JSON NOT NULL,
	properties JSON NOT NULL,
	sealed_secrets TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_integrations PRIMARY KEY (id),
	CONSTRAINT uq_group_integrations_group_id_slug UNIQUE (group_id, slug),
	CONSTRAINT fk_group_integrations_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
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
CREATE TABLE group_push_rules (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	deny_delete_tag BOOLEAN DEFAULT '0' NOT NULL,
	member_check BOOLEAN DEFAULT '0' NOT NULL,
	prevent_secrets BOOLEAN DEFAULT '0' NOT NULL,
	commit_committer_check BOOLEAN DEFAULT '0' NOT NULL,
	commit_committer_name_check BOOLEAN DEFAULT '0' NOT NULL,
	reject_unsigned_commits BOOLEAN DEFAULT '0' NOT NULL,
	reject_non_dco_commits BOOLEAN DEFAULT '0' NOT NULL,
	commit_message_regex VARCHAR(511) DEFAULT '' NOT NULL,
	commit_message_negative_regex VARCHAR(511) DEFAULT '' NOT NULL,
	branch_name_regex VARCHAR(511) DEFAULT '' NOT NULL,
	author_email_regex VARCHAR(511) DEFAULT '' NOT NULL,
	file_name_regex VARCHAR(511) DEFAULT '' NOT NULL,
	max_file_size INTEGER DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_push_rules PRIMARY KEY (id),
	CONSTRAINT uq_group_push_rules_group_id UNIQUE (group_id),
	CONSTRAINT fk_group_push_rules_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE member_roles (
	id BIGSERIAL NOT NULL,
	group_id BIGINT,
	name VARCHAR(255) NOT NULL,
	description TEXT,
	base_access_level SMALLINT NOT NULL,
	permissions JSONB NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_member_roles PRIMARY KEY (id),
	CONSTRAINT fk_member_roles_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_member_roles_group_id ON member_roles (group_id)
--;
CREATE TABLE namespace_ancestors (
	namespace_id BIGINT NOT NULL,
	ancestor_id BIGINT NOT NULL,
	depth SMALLINT NOT NULL,
	CONSTRAINT pk_namespace_ancestors PRIMARY KEY (namespace_id, ancestor_id),
	CONSTRAINT fk_namespace_ancestors_namespace_id FOREIGN KEY(namespace_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_namespace_ancestors_ancestor_id FOREIGN KEY(ancestor_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_namespace_ancestors_ancestor_id ON namespace_ancestors (ancestor_id)
--;
CREATE TABLE oauth_applications (
	id BIGSERIAL NOT NULL,
	uid VARCHAR(64) NOT NULL,
	name VARCHAR(255) NOT NULL,
	secret_digest VARCHAR(64) NOT NULL,
	redirect_uri TEXT NOT NULL,
	scopes JSONB NOT NULL,
	confidential BOOLEAN NOT NULL,
	trusted BOOLEAN DEFAULT '0' NOT NULL,
	user_id BIGINT,
	group_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_oauth_applications PRIMARY KEY (id),
	CONSTRAINT uq_oauth_applications_uid UNIQUE (uid),
	CONSTRAINT fk_oauth_applications_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_oauth_applications_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_oauth_applications_group_id ON oauth_applications (group_id)
--;
CREATE INDEX ix_oauth_applications_user_id ON oauth_applications (user_id)
--;
CREATE TABLE projects (
	id BIGSERIAL NOT NULL,
	namespace_id BIGINT NOT NULL,
	creator_id BIGINT,
	name VARCHAR(255) NOT NULL,
	path VARCHAR(255) NOT NULL,
	name_lower VARCHAR(255) COLLATE "C" NOT NULL,
	path_lower VARCHAR(255) COLLATE "C" NOT NULL,
	search_text TEXT NOT NULL,
	full_path VARCHAR(1024) NOT NULL,
	full_path_lower VARCHAR(1024) NOT NULL,
	full_name TEXT NOT NULL,
	description TEXT,
	description_html TEXT DEFAULT '' NOT NULL,
	visibility SMALLINT DEFAULT '0' NOT NULL,
	archived BOOLEAN DEFAULT '0' NOT NULL,
	hidden BOOLEAN DEFAULT '0' NOT NULL,
	pending_delete BOOLEAN DEFAULT '0' NOT NULL,
	marked_for_deletion_on DATE,
	default_branch VARCHAR(255),
	repository_storage VARCHAR(255) DEFAULT 'default' NOT NULL,
	empty_repo BOOLEAN DEFAULT '1' NOT NULL,
	readme_path VARCHAR(1024),
	licence_path VARCHAR(1024),
	licence JSONB,
	star_count INTEGER DEFAULT '0' NOT NULL,
	forks_count INTEGER DEFAULT '0' NOT NULL,
	open_issues_count INTEGER DEFAULT '0' NOT NULL,
	forked_from_id BIGINT,
	import_type VARCHAR(64),
	import_status VARCHAR(16) DEFAULT 'none' NOT NULL,
	import_url TEXT,
	import_error TEXT,
	avatar VARCHAR(255),
	repository_checksum_failed BOOLEAN DEFAULT '0' NOT NULL,
	wiki_checksum_failed BOOLEAN DEFAULT '0' NOT NULL,
	checked_at TIMESTAMP WITH TIME ZONE,
	settings JSONB NOT NULL,
	issues_access_level SMALLINT DEFAULT '20' NOT NULL,
	repository_access_level SMALLINT DEFAULT '20' NOT NULL,
	merge_requests_access_level SMALLINT DEFAULT '20' NOT NULL,
	forking_access_level SMALLINT DEFAULT '20' NOT NULL,
	wiki_access_level SMALLINT DEFAULT '20' NOT NULL,
	builds_access_level SMALLINT DEFAULT '20' NOT NULL,
	snippets_access_level SMALLINT DEFAULT '20' NOT NULL,
	pages_access_level SMALLINT DEFAULT '10' NOT NULL,
	analytics_access_level SMALLINT DEFAULT '20' NOT NULL,
	container_registry_access_level SMALLINT DEFAULT '20' NOT NULL,
	security_and_compliance_access_level SMALLINT DEFAULT '10' NOT NULL,
	releases_access_level SMALLINT DEFAULT '20' NOT NULL,
	environments_access_level SMALLINT DEFAULT '20' NOT NULL,
	feature_flags_access_level SMALLINT DEFAULT '20' NOT NULL,
	infrastructure_access_level SMALLINT DEFAULT '20' NOT NULL,
	monitor_access_level SMALLINT DEFAULT '20' NOT NULL,
	model_experiments_access_level SMALLINT DEFAULT '20' NOT NULL,
	model_registry_access_level SMALLINT DEFAULT '20' NOT NULL,
	requirements_access_level SMALLINT DEFAULT '20' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	last_activity_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_projects PRIMARY KEY (id),
	CONSTRAINT uq_projects_namespace_id_name UNIQUE (namespace_id, name),
	CONSTRAINT fk_projects_namespace_id FOREIGN KEY(namespace_id) REFERENCES namespaces (id),
	CONSTRAINT uq_projects_full_path_lower UNIQUE (full_path_lower)
)
--;
CREATE INDEX ix_projects_creator_id ON projects (creator_id)
--;
CREATE INDEX ix_projects_forked_from_id ON projects (forked_from_id)
--;
CREATE INDEX ix_projects_last_activity_at_id ON projects (last_activity_at, id)
--;
CREATE INDEX ix_projects_name_lower_id ON projects (name_lower, id)
--;
CREATE INDEX ix_projects_namespace_id_id ON projects (namespace_id, id)
--;
CREATE INDEX ix_projects_path_lower_id ON projects (path_lower, id)
--;
CREATE INDEX ix_projects_star_count_id ON projects (star_count, id)
--;
CREATE INDEX ix_projects_updated_at_id ON projects (updated_at, id)
--;
CREATE INDEX ix_projects_visibility_id ON projects (visibility, id, pending_delete, hidden)
--;
CREATE TABLE runner_groups (
	runner_id BIGINT NOT NULL,
	group_id BIGINT NOT NULL,
	CONSTRAINT pk_runner_groups PRIMARY KEY (runner_id, group_id),
	CONSTRAINT fk_runner_groups_runner_id FOREIGN KEY(runner_id) REFERENCES runners (id) ON DELETE CASCADE,
	CONSTRAINT fk_runner_groups_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_runner_groups_group_id ON runner_groups (group_id)
--;
CREATE TABLE saml_providers (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	enabled BOOLEAN NOT NULL,
	sso_url TEXT NOT NULL,
	certificate TEXT,
	certificate_fingerprint VARCHAR(95),
	idp_entity_id TEXT,
	default_membership_role SMALLINT NOT NULL,
	enforced_sso BOOLEAN NOT NULL,
	base_url TEXT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_saml_providers PRIMARY KEY (id),
	CONSTRAINT uq_saml_providers_group_id UNIQUE (group_id),
	CONSTRAINT fk_saml_providers_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE service_accounts (
	user_id BIGINT NOT NULL,
	group_id BIGINT,
	CONSTRAINT pk_service_accounts PRIMARY KEY (user_id),
	CONSTRAINT fk_service_accounts_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_service_accounts_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_service_accounts_group_id ON service_accounts (group_id)
--;
CREATE TABLE access_requests (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	group_id BIGINT,
	project_id BIGINT,
	requested_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_access_requests PRIMARY KEY (id),
	CONSTRAINT ck_access_requests_one_source CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT uq_access_requests_group_id_user_id UNIQUE (group_id, user_id),
	CONSTRAINT uq_access_requests_project_id_user_id UNIQUE (project_id, user_id),
	CONSTRAINT fk_access_requests_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_access_requests_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_access_requests_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_access_requests_user_id ON access_requests (user_id)
--;
CREATE TABLE approval_project_rules (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	name VARCHAR(1024) NOT NULL,
	approvals_required INTEGER DEFAULT '0' NOT NULL,
	rule_type VARCHAR(32) DEFAULT 'regular' NOT NULL,
	report_type VARCHAR(32),
	applies_to_all_protected_branches BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_approval_project_rules PRIMARY KEY (id),
	CONSTRAINT fk_approval_project_rules_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_project_rules_project_id ON approval_project_rules (project_id)
--;
CREATE TABLE archive_files (
	project_id BIGINT NOT NULL,
	path VARCHAR(1024) NOT NULL,
	blob_key VARCHAR(1100) NOT NULL,
	size BIGINT NOT NULL,
	CONSTRAINT pk_archive_files PRIMARY KEY (project_id, path),
	CONSTRAINT fk_archive_files_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE archive_leftovers (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	relation VARCHAR(64) NOT NULL,
	owner_id BIGINT,
	data JSONB NOT NULL,
	CONSTRAINT pk_archive_leftovers PRIMARY KEY (id),
	CONSTRAINT fk_archive_leftovers_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_archive_leftovers_place ON archive_leftovers (project_id, relation, owner_id)
--;
CREATE TABLE ci_variables (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	key VARCHAR(255) NOT NULL,
	sealed_value TEXT NOT NULL,
	variable_type VARCHAR(8) DEFAULT 'env_var' NOT NULL,
	protected BOOLEAN DEFAULT '0' NOT NULL,
	masked BOOLEAN DEFAULT '0' NOT NULL,
	hidden BOOLEAN DEFAULT '0' NOT NULL,
	raw BOOLEAN DEFAULT '0' NOT NULL,
	environment_scope VARCHAR(255) DEFAULT '*' NOT NULL,
	description VARCHAR(255),
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_ci_variables PRIMARY KEY (id),
	CONSTRAINT fk_ci_variables_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_ci_variables_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_ci_variables_group ON ci_variables (group_id, key)
--;
CREATE INDEX ix_ci_variables_project ON ci_variables (project_id, key)
--;
CREATE TABLE code_files (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	path TEXT NOT NULL,
	path_lower TEXT NOT NULL,
	content_id BIGINT NOT NULL,
	CONSTRAINT pk_code_files PRIMARY KEY (id),
	CONSTRAINT uq_code_files_project_id_path UNIQUE (project_id, path),
	CONSTRAINT fk_code_files_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_code_files_content_id FOREIGN KEY(content_id) REFERENCES code_contents (id)
)
--;
CREATE INDEX ix_code_files_content_id ON code_files (content_id)
--;
CREATE TABLE code_indexes (
	project_id BIGINT NOT NULL,
	head VARCHAR(64) NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_code_indexes PRIMARY KEY (project_id),
	CONSTRAINT fk_code_indexes_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE deploy_key_projects (
	id BIGSERIAL NOT NULL,
	deploy_key_id BIGINT NOT NULL,
	project_id BIGINT NOT NULL,
	can_push BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_deploy_key_projects PRIMARY KEY (id),
	CONSTRAINT uq_deploy_key_projects_deploy_key_id_project_id UNIQUE (deploy_key_id, project_id),
	CONSTRAINT fk_deploy_key_projects_deploy_key_id FOREIGN KEY(deploy_key_id) REFERENCES deploy_keys (id) ON DELETE CASCADE,
	CONSTRAINT fk_deploy_key_projects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_deploy_key_projects_project_id ON deploy_key_projects (project_id)
--;
CREATE TABLE deploy_tokens (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	creator_id BIGINT,
	name VARCHAR(255) NOT NULL,
	username VARCHAR(255),
	digest VARCHAR(64) NOT NULL,
	sealed_token TEXT NOT NULL,
	scopes JSONB NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE,
	revoked BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_deploy_tokens PRIMARY KEY (id),
	CONSTRAINT fk_deploy_tokens_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_deploy_tokens_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_deploy_tokens_creator_id FOREIGN KEY(creator_id) REFERENCES users (id) ON DELETE SET NULL,
	CONSTRAINT uq_deploy_tokens_digest UNIQUE (digest)
)
--;
CREATE INDEX ix_deploy_tokens_creator_id ON deploy_tokens (creator_id)
--;
CREATE INDEX ix_deploy_tokens_group_id ON deploy_tokens (group_id)
--;
CREATE INDEX ix_deploy_tokens_project_id ON deploy_tokens (project_id)
--;
CREATE TABLE environments (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	slug VARCHAR(24) NOT NULL,
	external_url TEXT,
	state VARCHAR(16) DEFAULT 'available' NOT NULL,
	tier VARCHAR(16) DEFAULT 'other' NOT NULL,
	description TEXT,
	auto_stop_at TIMESTAMP WITH TIME ZONE,
	auto_delete_at TIMESTAMP WITH TIME ZONE,
	auto_stop_setting VARCHAR(16) DEFAULT 'always' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_environments PRIMARY KEY (id),
	CONSTRAINT uq_environments_project_id_name UNIQUE (project_id, name),
	CONSTRAINT fk_environments_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_environments_auto_delete_at ON environments (auto_delete_at)
--;
CREATE TABLE events (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	author_id BIGINT NOT NULL,
	action VARCHAR(16) NOT NULL,
	target_type VARCHAR(32),
	target_id BIGINT,
	push_action VARCHAR(8),
	ref_type VARCHAR(8),
	ref TEXT,
	commit_from VARCHAR(64),
	commit_to VARCHAR(64),
	commit_title VARCHAR(70),
	commit_count INTEGER,
	ref_count INTEGER,
	imported_from VARCHAR(32) DEFAULT 'none' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_events PRIMARY KEY (id),
	CONSTRAINT fk_events_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_events_author_id FOREIGN KEY(author_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_events_author_id_id ON events (author_id, id)
--;
CREATE INDEX ix_events_created_at ON events (created_at)
--;
CREATE INDEX ix_events_project_id_id ON events (project_id, id)
--;
CREATE INDEX ix_events_target ON events (target_type, target_id)
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
CREATE TABLE freeze_periods (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	freeze_start VARCHAR(255) NOT NULL,
	freeze_end VARCHAR(255) NOT NULL,
	cron_timezone VARCHAR(255) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_freeze_periods PRIMARY KEY (id),
	CONSTRAINT fk_freeze_periods_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_freeze_periods_project_id ON freeze_periods (project_id)
--;
CREATE TABLE group_integration_messages (
	id BIGSERIAL NOT NULL,
	integration_id BIGINT NOT NULL,
	project_id BIGINT NOT NULL,
	flag VARCHAR(64) NOT NULL,
	mark VARCHAR(64) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_group_integration_messages PRIMARY KEY (id),
	CONSTRAINT fk_group_integration_messages_integration_id FOREIGN KEY(integration_id) REFERENCES group_integrations (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_integration_messages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_integration_messages_integration_id ON group_integration_messages (integration_id)
--;
CREATE INDEX ix_group_integration_messages_project_id ON group_integration_messages (project_id)
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
CREATE TABLE identities (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	provider VARCHAR(255) NOT NULL,
	extern_uid VARCHAR(255) NOT NULL,
	extern_uid_lower VARCHAR(255) NOT NULL,
	saml_provider_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_identities PRIMARY KEY (id),
	CONSTRAINT fk_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_identities_saml_provider_id FOREIGN KEY(saml_provider_id) REFERENCES saml_providers (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_identities_saml_provider_id ON identities (saml_provider_id)
--;
CREATE INDEX ix_identities_user_id ON identities (user_id)
--;
CREATE UNIQUE INDEX uq_identities_uid ON identities (provider, extern_uid_lower, coalesce(saml_provider_id, 0))
--;
CREATE UNIQUE INDEX uq_identities_user ON identities (user_id, provider, coalesce(saml_provider_id, 0))
--;
CREATE TABLE integrations (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	slug VARCHAR(64) NOT NULL,
	active BOOLEAN NOT NULL,
	events JSON NOT NULL,
	properties JSON NOT NULL,
	sealed_secrets TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_integrations PRIMARY KEY (id),
	CONSTRAINT uq_integrations_project_id_slug UNIQUE (project_id, slug),
	CONSTRAINT fk_integrations_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE invitations (
	id BIGSERIAL NOT NULL,
	group_id BIGINT,
	project_id BIGINT,
	email VARCHAR(255) NOT NULL,
	email_lower VARCHAR(255) NOT NULL,
	access_level SMALLINT NOT NULL,
	member_role_id BIGINT,
	notification_level SMALLINT DEFAULT '3' NOT NULL,
	expires_at DATE,
	created_by_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_invitations PRIMARY KEY (id),
	CONSTRAINT ck_invitations_one_source CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT uq_invitations_group_id_email_lower UNIQUE (group_id, email_lower),
	CONSTRAINT uq_invitations_project_id_email_lower UNIQUE (project_id, email_lower),
	CONSTRAINT fk_invitations_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_invitations_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_invitations_email_lower ON invitations (email_lower)
--;
CREATE TABLE job_token_allowed_groups (
	project_id BIGINT NOT NULL,
	allowed_id BIGINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_job_token_allowed_groups PRIMARY KEY (project_id, allowed_id),
	CONSTRAINT fk_job_token_allowed_groups_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_job_token_allowed_groups_allowed_id FOREIGN KEY(allowed_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_job_token_allowed_groups_allowed_id ON job_token_allowed_groups (allowed_id)
--;
CREATE TABLE job_token_allowed_projects (
	project_id BIGINT NOT NULL,
	allowed_id BIGINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_job_token_allowed_projects PRIMARY KEY (project_id, allowed_id),
	CONSTRAINT fk_job_token_allowed_projects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_job_token_allowed_projects_allowed_id FOREIGN KEY(allowed_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_job_token_allowed_projects_allowed_id ON job_token_allowed_projects (allowed_id)
--;
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
--;
CREATE TABLE labels (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	name VARCHAR(255) NOT NULL,
	color VARCHAR(16) NOT NULL,
	description TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_labels PRIMARY KEY (id),
	CONSTRAINT ck_labels_one_owner CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT uq_labels_project_id_name UNIQUE (project_id, name),
	CONSTRAINT uq_labels_group_id_name UNIQUE (group_id, name),
	CONSTRAINT fk_labels_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_labels_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_labels_name ON labels (name)
--;
CREATE TABLE lfs_locks (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	path VARCHAR(511) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_lfs_locks PRIMARY KEY (id),
	CONSTRAINT uq_lfs_locks_project_id_path UNIQUE (project_id, path),
	CONSTRAINT fk_lfs_locks_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_lfs_locks_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_lfs_locks_user_id ON lfs_locks (user_id)
--;
CREATE TABLE lfs_objects (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	oid VARCHAR(64) NOT NULL,
	size BIGINT NOT NULL,
	blob_key VARCHAR(255) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_lfs_objects PRIMARY KEY (id),
	CONSTRAINT uq_lfs_objects_project_id_oid UNIQUE (project_id, oid),
	CONSTRAINT fk_lfs_objects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_lfs_objects_blob_key ON lfs_objects (blob_key)
--;
CREATE TABLE members (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	group_id BIGINT,
	project_id BIGINT,
	access_level SMALLINT NOT NULL,
	member_role_id BIGINT,
	notification_level SMALLINT DEFAULT '3' NOT NULL,
	expires_at DATE,
	created_by_id BIGINT,
	via_saml BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_members PRIMARY KEY (id),
	CONSTRAINT ck_members_one_source CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT uq_members_group_id_user_id UNIQUE (group_id, user_id),
	CONSTRAINT uq_members_project_id_user_id UNIQUE (project_id, user_id),
	CONSTRAINT fk_members_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_members_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_members_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_members_expires_at ON members (expires_at)
--;
CREATE INDEX ix_members_user_id ON members (user_id)
--;
CREATE TABLE milestones (
	id BIGSERIAL NOT NULL,
	iid INTEGER NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	state VARCHAR(16) DEFAULT 'active' NOT NULL,
	start_date DATE,
	due_date DATE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_milestones PRIMARY KEY (id),
	CONSTRAINT ck_milestones_one_owner CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT uq_milestones_project_id_iid UNIQUE (project_id, iid),
	CONSTRAINT uq_milestones_group_id_iid UNIQUE (group_id, iid),
	CONSTRAINT uq_milestones_project_id_title UNIQUE (project_id, title),
	CONSTRAINT uq_milestones_group_id_title UNIQUE (group_id, title),
	CONSTRAINT fk_milestones_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_milestones_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_milestones_title ON milestones (title)
--;
CREATE TABLE notes (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	noteable_type VARCHAR(32) NOT NULL,
	noteable_id BIGINT,
	commit_id VARCHAR(64),
	author_id BIGINT,
	body TEXT NOT NULL,
	type VARCHAR(32),
	discussion_id VARCHAR(40) NOT NULL,
	starts_thread BOOLEAN DEFAULT '1' NOT NULL,
	system BOOLEAN DEFAULT '0' NOT NULL,
	system_action VARCHAR(32),
	system_commit_count INTEGER,
	source_type VARCHAR(32),
	source_id BIGINT,
	internal BOOLEAN DEFAULT '0' NOT NULL,
	position JSONB,
	original_position JSONB,
	change_position JSONB,
	line_code VARCHAR(128),
	resolvable BOOLEAN DEFAULT '0' NOT NULL,
	resolved_at TIMESTAMP WITH TIME ZONE,
	resolved_by_id BIGINT,
	resolved_by_push BOOLEAN,
	updated_by_id BIGINT,
	last_edited_at TIMESTAMP WITH TIME ZONE,
	imported_from VARCHAR(32) DEFAULT 'none' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_notes PRIMARY KEY (id),
	CONSTRAINT fk_notes_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_notes_author_id ON notes (author_id)
--;
CREATE INDEX ix_notes_commenters ON notes (noteable_type, noteable_id, author_id) WHERE NOT system
--;
CREATE INDEX ix_notes_commit ON notes (project_id, commit_id)
--;
CREATE INDEX ix_notes_discussion ON notes (discussion_id)
--;
CREATE INDEX ix_notes_internal ON notes (noteable_type, noteable_id) WHERE internal
--;
CREATE INDEX ix_notes_naming ON notes (noteable_type, noteable_id, id) WHERE NOT system AND replace(body, '@', '') != body
--;
CREATE INDEX ix_notes_noteable ON notes (noteable_type, noteable_id, created_at, id, system)
--;
CREATE INDEX ix_notes_project_id ON notes (project_id)
--;
CREATE INDEX ix_notes_threads ON notes (noteable_type, noteable_id, created_at, id) WHERE starts_thread
--;
CREATE INDEX ix_notes_unresolved ON notes (noteable_type, noteable_id, discussion_id) WHERE resolvable AND resolved_at IS NULL
--;
CREATE TABLE notification_settings (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	level SMALLINT NOT NULL,
	events JSONB NOT NULL,
	notification_email VARCHAR(255),
	notified_of_own_activity BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_notification_settings PRIMARY KEY (id),
	CONSTRAINT ck_notification_settings_one_place CHECK (project_id IS NULL OR group_id IS NULL),
	CONSTRAINT fk_notification_settings_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_notification_settings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_notification_settings_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_notification_settings_user_id ON notification_settings (user_id)
--;
CREATE UNIQUE INDEX ux_notification_settings_general ON notification_settings (user_id) WHERE project_id IS NULL AND group_id IS NULL
--;
CREATE UNIQUE INDEX ux_notification_settings_group ON notification_settings (group_id, user_id)
--;
CREATE UNIQUE INDEX ux_notification_settings_project ON notification_settings (project_id, user_id)
--;
CREATE TABLE oauth_access_tokens (
	id BIGSERIAL NOT NULL,
	application_id BIGINT,
	user_id BIGINT,
	digest VARCHAR(64) NOT NULL,
	refresh_digest VARCHAR(64),
	scopes JSONB NOT NULL,
	family VARCHAR(64) NOT NULL,
	previous_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	revoked_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_oauth_access_tokens PRIMARY KEY (id),
	CONSTRAINT fk_oauth_access_tokens_application_id FOREIGN KEY(application_id) REFERENCES oauth_applications (id) ON DELETE CASCADE,
	CONSTRAINT fk_oauth_access_tokens_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_oauth_access_tokens_digest UNIQUE (digest),
	CONSTRAINT uq_oauth_access_tokens_refresh_digest UNIQUE (refresh_digest)
)
--;
CREATE INDEX ix_oauth_access_tokens_application_id ON oauth_access_tokens (application_id)
--;
CREATE INDEX ix_oauth_access_tokens_expires_at ON oauth_access_tokens (expires_at)
--;
CREATE INDEX ix_oauth_access_tokens_family ON oauth_access_tokens (family)
--;
CREATE INDEX ix_oauth_access_tokens_previous_id ON oauth_access_tokens (previous_id)
--;
CREATE INDEX ix_oauth_access_tokens_user_id ON oauth_access_tokens (user_id)
--;
CREATE TABLE oauth_device_grants (
	id BIGSERIAL NOT NULL,
	application_id BIGINT NOT NULL,
	user_id BIGINT,
	digest VARCHAR(64) NOT NULL,
	user_code VARCHAR(16) NOT NULL,
	scopes JSONB NOT NULL,
	state VARCHAR(8) NOT NULL,
	interval INTEGER NOT NULL,
	polled_at TIMESTAMP WITH TIME ZONE,
	signed_in_at TIMESTAMP WITH TIME ZONE,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_oauth_device_grants PRIMARY KEY (id),
	CONSTRAINT fk_oauth_device_grants_application_id FOREIGN KEY(application_id) REFERENCES oauth_applications (id) ON DELETE CASCADE,
	CONSTRAINT fk_oauth_device_grants_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_oauth_device_grants_digest UNIQUE (digest),
	CONSTRAINT uq_oauth_device_grants_user_code UNIQUE (user_code)
)
--;
CREATE INDEX ix_oauth_device_grants_application_id ON oauth_device_grants (application_id)
--;
CREATE INDEX ix_oauth_device_grants_expires_at ON oauth_device_grants (expires_at)
--;
CREATE INDEX ix_oauth_device_grants_user_id ON oauth_device_grants (user_id)
--;
CREATE TABLE oauth_grants (
	id BIGSERIAL NOT NULL,
	application_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	digest VARCHAR(64) NOT NULL,
	redirect_uri TEXT NOT NULL,
	scopes JSONB NOT NULL,
	code_challenge VARCHAR(128),
	code_challenge_method VARCHAR(8),
	nonce TEXT,
	signed_in_at TIMESTAMP WITH TIME ZONE NOT NULL,
	family VARCHAR(64) NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	used_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_oauth_grants PRIMARY KEY (id),
	CONSTRAINT fk_oauth_grants_application_id FOREIGN KEY(application_id) REFERENCES oauth_applications (id) ON DELETE CASCADE,
	CONSTRAINT fk_oauth_grants_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_oauth_grants_digest UNIQUE (digest)
)
--;
CREATE INDEX ix_oauth_grants_application_id ON oauth_grants (application_id)
--;
CREATE INDEX ix_oauth_grants_expires_at ON oauth_grants (expires_at)
--;
CREATE INDEX ix_oauth_grants_user_id ON oauth_grants (user_id)
--;
CREATE TABLE pipeline_schedules (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	owner_id BIGINT,
	description VARCHAR(255) NOT NULL,
	ref VARCHAR(1024) NOT NULL,
	cron VARCHAR(255) NOT NULL,
	cron_timezone VARCHAR(64) NOT NULL,
	next_run_at TIMESTAMP WITH TIME ZONE,
	active BOOLEAN DEFAULT '1' NOT NULL,
	inputs JSONB NOT NULL,
	last_pipeline_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_pipeline_schedules PRIMARY KEY (id),
	CONSTRAINT fk_pipeline_schedules_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_pipeline_schedules_due ON pipeline_schedules (active, next_run_at)
--;
CREATE INDEX ix_pipeline_schedules_owner_id ON pipeline_schedules (owner_id)
--;
CREATE INDEX ix_pipeline_schedules_project_id ON pipeline_schedules (project_id)
--;
CREATE TABLE pipeline_triggers (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	owner_id BIGINT,
	description TEXT NOT NULL,
	token_digest VARCHAR(64) NOT NULL,
	sealed_token TEXT NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE,
	last_used_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_pipeline_triggers PRIMARY KEY (id),
	CONSTRAINT fk_pipeline_triggers_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT uq_pipeline_triggers_token_digest UNIQUE (token_digest)
)
--;
CREATE INDEX ix_pipeline_triggers_owner_id ON pipeline_triggers (owner_id)
--;
CREATE INDEX ix_pipeline_triggers_project_id ON pipeline_triggers (project_id)
--;
CREATE TABLE pipelines (
	id BIGSERIAL NOT NULL,
	iid INTEGER NOT NULL,
	project_id BIGINT NOT NULL,
	user_id BIGINT,
	name VARCHAR(255),
	ref VARCHAR(1024) NOT NULL,
	is_tag BOOLEAN DEFAULT '0' NOT NULL,
	is_protected BOOLEAN DEFAULT '0' NOT NULL,
	sha VARCHAR(64) NOT NULL,
	before_sha VARCHAR(64) NOT NULL,
	source VARCHAR(32) NOT NULL,
	status VARCHAR(32) NOT NULL,
	failure_reason VARCHAR(64),
	yaml_errors TEXT,
	merge_request_id BIGINT,
	schedule_id BIGINT,
	trigger_id BIGINT,
	parent_id BIGINT,
	root_id BIGINT,
	depth SMALLINT DEFAULT '0' NOT NULL,
	bridge_id BIGINT,
	is_locked BOOLEAN DEFAULT '1' NOT NULL,
	variables JSONB NOT NULL,
	stages JSONB NOT NULL,
	commit JSONB NOT NULL,
	auto_cancel_on_new_commit VARCHAR(16) DEFAULT 'conservative' NOT NULL,
	auto_cancel_on_job_failure VARCHAR(16) DEFAULT 'none' NOT NULL,
	coverage FLOAT,
	duration INTEGER,
	committed_at TIMESTAMP WITH TIME ZONE,
	started_at TIMESTAMP WITH TIME ZONE,
	finished_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_pipelines PRIMARY KEY (id),
	CONSTRAINT uq_pipelines_project_id_iid UNIQUE (project_id, iid),
	CONSTRAINT fk_pipelines_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_pipelines_parent_id FOREIGN KEY(parent_id) REFERENCES pipelines (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_pipelines_bridge_id ON pipelines (bridge_id)
--;
CREATE INDEX ix_pipelines_merge_request ON pipelines (merge_request_id, id)
--;
CREATE INDEX ix_pipelines_parent_id ON pipelines (parent_id)
--;
CREATE INDEX ix_pipelines_project_id_id ON pipelines (project_id, id)
--;
CREATE INDEX ix_pipelines_project_ref ON pipelines (project_id, ref, id)
--;
CREATE INDEX ix_pipelines_project_sha ON pipelines (project_id, sha, id)
--;
CREATE INDEX ix_pipelines_project_status ON pipelines (project_id, status, id)
--;
CREATE INDEX ix_pipelines_project_updated ON pipelines (project_id, updated_at, id)
--;
CREATE INDEX ix_pipelines_root_id ON pipelines (root_id)
--;
CREATE INDEX ix_pipelines_schedule_id ON pipelines (schedule_id)
--;
CREATE INDEX ix_pipelines_user_id ON pipelines (user_id)
--;
CREATE TABLE project_approval_settings (
	project_id BIGINT NOT NULL,
	allow_author_approval BOOLEAN NOT NULL,
	allow_committer_approval BOOLEAN NOT NULL,
	allow_overrides_to_approver_list_per_merge_request BOOLEAN NOT NULL,
	retain_approvals_on_push BOOLEAN NOT NULL,
	selective_code_owner_removals BOOLEAN NOT NULL,
	require_reauthentication_to_approve BOOLEAN NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_approval_settings PRIMARY KEY (project_id),
	CONSTRAINT fk_project_approval_settings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE project_authorizations (
	user_id BIGINT NOT NULL,
	project_id BIGINT NOT NULL,
	access_level SMALLINT NOT NULL,
	CONSTRAINT pk_project_authorizations PRIMARY KEY (user_id, project_id),
	CONSTRAINT fk_project_authorizations_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_authorizations_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_authorizations_project_id ON project_authorizations (project_id)
--;
CREATE INDEX ix_project_authorizations_user_level ON project_authorizations (user_id, access_level)
--;
CREATE TABLE project_badges (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	name VARCHAR(255),
	link_url TEXT NOT NULL,
	image_url TEXT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_badges PRIMARY KEY (id),
	CONSTRAINT fk_project_badges_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_badges_project_id ON project_badges (project_id)
--;
CREATE TABLE project_contributions (
	user_id BIGINT NOT NULL,
	project_id BIGINT NOT NULL,
	last_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_contributions PRIMARY KEY (user_id, project_id),
	CONSTRAINT fk_project_contributions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_contributions_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_contributions_project_id ON project_contributions (project_id)
--;
CREATE TABLE project_custom_attributes (
	project_id BIGINT NOT NULL,
	key VARCHAR(255) NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_project_custom_attributes PRIMARY KEY (project_id, key),
	CONSTRAINT fk_project_custom_attributes_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_custom_attributes_key ON project_custom_attributes (key)
--;
CREATE TABLE project_export_files (
	project_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	blob_key VARCHAR(255) NOT NULL,
	file_name VARCHAR(255) NOT NULL,
	size BIGINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_export_files PRIMARY KEY (project_id, user_id),
	CONSTRAINT fk_project_export_files_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_export_files_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_export_files_created_at ON project_export_files (created_at)
--;
CREATE TABLE project_exports (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	status VARCHAR(16) NOT NULL,
	description TEXT,
	sealed_upload_url TEXT,
	upload_method VARCHAR(8),
	blob_key VARCHAR(255),
	error TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_exports PRIMARY KEY (id),
	CONSTRAINT fk_project_exports_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_exports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_exports_owner ON project_exports (project_id, user_id, id)
--;
CREATE INDEX ix_project_exports_status ON project_exports (status, updated_at)
--;
CREATE TABLE project_fetches (
	project_id BIGINT NOT NULL,
	day DATE NOT NULL,
	count INTEGER NOT NULL,
	CONSTRAINT pk_project_fetches PRIMARY KEY (project_id, day),
	CONSTRAINT fk_project_fetches_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
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
CREATE TABLE project_group_links (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	group_id BIGINT NOT NULL,
	access_level SMALLINT NOT NULL,
	expires_at DATE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_group_links PRIMARY KEY (id),
	CONSTRAINT uq_project_group_links_project_id_group_id UNIQUE (project_id, group_id),
	CONSTRAINT fk_project_group_links_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_group_links_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_group_links_group_id ON project_group_links (group_id)
--;
CREATE TABLE project_import_failures (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	correlation_id VARCHAR(64) NOT NULL,
	exception_class VARCHAR(128) NOT NULL,
	exception_message VARCHAR(255) NOT NULL,
	source VARCHAR(128) NOT NULL,
	relation_name VARCHAR(64) NOT NULL,
	line_number INTEGER NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_import_failures PRIMARY KEY (id),
	CONSTRAINT fk_project_import_failures_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_import_failures_run ON project_import_failures (project_id, correlation_id)
--;
CREATE TABLE project_import_logins (
	project_id BIGINT NOT NULL,
	sealed TEXT NOT NULL,
	CONSTRAINT pk_project_import_logins PRIMARY KEY (project_id),
	CONSTRAINT fk_project_import_logins_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE project_imports (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	correlation_id VARCHAR(64) NOT NULL,
	blob_key VARCHAR(255),
	sealed_url TEXT,
	override_params JSONB NOT NULL,
	replaces_id BIGINT,
	final_name VARCHAR(255),
	final_path VARCHAR(255),
	summary JSONB,
	ended BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_imports PRIMARY KEY (id),
	CONSTRAINT fk_project_imports_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_imports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_imports_project_id ON project_imports (project_id)
--;
CREATE TABLE project_languages (
	project_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	name_lower VARCHAR(255) NOT NULL,
	share FLOAT NOT NULL,
	CONSTRAINT pk_project_languages PRIMARY KEY (project_id, name),
	CONSTRAINT fk_project_languages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_languages_name_lower ON project_languages (name_lower)
--;
CREATE TABLE project_mirror_updates (
	project_id BIGINT NOT NULL,
	started_at TIMESTAMP WITH TIME ZONE NOT NULL,
	ended_at TIMESTAMP WITH TIME ZONE,
	succeeded_at TIMESTAMP WITH TIME ZONE,
	CONSTRAINT pk_project_mirror_updates PRIMARY KEY (project_id),
	CONSTRAINT fk_project_mirror_updates_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE project_push_rules (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	deny_delete_tag BOOLEAN DEFAULT '0' NOT NULL,
	member_check BOOLEAN DEFAULT '0' NOT NULL,
	prevent_secrets BOOLEAN DEFAULT '0' NOT NULL,
	commit_committer_check BOOLEAN DEFAULT '0' NOT NULL,
	commit_committer_name_check BOOLEAN DEFAULT '0' NOT NULL,
	reject_unsigned_commits BOOLEAN DEFAULT '0' NOT NULL,
	reject_non_dco_commits BOOLEAN DEFAULT '0' NOT NULL,
	commit_message_regex VARCHAR(511) DEFAULT '' NOT NULL,
	commit_message_negative_regex VARCHAR(511) DEFAULT '' NOT NULL,
	branch_name_regex VARCHAR(511) DEFAULT '' NOT NULL,
	author_email_regex VARCHAR(511) DEFAULT '' NOT NULL,
	file_name_regex VARCHAR(511) DEFAULT '' NOT NULL,
	max_file_size INTEGER DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_push_rules PRIMARY KEY (id),
	CONSTRAINT uq_project_push_rules_project_id UNIQUE (project_id),
	CONSTRAINT fk_project_push_rules_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE project_stars (
	user_id BIGINT NOT NULL,
	project_id BIGINT NOT NULL,
	starred_since TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_project_stars PRIMARY KEY (user_id, project_id),
	CONSTRAINT fk_project_stars_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_stars_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_stars_project_id ON project_stars (project_id)
--;
CREATE TABLE project_statistics (
	project_id BIGINT NOT NULL,
	commit_count INTEGER DEFAULT '0' NOT NULL,
	storage_size BIGINT DEFAULT '0' NOT NULL,
	repository_size BIGINT DEFAULT '0' NOT NULL,
	wiki_size BIGINT DEFAULT '0' NOT NULL,
	lfs_objects_size BIGINT DEFAULT '0' NOT NULL,
	job_artifacts_size BIGINT DEFAULT '0' NOT NULL,
	pipeline_artifacts_size BIGINT DEFAULT '0' NOT NULL,
	packages_size BIGINT DEFAULT '0' NOT NULL,
	snippets_size BIGINT DEFAULT '0' NOT NULL,
	uploads_size BIGINT DEFAULT '0' NOT NULL,
	container_registry_size BIGINT DEFAULT '0' NOT NULL,
	CONSTRAINT pk_project_statistics PRIMARY KEY (project_id),
	CONSTRAINT fk_project_statistics_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_statistics_packages_size ON project_statistics (packages_size, project_id)
--;
CREATE INDEX ix_project_statistics_repository_size ON project_statistics (repository_size, project_id)
--;
CREATE INDEX ix_project_statistics_storage_size ON project_statistics (storage_size, project_id)
--;
CREATE INDEX ix_project_statistics_wiki_size ON project_statistics (wiki_size, project_id)
--;
CREATE TABLE project_topics (
	project_id BIGINT NOT NULL,
	topic_id BIGINT NOT NULL,
	CONSTRAINT pk_project_topics PRIMARY KEY (project_id, topic_id),
	CONSTRAINT fk_project_topics_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_topics_topic_id FOREIGN KEY(topic_id) REFERENCES topics (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_topics_topic_id ON project_topics (topic_id)
--;
CREATE TABLE protected_branches (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	allow_force_push BOOLEAN DEFAULT '0' NOT NULL,
	code_owner_approval_required BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_protected_branches PRIMARY KEY (id),
	CONSTRAINT uq_protected_branches_project_id_name UNIQUE (project_id, name),
	CONSTRAINT fk_protected_branches_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
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
CREATE TABLE protected_tags (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_protected_tags PRIMARY KEY (id),
	CONSTRAINT uq_protected_tags_project_id_name UNIQUE (project_id, name),
	CONSTRAINT fk_protected_tags_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE push_notes (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	user_id BIGINT,
	refs JSONB NOT NULL,
	moved_to JSONB,
	options JSONB NOT NULL,
	merge_request_id BIGINT,
	attempts INTEGER NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	taken_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_push_notes PRIMARY KEY (id),
	CONSTRAINT fk_push_notes_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_push_notes_merge_request_id ON push_notes (merge_request_id)
--;
CREATE INDEX ix_push_notes_project_id ON push_notes (project_id)
--;
CREATE INDEX ix_push_notes_taken_at ON push_notes (taken_at)
--;
CREATE TABLE redirects (
	path_lower VARCHAR(1024) NOT NULL,
	project_id BIGINT,
	namespace_id BIGINT,
	CONSTRAINT pk_redirects PRIMARY KEY (path_lower),
	CONSTRAINT fk_redirects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_redirects_namespace_id FOREIGN KEY(namespace_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_redirects_namespace_id ON redirects (namespace_id)
--;
CREATE INDEX ix_redirects_project_id ON redirects (project_id)
--;
CREATE TABLE relation_exports (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	relation VARCHAR(64) NOT NULL,
	run VARCHAR(32) NOT NULL,
	status SMALLINT NOT NULL,
	error TEXT,
	batched BOOLEAN NOT NULL,
	batches_count INTEGER NOT NULL,
	total_objects_count INTEGER NOT NULL,
	blob_key VARCHAR(255),
	size BIGINT DEFAULT '0' NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_relation_exports PRIMARY KEY (id),
	CONSTRAINT uq_relation_exports_project_id_user_id_relation UNIQUE (project_id, user_id, relation),
	CONSTRAINT fk_relation_exports_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_relation_exports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_relation_exports_updated_at ON relation_exports (updated_at)
--;
CREATE TABLE relation_imports (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	relation VARCHAR(32) NOT NULL,
	status VARCHAR(16) NOT NULL,
	blob_key VARCHAR(255),
	correlation_id VARCHAR(64) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_relation_imports PRIMARY KEY (id),
	CONSTRAINT fk_relation_imports_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_relation_imports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_relation_imports_project_id ON relation_imports (project_id)
--;
CREATE TABLE releases (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	author_id BIGINT,
	tag VARCHAR(255) NOT NULL,
	name VARCHAR(255) NOT NULL,
	description TEXT,
	sha VARCHAR(64),
	released_at TIMESTAMP WITH TIME ZONE NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_releases PRIMARY KEY (id),
	CONSTRAINT uq_releases_project_id_tag UNIQUE (project_id, tag),
	CONSTRAINT fk_releases_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_releases_author_id ON releases (author_id)
--;
CREATE INDEX ix_releases_project_released_at ON releases (project_id, released_at, id)
--;
CREATE TABLE remote_mirrors (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	enabled BOOLEAN DEFAULT false NOT NULL,
	url TEXT NOT NULL,
	shown_url TEXT NOT NULL,
	sealed_login TEXT,
	auth_method VARCHAR(16) DEFAULT 'password' NOT NULL,
	sealed_key TEXT,
	public_key TEXT,
	host_keys JSON NOT NULL,
	only_protected_branches BOOLEAN DEFAULT false NOT NULL,
	keep_divergent_refs BOOLEAN DEFAULT false NOT NULL,
	mirror_branch_regex TEXT,
	update_status VARCHAR(16) DEFAULT 'none' NOT NULL,
	last_error TEXT,
	last_update_at TIMESTAMP WITH TIME ZONE,
	last_update_started_at TIMESTAMP WITH TIME ZONE,
	last_successful_update_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_remote_mirrors PRIMARY KEY (id),
	CONSTRAINT fk_remote_mirrors_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_remote_mirrors_project_id ON remote_mirrors (project_id)
--;
CREATE TABLE resource_bots (
	user_id BIGINT NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	CONSTRAINT pk_resource_bots PRIMARY KEY (user_id),
	CONSTRAINT ck_resource_bots_one_source CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT fk_resource_bots_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_bots_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_bots_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_resource_bots_group_id ON resource_bots (group_id)
--;
CREATE INDEX ix_resource_bots_project_id ON resource_bots (project_id)
--;
CREATE TABLE resource_groups (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	key VARCHAR(255) NOT NULL,
	process_mode VARCHAR(32) DEFAULT 'unordered' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_resource_groups PRIMARY KEY (id),
	CONSTRAINT uq_resource_groups_project_id_key UNIQUE (project_id, key),
	CONSTRAINT fk_resource_groups_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE runner_projects (
	id BIGSERIAL NOT NULL,
	runner_id BIGINT NOT NULL,
	project_id BIGINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_runner_projects PRIMARY KEY (id),
	CONSTRAINT uq_runner_projects_runner_id_project_id UNIQUE (runner_id, project_id),
	CONSTRAINT fk_runner_projects_runner_id FOREIGN KEY(runner_id) REFERENCES runners (id) ON DELETE CASCADE,
	CONSTRAINT fk_runner_projects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_runner_projects_project_id ON runner_projects (project_id)
--;
CREATE TABLE saml_group_links (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	saml_group_name VARCHAR(255) NOT NULL,
	provider VARCHAR(255) NOT NULL,
	access_level SMALLINT NOT NULL,
	member_role_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_saml_group_links PRIMARY KEY (id),
	CONSTRAINT uq_saml_group_links_group_id_saml_group_name_provider UNIQUE (group_id, saml_group_name, provider),
	CONSTRAINT fk_saml_group_links_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_saml_group_links_member_role_id FOREIGN KEY(member_role_id) REFERENCES member_roles (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_saml_group_links_member_role_id ON saml_group_links (member_role_id)
--;
CREATE TABLE saml_pending_links (
	digest VARCHAR(64) NOT NULL,
	saml_provider_id BIGINT NOT NULL,
	extern_uid VARCHAR(255) NOT NULL,
	groups JSONB NOT NULL,
	requested_by_id BIGINT,
	return_to TEXT NOT NULL,
	session_until TIMESTAMP WITH TIME ZONE,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_saml_pending_links PRIMARY KEY (digest),
	CONSTRAINT fk_saml_pending_links_saml_provider_id FOREIGN KEY(saml_provider_id) REFERENCES saml_providers (id) ON DELETE CASCADE,
	CONSTRAINT fk_saml_pending_links_requested_by_id FOREIGN KEY(requested_by_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_saml_pending_links_expires_at ON saml_pending_links (expires_at)
--;
CREATE INDEX ix_saml_pending_links_saml_provider_id ON saml_pending_links (saml_provider_id)
--;
CREATE TABLE saml_used_assertions (
	saml_provider_id BIGINT NOT NULL,
	digest VARCHAR(64) NOT NULL,
	expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_saml_used_assertions PRIMARY KEY (saml_provider_id, digest),
	CONSTRAINT fk_saml_used_assertions_saml_provider_id FOREIGN KEY(saml_provider_id) REFERENCES saml_providers (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_saml_used_assertions_expires_at ON saml_used_assertions (expires_at)
--;
CREATE TABLE scim_identities (
	id BIGSERIAL NOT NULL,
	group_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	extern_uid VARCHAR(255) NOT NULL,
	extern_uid_lower VARCHAR(255) NOT NULL,
	active BOOLEAN NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_scim_identities PRIMARY KEY (id),
	CONSTRAINT uq_scim_identities_group_id_extern_uid_lower UNIQUE (group_id, extern_uid_lower),
	CONSTRAINT uq_scim_identities_group_id_user_id UNIQUE (group_id, user_id),
	CONSTRAINT fk_scim_identities_group_id FOREIGN KEY(group_id) REFERENCES saml_providers (group_id) ON DELETE CASCADE,
	CONSTRAINT fk_scim_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_scim_identities_user_id ON scim_identities (user_id)
--;
CREATE TABLE scim_tokens (
	group_id BIGINT NOT NULL,
	digest VARCHAR(64) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_scim_tokens PRIMARY KEY (group_id),
	CONSTRAINT fk_scim_tokens_group_id FOREIGN KEY(group_id) REFERENCES saml_providers (group_id) ON DELETE CASCADE,
	CONSTRAINT uq_scim_tokens_digest UNIQUE (digest)
)
--;
CREATE TABLE snippets (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	author_id BIGINT NOT NULL,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	visibility SMALLINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_snippets PRIMARY KEY (id),
	CONSTRAINT fk_snippets_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_snippets_author_id ON snippets (author_id)
--;
CREATE INDEX ix_snippets_project_id ON snippets (project_id)
--;
CREATE TABLE todos (
	id BIGSERIAL NOT NULL,
	user_id BIGINT NOT NULL,
	author_id BIGINT,
	project_id BIGINT,
	target_type VARCHAR(32) NOT NULL,
	target_id BIGINT,
	commit_id VARCHAR(64),
	note_id BIGINT,
	action VARCHAR(32) NOT NULL,
	body TEXT NOT NULL,
	state VARCHAR(8) DEFAULT 'pending' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_todos PRIMARY KEY (id),
	CONSTRAINT fk_todos_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_todos_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_todos_project_id ON todos (project_id)
--;
CREATE INDEX ix_todos_target ON todos (target_type, target_id)
--;
CREATE INDEX ix_todos_user_state ON todos (user_id, state, id)
--;
CREATE TABLE uploads (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	secret VARCHAR(32) NOT NULL,
	filename VARCHAR(255) NOT NULL,
	size BIGINT NOT NULL,
	media_type VARCHAR(100) NOT NULL,
	blob_key VARCHAR(255) NOT NULL,
	uploaded_by_id BIGINT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_uploads PRIMARY KEY (id),
	CONSTRAINT ck_uploads_one_owner CHECK ((project_id IS NULL) <> (group_id IS NULL)),
	CONSTRAINT fk_uploads_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_uploads_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_uploads_uploaded_by_id FOREIGN KEY(uploaded_by_id) REFERENCES users (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_uploads_group_id_newest ON uploads (group_id, created_at, id)
--;
CREATE INDEX ix_uploads_project_id_newest ON uploads (project_id, created_at, id)
--;
CREATE INDEX ix_uploads_uploaded_by_id ON uploads (uploaded_by_id)
--;
CREATE UNIQUE INDEX uq_uploads_group_id_secret ON uploads (group_id, secret, filename)
--;
CREATE UNIQUE INDEX uq_uploads_project_id_secret ON uploads (project_id, secret, filename)
--;
CREATE TABLE web_hooks (
	id BIGSERIAL NOT NULL,
	kind VARCHAR(8) NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	url TEXT NOT NULL,
	name VARCHAR(255),
	description TEXT,
	sealed_token TEXT,
	sealed_signing_token TEXT,
	enable_ssl_verification BOOLEAN DEFAULT '1' NOT NULL,
	push_events BOOLEAN NOT NULL,
	tag_push_events BOOLEAN NOT NULL,
	merge_requests_events BOOLEAN NOT NULL,
	repository_update_events BOOLEAN NOT NULL,
	issues_events BOOLEAN NOT NULL,
	confidential_issues_events BOOLEAN NOT NULL,
	note_events BOOLEAN NOT NULL,
	confidential_note_events BOOLEAN,
	job_events BOOLEAN NOT NULL,
	pipeline_events BOOLEAN NOT NULL,
	wiki_page_events BOOLEAN NOT NULL,
	deployment_events BOOLEAN NOT NULL,
	releases_events BOOLEAN NOT NULL,
	feature_flag_events BOOLEAN NOT NULL,
	emoji_events BOOLEAN NOT NULL,
	resource_access_token_events BOOLEAN NOT NULL,
	vulnerability_events BOOLEAN NOT NULL,
	milestone_events BOOLEAN NOT NULL,
	resource_deploy_token_events BOOLEAN NOT NULL,
	member_events BOOLEAN NOT NULL,
	subgroup_events BOOLEAN NOT NULL,
	project_events BOOLEAN NOT NULL,
	push_events_branch_filter TEXT,
	branch_filter_strategy VARCHAR(16) DEFAULT 'wildcard' NOT NULL,
	url_variables JSONB NOT NULL,
	custom_headers JSONB NOT NULL,
	custom_webhook_template TEXT,
	recent_failures INTEGER DEFAULT '0' NOT NULL,
	disabled_until TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_web_hooks PRIMARY KEY (id),
	CONSTRAINT fk_web_hooks_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_web_hooks_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_web_hooks_group_id ON web_hooks (group_id)
--;
CREATE INDEX ix_web_hooks_project_id ON web_hooks (project_id)
--;
CREATE INDEX ix_web_hooks_system ON web_hooks (id) WHERE kind = 'system'
--;
CREATE TABLE wiki_pages (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	slug TEXT NOT NULL,
	title TEXT NOT NULL,
	format VARCHAR(16) NOT NULL,
	CONSTRAINT pk_wiki_pages PRIMARY KEY (id),
	CONSTRAINT uq_wiki_pages_project_id_slug UNIQUE (project_id, slug),
	CONSTRAINT uq_wiki_pages_group_id_slug UNIQUE (group_id, slug),
	CONSTRAINT ck_wiki_pages_one_owner CHECK ((project_id IS NULL) <> (group_id IS NULL)),
	CONSTRAINT fk_wiki_pages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_wiki_pages_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE wikis (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	head VARCHAR(64),
	writing_since TIMESTAMP WITH TIME ZONE,
	writer_id BIGINT,
	CONSTRAINT pk_wikis PRIMARY KEY (id),
	CONSTRAINT uq_wikis_project_id UNIQUE (project_id),
	CONSTRAINT uq_wikis_group_id UNIQUE (group_id),
	CONSTRAINT ck_wikis_one_owner CHECK ((project_id IS NULL) <> (group_id IS NULL)),
	CONSTRAINT fk_wikis_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_wikis_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_wikis_writer_id FOREIGN KEY(writer_id) REFERENCES users (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_wikis_writer_id ON wikis (writer_id)
--;
CREATE INDEX ix_wikis_writing_since ON wikis (writing_since)
--;
CREATE TABLE approval_project_rule_branches (
	rule_id BIGINT NOT NULL,
	protected_branch_id BIGINT NOT NULL,
	CONSTRAINT pk_approval_project_rule_branches PRIMARY KEY (rule_id, protected_branch_id),
	CONSTRAINT fk_approval_project_rule_branches_rule_id FOREIGN KEY(rule_id) REFERENCES approval_project_rules (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_project_rule_branches_protected_branch_id FOREIGN KEY(protected_branch_id) REFERENCES protected_branches (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_project_rule_branches_protected_branch_id ON approval_project_rule_branches (protected_branch_id)
--;
CREATE TABLE approval_project_rule_groups (
	rule_id BIGINT NOT NULL,
	group_id BIGINT NOT NULL,
	CONSTRAINT pk_approval_project_rule_groups PRIMARY KEY (rule_id, group_id),
	CONSTRAINT fk_approval_project_rule_groups_rule_id FOREIGN KEY(rule_id) REFERENCES approval_project_rules (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_project_rule_groups_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_project_rule_groups_group_id ON approval_project_rule_groups (group_id)
--;
CREATE TABLE approval_project_rule_users (
	rule_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	CONSTRAINT pk_approval_project_rule_users PRIMARY KEY (rule_id, user_id),
	CONSTRAINT fk_approval_project_rule_users_rule_id FOREIGN KEY(rule_id) REFERENCES approval_project_rules (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_project_rule_users_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_project_rule_users_user_id ON approval_project_rule_users (user_id)
--;
CREATE TABLE boards (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	group_id BIGINT,
	name VARCHAR(255) NOT NULL,
	hide_backlog_list BOOLEAN DEFAULT '0' NOT NULL,
	hide_closed_list BOOLEAN DEFAULT '0' NOT NULL,
	assignee_id BIGINT,
	milestone_id BIGINT,
	weight INTEGER,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_boards PRIMARY KEY (id),
	CONSTRAINT ck_boards_one_owner CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT fk_boards_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_boards_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_boards_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE SET NULL,
	CONSTRAINT fk_boards_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_boards_assignee_id ON boards (assignee_id)
--;
CREATE INDEX ix_boards_group_id ON boards (group_id)
--;
CREATE INDEX ix_boards_milestone_id ON boards (milestone_id)
--;
CREATE INDEX ix_boards_project_id ON boards (project_id)
--;
CREATE TABLE ci_jobs (
	id BIGSERIAL NOT NULL,
	kind VARCHAR(8) NOT NULL,
	project_id BIGINT NOT NULL,
	pipeline_id BIGINT NOT NULL,
	user_id BIGINT,
	name VARCHAR(255) NOT NULL,
	stage VARCHAR(255) NOT NULL,
	stage_index SMALLINT NOT NULL,
	ref VARCHAR(1024) NOT NULL,
	is_tag BOOLEAN DEFAULT '0' NOT NULL,
	is_protected BOOLEAN DEFAULT '0' NOT NULL,
	status VARCHAR(32) NOT NULL,
	failure_reason VARCHAR(64),
	exit_code INTEGER,
	"when" VARCHAR(16) DEFAULT 'on_success' NOT NULL,
	allow_failure BOOLEAN DEFAULT '0' NOT NULL,
	interruptible BOOLEAN DEFAULT '0' NOT NULL,
	needs JSONB,
	is_retried BOOLEAN DEFAULT '0' NOT NULL,
	attempt SMALLINT DEFAULT '0' NOT NULL,
	scheduled_at TIMESTAMP WITH TIME ZONE,
	timeout INTEGER,
	tag_list JSONB NOT NULL,
	has_environment BOOLEAN DEFAULT '0' NOT NULL,
	resource_group_id BIGINT,
	token_digest VARCHAR(64),
	runner_id BIGINT,
	runner_manager_id BIGINT,
	cancels_gracefully BOOLEAN DEFAULT '0' NOT NULL,
	debug_trace BOOLEAN DEFAULT '0' NOT NULL,
	contacted_at TIMESTAMP WITH TIME ZONE,
	coverage FLOAT,
	artifacts_expire_at TIMESTAMP WITH TIME ZONE,
	erased_at TIMESTAMP WITH TIME ZONE,
	erased_by_id BIGINT,
	downstream_id BIGINT,
	target_url TEXT,
	description TEXT,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	queued_at TIMESTAMP WITH TIME ZONE,
	started_at TIMESTAMP WITH TIME ZONE,
	finished_at TIMESTAMP WITH TIME ZONE,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	own_variables TEXT,
	dotenv JSONB,
	environment_url TEXT,
	plan JSONB,
	CONSTRAINT pk_ci_jobs PRIMARY KEY (id),
	CONSTRAINT fk_ci_jobs_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_ci_jobs_pipeline_id FOREIGN KEY(pipeline_id) REFERENCES pipelines (id) ON DELETE CASCADE,
	CONSTRAINT fk_ci_jobs_resource_group_id FOREIGN KEY(resource_group_id) REFERENCES resource_groups (id) ON DELETE SET NULL,
	CONSTRAINT uq_ci_jobs_token_digest UNIQUE (token_digest)
)
--;
CREATE INDEX ix_ci_jobs_downstream_id ON ci_jobs (downstream_id)
--;
CREATE INDEX ix_ci_jobs_pipeline ON ci_jobs (pipeline_id, is_retried, id)
--;
CREATE INDEX ix_ci_jobs_project_id_id ON ci_jobs (project_id, id)
--;
CREATE INDEX ix_ci_jobs_queue ON ci_jobs (status, kind, id)
--;
CREATE INDEX ix_ci_jobs_resource ON ci_jobs (resource_group_id, status)
--;
CREATE INDEX ix_ci_jobs_runner ON ci_jobs (runner_id, id)
--;
CREATE INDEX ix_ci_jobs_scheduled ON ci_jobs (scheduled_at)
--;
CREATE TABLE deployments (
	id BIGSERIAL NOT NULL,
	iid INTEGER NOT NULL,
	project_id BIGINT NOT NULL,
	environment_id BIGINT NOT NULL,
	job_id BIGINT,
	user_id BIGINT,
	ref VARCHAR(255) NOT NULL,
	is_tag BOOLEAN DEFAULT '0' NOT NULL,
	sha VARCHAR(64) NOT NULL,
	status VARCHAR(16) NOT NULL,
	finished_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_deployments PRIMARY KEY (id),
	CONSTRAINT uq_deployments_project_id_iid UNIQUE (project_id, iid),
	CONSTRAINT fk_deployments_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_deployments_environment_id FOREIGN KEY(environment_id) REFERENCES environments (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_deployments_environment_id ON deployments (environment_id)
--;
CREATE INDEX ix_deployments_finished ON deployments (finished_at)
--;
CREATE INDEX ix_deployments_job_id ON deployments (job_id)
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
CREATE TABLE integration_messages (
	id BIGSERIAL NOT NULL,
	integration_id BIGINT NOT NULL,
	flag VARCHAR(64) NOT NULL,
	mark VARCHAR(64) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_integration_messages PRIMARY KEY (id),
	CONSTRAINT fk_integration_messages_integration_id FOREIGN KEY(integration_id) REFERENCES integrations (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_integration_messages_integration_id ON integration_messages (integration_id)
--;
CREATE TABLE issues (
	id BIGSERIAL NOT NULL,
	iid INTEGER NOT NULL,
	project_id BIGINT NOT NULL,
	author_id BIGINT,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	state VARCHAR(16) DEFAULT 'opened' NOT NULL,
	confidential BOOLEAN DEFAULT '0' NOT NULL,
	discussion_locked BOOLEAN,
	issue_type VARCHAR(32) DEFAULT 'issue' NOT NULL,
	weight INTEGER,
	milestone_id BIGINT,
	due_date DATE,
	closed_at TIMESTAMP WITH TIME ZONE,
	closed_by_id BIGINT,
	updated_by_id BIGINT,
	last_edited_at TIMESTAMP WITH TIME ZONE,
	last_edited_by_id BIGINT,
	health_status VARCHAR(32),
	moved_to_id BIGINT,
	external_key VARCHAR(255),
	task_count INTEGER DEFAULT '0' NOT NULL,
	task_completed_count INTEGER DEFAULT '0' NOT NULL,
	time_estimate INTEGER DEFAULT '0' NOT NULL,
	total_time_spent INTEGER DEFAULT '0' NOT NULL,
	upvotes INTEGER DEFAULT '0' NOT NULL,
	downvotes INTEGER DEFAULT '0' NOT NULL,
	user_notes_count INTEGER DEFAULT '0' NOT NULL,
	relative_position INTEGER,
	imported_from VARCHAR(32) DEFAULT 'none' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_issues PRIMARY KEY (id),
	CONSTRAINT uq_issues_project_id_iid UNIQUE (project_id, iid),
	CONSTRAINT fk_issues_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_issues_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_issues_author_created ON issues (author_id, created_at, id)
--;
CREATE INDEX ix_issues_confidential ON issues (project_id, state) WHERE confidential
--;
CREATE INDEX ix_issues_created ON issues (created_at, id)
--;
CREATE INDEX ix_issues_milestone_id ON issues (milestone_id)
--;
CREATE INDEX ix_issues_project_created ON issues (project_id, created_at, id)
--;
CREATE INDEX ix_issues_project_state ON issues (project_id, state, id)
--;
CREATE TABLE label_priorities (
	project_id BIGINT NOT NULL,
	label_id BIGINT NOT NULL,
	priority INTEGER NOT NULL,
	CONSTRAINT pk_label_priorities PRIMARY KEY (project_id, label_id),
	CONSTRAINT fk_label_priorities_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_label_priorities_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_label_priorities_label_id ON label_priorities (label_id)
--;
CREATE TABLE label_subscriptions (
	label_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	CONSTRAINT pk_label_subscriptions PRIMARY KEY (label_id, user_id),
	CONSTRAINT fk_label_subscriptions_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE,
	CONSTRAINT fk_label_subscriptions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE merge_requests (
	id BIGSERIAL NOT NULL,
	iid INTEGER NOT NULL,
	project_id BIGINT NOT NULL,
	source_project_id BIGINT,
	source_branch VARCHAR(255) NOT NULL,
	target_branch VARCHAR(255) NOT NULL,
	author_id BIGINT,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	state VARCHAR(8) DEFAULT 'opened' NOT NULL,
	is_draft BOOLEAN DEFAULT '0' NOT NULL,
	milestone_id BIGINT,
	squash BOOLEAN DEFAULT '0' NOT NULL,
	discussion_locked BOOLEAN,
	force_remove_source_branch BOOLEAN,
	should_remove_source_branch BOOLEAN,
	allow_collaboration BOOLEAN DEFAULT '0' NOT NULL,
	merge_after TIMESTAMP WITH TIME ZONE,
	approvals_before_merge INTEGER,
	auto_merge BOOLEAN DEFAULT '0' NOT NULL,
	auto_merge_user_id BIGINT,
	auto_merge_options JSONB,
	merge_status VARCHAR(32) DEFAULT 'unchecked' NOT NULL,
	merge_error TEXT,
	head_sha VARCHAR(64),
	base_sha VARCHAR(64),
	start_sha VARCHAR(64),
	checked_target_sha VARCHAR(64),
	source_branch_exists BOOLEAN DEFAULT '1' NOT NULL,
	target_branch_exists BOOLEAN DEFAULT '1' NOT NULL,
	needs_rebase BOOLEAN DEFAULT '0' NOT NULL,
	commits_count INTEGER DEFAULT '0' NOT NULL,
	changes_count VARCHAR(16),
	rebase_in_progress BOOLEAN DEFAULT '0' NOT NULL,
	head_pipeline_id BIGINT,
	merge_commit_sha VARCHAR(64),
	squash_commit_sha VARCHAR(64),
	in_progress_merge_sha VARCHAR(64),
	locked_at TIMESTAMP WITH TIME ZONE,
	prepared_at TIMESTAMP WITH TIME ZONE,
	merged_at TIMESTAMP WITH TIME ZONE,
	merged_by_id BIGINT,
	closed_at TIMESTAMP WITH TIME ZONE,
	closed_by_id BIGINT,
	first_contribution BOOLEAN,
	user_notes_count INTEGER DEFAULT '0' NOT NULL,
	unresolved_threads INTEGER DEFAULT '0' NOT NULL,
	upvotes INTEGER DEFAULT '0' NOT NULL,
	downvotes INTEGER DEFAULT '0' NOT NULL,
	task_count INTEGER DEFAULT '0' NOT NULL,
	task_completed_count INTEGER DEFAULT '0' NOT NULL,
	time_estimate INTEGER DEFAULT '0' NOT NULL,
	total_time_spent INTEGER DEFAULT '0' NOT NULL,
	imported_from VARCHAR(32) DEFAULT 'none' NOT NULL,
	is_labelled BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_merge_requests PRIMARY KEY (id),
	CONSTRAINT uq_merge_requests_project_id_iid UNIQUE (project_id, iid),
	CONSTRAINT fk_merge_requests_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_requests_source_project_id FOREIGN KEY(source_project_id) REFERENCES projects (id) ON DELETE SET NULL,
	CONSTRAINT fk_merge_requests_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_merge_requests_author ON merge_requests (author_id, id)
--;
CREATE INDEX ix_merge_requests_created ON merge_requests (created_at, id)
--;
CREATE INDEX ix_merge_requests_head_sha ON merge_requests (head_sha)
--;
CREATE INDEX ix_merge_requests_milestone_id ON merge_requests (milestone_id)
--;
CREATE INDEX ix_merge_requests_project_author ON merge_requests (project_id, author_id, created_at, id)
--;
CREATE INDEX ix_merge_requests_project_created ON merge_requests (project_id, created_at, id)
--;
CREATE INDEX ix_merge_requests_project_labelled ON merge_requests (project_id, is_labelled, created_at, id)
--;
CREATE INDEX ix_merge_requests_project_state ON merge_requests (project_id, state, created_at, id)
--;
CREATE INDEX ix_merge_requests_project_updated ON merge_requests (project_id, updated_at, id)
--;
CREATE INDEX ix_merge_requests_source ON merge_requests (source_project_id, source_branch)
--;
CREATE INDEX ix_merge_requests_source_project_id ON merge_requests (source_project_id)
--;
CREATE INDEX ix_merge_requests_target ON merge_requests (project_id, target_branch)
--;
CREATE TABLE pipeline_schedule_variables (
	id BIGSERIAL NOT NULL,
	schedule_id BIGINT NOT NULL,
	key VARCHAR(255) NOT NULL,
	sealed_value TEXT NOT NULL,
	variable_type VARCHAR(8) DEFAULT 'env_var' NOT NULL,
	raw BOOLEAN DEFAULT '0' NOT NULL,
	CONSTRAINT pk_pipeline_schedule_variables PRIMARY KEY (id),
	CONSTRAINT uq_pipeline_schedule_variables_schedule_id_key UNIQUE (schedule_id, key),
	CONSTRAINT fk_pipeline_schedule_variables_schedule_id FOREIGN KEY(schedule_id) REFERENCES pipeline_schedules (id) ON DELETE CASCADE
)
--;
CREATE TABLE pipeline_variables (
	id BIGSERIAL NOT NULL,
	pipeline_id BIGINT NOT NULL,
	key VARCHAR(255) NOT NULL,
	sealed_value TEXT NOT NULL,
	variable_type VARCHAR(8) DEFAULT 'env_var' NOT NULL,
	raw BOOLEAN DEFAULT '0' NOT NULL,
	CONSTRAINT pk_pipeline_variables PRIMARY KEY (id),
	CONSTRAINT uq_pipeline_variables_pipeline_id_key UNIQUE (pipeline_id, key),
	CONSTRAINT fk_pipeline_variables_pipeline_id FOREIGN KEY(pipeline_id) REFERENCES pipelines (id) ON DELETE CASCADE
)
--;
CREATE TABLE protected_branch_access_levels (
	id BIGSERIAL NOT NULL,
	protected_branch_id BIGINT NOT NULL,
	kind VARCHAR(16) NOT NULL,
	access_level SMALLINT,
	user_id BIGINT,
	group_id BIGINT,
	CONSTRAINT pk_protected_branch_access_levels PRIMARY KEY (id),
	CONSTRAINT fk_protected_branch_access_levels_protected_branch_id FOREIGN KEY(protected_branch_id) REFERENCES protected_branches (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_branch_access_levels_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_branch_access_levels_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_protected_branch_access_levels_protected_branch_id ON protected_branch_access_levels (protected_branch_id)
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
CREATE TABLE protected_tag_access_levels (
	id BIGSERIAL NOT NULL,
	protected_tag_id BIGINT NOT NULL,
	access_level SMALLINT,
	user_id BIGINT,
	group_id BIGINT,
	CONSTRAINT pk_protected_tag_access_levels PRIMARY KEY (id),
	CONSTRAINT fk_protected_tag_access_levels_protected_tag_id FOREIGN KEY(protected_tag_id) REFERENCES protected_tags (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_tag_access_levels_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_tag_access_levels_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_protected_tag_access_levels_protected_tag_id ON protected_tag_access_levels (protected_tag_id)
--;
CREATE TABLE relation_export_batches (
	export_id BIGINT NOT NULL,
	batch_number INTEGER NOT NULL,
	status SMALLINT NOT NULL,
	objects_count INTEGER NOT NULL,
	error TEXT,
	blob_key VARCHAR(255),
	size BIGINT DEFAULT '0' NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_relation_export_batches PRIMARY KEY (export_id, batch_number),
	CONSTRAINT fk_relation_export_batches_export_id FOREIGN KEY(export_id) REFERENCES relation_exports (id) ON DELETE CASCADE
)
--;
CREATE TABLE release_evidences (
	id BIGSERIAL NOT NULL,
	release_id BIGINT NOT NULL,
	sha VARCHAR(64) NOT NULL,
	summary TEXT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_release_evidences PRIMARY KEY (id),
	CONSTRAINT fk_release_evidences_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_release_evidences_release_id ON release_evidences (release_id)
--;
CREATE TABLE release_links (
	id BIGSERIAL NOT NULL,
	release_id BIGINT NOT NULL,
	name VARCHAR(255) NOT NULL,
	url TEXT NOT NULL,
	filepath VARCHAR(128),
	link_type VARCHAR(16) DEFAULT 'other' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_release_links PRIMARY KEY (id),
	CONSTRAINT uq_release_links_release_id_name UNIQUE (release_id, name),
	CONSTRAINT fk_release_links_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE
)
--;
CREATE TABLE release_milestones (
	release_id BIGINT NOT NULL,
	milestone_id BIGINT NOT NULL,
	CONSTRAINT pk_release_milestones PRIMARY KEY (release_id, milestone_id),
	CONSTRAINT fk_release_milestones_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE,
	CONSTRAINT fk_release_milestones_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_release_milestones_milestone_id ON release_milestones (milestone_id)
--;
CREATE TABLE snippet_files (
	snippet_id BIGINT NOT NULL,
	path VARCHAR(255) NOT NULL,
	position INTEGER NOT NULL,
	content TEXT NOT NULL,
	CONSTRAINT pk_snippet_files PRIMARY KEY (snippet_id, path),
	CONSTRAINT fk_snippet_files_snippet_id FOREIGN KEY(snippet_id) REFERENCES snippets (id) ON DELETE CASCADE
)
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
CREATE TABLE suggestions (
	id BIGSERIAL NOT NULL,
	note_id BIGINT NOT NULL,
	relative_order INTEGER NOT NULL,
	lines_above INTEGER DEFAULT '0' NOT NULL,
	lines_below INTEGER DEFAULT '0' NOT NULL,
	from_content TEXT NOT NULL,
	to_content TEXT NOT NULL,
	applied BOOLEAN DEFAULT '0' NOT NULL,
	outdated BOOLEAN DEFAULT '0' NOT NULL,
	commit_id VARCHAR(64),
	CONSTRAINT pk_suggestions PRIMARY KEY (id),
	CONSTRAINT fk_suggestions_note_id FOREIGN KEY(note_id) REFERENCES notes (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_suggestions_note_id ON suggestions (note_id)
--;
CREATE TABLE web_hook_logs (
	id BIGSERIAL NOT NULL,
	hook_id BIGINT NOT NULL,
	flag VARCHAR(40),
	url TEXT NOT NULL,
	url_digest VARCHAR(64) NOT NULL,
	event_uuid VARCHAR(36) NOT NULL,
	idempotency_key VARCHAR(36) NOT NULL,
	request_headers JSONB NOT NULL,
	request_data TEXT NOT NULL,
	response_headers JSONB NOT NULL,
	response_body TEXT NOT NULL,
	response_status VARCHAR(16) NOT NULL,
	execution_duration FLOAT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_web_hook_logs PRIMARY KEY (id),
	CONSTRAINT fk_web_hook_logs_hook_id FOREIGN KEY(hook_id) REFERENCES web_hooks (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_web_hook_logs_created_at ON web_hook_logs (created_at)
--;
CREATE INDEX ix_web_hook_logs_event_uuid ON web_hook_logs (event_uuid)
--;
CREATE INDEX ix_web_hook_logs_hook_id_id ON web_hook_logs (hook_id, id)
--;
CREATE TABLE web_hook_messages (
	id BIGSERIAL NOT NULL,
	hook_id BIGINT NOT NULL,
	flag VARCHAR(40),
	subject VARCHAR(255) NOT NULL,
	event_uuid VARCHAR(36) NOT NULL,
	idempotency_key VARCHAR(36) NOT NULL,
	mark VARCHAR(40) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSONB NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_web_hook_messages PRIMARY KEY (id),
	CONSTRAINT fk_web_hook_messages_hook_id FOREIGN KEY(hook_id) REFERENCES web_hooks (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_web_hook_messages_event_uuid ON web_hook_messages (event_uuid)
--;
CREATE INDEX ix_web_hook_messages_hook_id_id ON web_hook_messages (hook_id, id)
--;
CREATE TABLE web_hook_token_warnings (
	id BIGSERIAL NOT NULL,
	access_token_id BIGINT,
	deploy_token_id BIGINT,
	days SMALLINT NOT NULL,
	CONSTRAINT pk_web_hook_token_warnings PRIMARY KEY (id),
	CONSTRAINT ck_web_hook_token_warnings_one_token CHECK ((access_token_id IS NULL) <> (deploy_token_id IS NULL)),
	CONSTRAINT fk_web_hook_token_warnings_access_token_id FOREIGN KEY(access_token_id) REFERENCES personal_access_tokens (id) ON DELETE CASCADE,
	CONSTRAINT fk_web_hook_token_warnings_deploy_token_id FOREIGN KEY(deploy_token_id) REFERENCES deploy_tokens (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_web_hook_token_warnings_access_token_id ON web_hook_token_warnings (access_token_id)
--;
CREATE INDEX ix_web_hook_token_warnings_deploy_token_id ON web_hook_token_warnings (deploy_token_id)
--;
CREATE TABLE approval_merge_request_rules (
	id BIGSERIAL NOT NULL,
	merge_request_id BIGINT NOT NULL,
	source_rule_id BIGINT,
	name VARCHAR(1024) NOT NULL,
	approvals_required INTEGER DEFAULT '0' NOT NULL,
	rule_type VARCHAR(32) DEFAULT 'regular' NOT NULL,
	report_type VARCHAR(32),
	section VARCHAR(255),
	is_modified BOOLEAN DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_approval_merge_request_rules PRIMARY KEY (id),
	CONSTRAINT fk_approval_merge_request_rules_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_merge_request_rules_source_rule_id FOREIGN KEY(source_rule_id) REFERENCES approval_project_rules (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_approval_merge_request_rules_merge_request_id ON approval_merge_request_rules (merge_request_id)
--;
CREATE TABLE approvals (
	id BIGSERIAL NOT NULL,
	merge_request_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	patch_id_sha VARCHAR(64),
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_approvals PRIMARY KEY (id),
	CONSTRAINT uq_approvals_merge_request_id_user_id UNIQUE (merge_request_id, user_id),
	CONSTRAINT fk_approvals_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_approvals_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approvals_user_id ON approvals (user_id)
--;
CREATE TABLE board_labels (
	board_id BIGINT NOT NULL,
	label_id BIGINT NOT NULL,
	CONSTRAINT pk_board_labels PRIMARY KEY (board_id, label_id),
	CONSTRAINT fk_board_labels_board_id FOREIGN KEY(board_id) REFERENCES boards (id) ON DELETE CASCADE,
	CONSTRAINT fk_board_labels_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_board_labels_label_id ON board_labels (label_id)
--;
CREATE TABLE board_lists (
	id BIGSERIAL NOT NULL,
	board_id BIGINT NOT NULL,
	label_id BIGINT,
	assignee_id BIGINT,
	milestone_id BIGINT,
	position INTEGER NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_board_lists PRIMARY KEY (id),
	CONSTRAINT uq_board_lists_board_id_label_id UNIQUE (board_id, label_id),
	CONSTRAINT uq_board_lists_board_id_assignee_id UNIQUE (board_id, assignee_id),
	CONSTRAINT uq_board_lists_board_id_milestone_id UNIQUE (board_id, milestone_id),
	CONSTRAINT fk_board_lists_board_id FOREIGN KEY(board_id) REFERENCES boards (id) ON DELETE CASCADE,
	CONSTRAINT fk_board_lists_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE,
	CONSTRAINT fk_board_lists_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_board_lists_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_board_lists_assignee_id ON board_lists (assignee_id)
--;
CREATE INDEX ix_board_lists_label_id ON board_lists (label_id)
--;
CREATE INDEX ix_board_lists_milestone_id ON board_lists (milestone_id)
--;
CREATE TABLE ci_job_tags (
	job_id BIGINT NOT NULL,
	tag VARCHAR(255) NOT NULL,
	CONSTRAINT pk_ci_job_tags PRIMARY KEY (job_id, tag),
	CONSTRAINT fk_ci_job_tags_job_id FOREIGN KEY(job_id) REFERENCES ci_jobs (id) ON DELETE CASCADE
)
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
CREATE TABLE deployment_merge_requests (
	deployment_id BIGINT NOT NULL,
	merge_request_id BIGINT NOT NULL,
	CONSTRAINT pk_deployment_merge_requests PRIMARY KEY (deployment_id, merge_request_id),
	CONSTRAINT fk_deployment_merge_requests_deployment_id FOREIGN KEY(deployment_id) REFERENCES deployments (id) ON DELETE CASCADE,
	CONSTRAINT fk_deployment_merge_requests_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_deployment_merge_requests_merge_request_id ON deployment_merge_requests (merge_request_id)
--;
CREATE TABLE draft_notes (
	id BIGSERIAL NOT NULL,
	merge_request_id BIGINT NOT NULL,
	author_id BIGINT NOT NULL,
	note TEXT NOT NULL,
	discussion_id VARCHAR(40),
	resolve_discussion BOOLEAN NOT NULL,
	commit_id VARCHAR(64),
	position JSONB,
	line_code VARCHAR(128),
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_draft_notes PRIMARY KEY (id),
	CONSTRAINT fk_draft_notes_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_draft_notes_author_id FOREIGN KEY(author_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_draft_notes_author_id ON draft_notes (author_id)
--;
CREATE INDEX ix_draft_notes_merge_request_author ON draft_notes (merge_request_id, author_id, id)
--;
CREATE TABLE flag_scopes (
	id BIGSERIAL NOT NULL,
	strategy_id BIGINT NOT NULL,
	environment_scope VARCHAR(255) NOT NULL,
	CONSTRAINT pk_flag_scopes PRIMARY KEY (id),
	CONSTRAINT uq_flag_scopes_strategy_id_environment_scope UNIQUE (strategy_id, environment_scope),
	CONSTRAINT fk_flag_scopes_strategy_id FOREIGN KEY(strategy_id) REFERENCES flag_strategies (id) ON DELETE CASCADE
)
--;
CREATE TABLE issue_assignees (
	issue_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	CONSTRAINT pk_issue_assignees PRIMARY KEY (issue_id, user_id),
	CONSTRAINT fk_issue_assignees_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_issue_assignees_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_issue_assignees_user_id ON issue_assignees (user_id)
--;
CREATE TABLE issue_labels (
	issue_id BIGINT NOT NULL,
	label_id BIGINT NOT NULL,
	CONSTRAINT pk_issue_labels PRIMARY KEY (issue_id, label_id),
	CONSTRAINT fk_issue_labels_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_issue_labels_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_issue_labels_label_id ON issue_labels (label_id)
--;
CREATE TABLE issue_links (
	id BIGSERIAL NOT NULL,
	source_id BIGINT NOT NULL,
	target_id BIGINT NOT NULL,
	link_type VARCHAR(16) DEFAULT 'relates_to' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_issue_links PRIMARY KEY (id),
	CONSTRAINT uq_issue_links_source_id_target_id UNIQUE (source_id, target_id),
	CONSTRAINT fk_issue_links_source_id FOREIGN KEY(source_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_issue_links_target_id FOREIGN KEY(target_id) REFERENCES issues (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_issue_links_target_id ON issue_links (target_id)
--;
CREATE TABLE issue_mentions (
	issue_id BIGINT NOT NULL,
	merge_request_id BIGINT NOT NULL,
	closes BOOLEAN NOT NULL,
	CONSTRAINT pk_issue_mentions PRIMARY KEY (issue_id, merge_request_id),
	CONSTRAINT fk_issue_mentions_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_issue_mentions_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_issue_mentions_merge_request_id ON issue_mentions (merge_request_id)
--;
CREATE TABLE issue_state_events (
	id BIGSERIAL NOT NULL,
	issue_id BIGINT NOT NULL,
	user_id BIGINT,
	state VARCHAR(16) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_issue_state_events PRIMARY KEY (id),
	CONSTRAINT fk_issue_state_events_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_issue_state_events_issue_id ON issue_state_events (issue_id)
--;
CREATE TABLE issue_subscriptions (
	issue_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	subscribed BOOLEAN NOT NULL,
	CONSTRAINT pk_issue_subscriptions PRIMARY KEY (issue_id, user_id),
	CONSTRAINT fk_issue_subscriptions_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_issue_subscriptions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE job_artifacts (
	id BIGSERIAL NOT NULL,
	project_id BIGINT NOT NULL,
	pipeline_id BIGINT NOT NULL,
	job_id BIGINT NOT NULL,
	file_type VARCHAR(32) NOT NULL,
	file_format VARCHAR(8),
	filename VARCHAR(255) NOT NULL,
	size BIGINT NOT NULL,
	blob_key TEXT NOT NULL,
	index_key TEXT,
	sha256 VARCHAR(64),
	accessibility VARCHAR(16) DEFAULT 'public' NOT NULL,
	expire_at TIMESTAMP WITH TIME ZONE,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_job_artifacts PRIMARY KEY (id),
	CONSTRAINT uq_job_artifacts_job_id_file_type UNIQUE (job_id, file_type),
	CONSTRAINT fk_job_artifacts_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_job_artifacts_pipeline_id FOREIGN KEY(pipeline_id) REFERENCES pipelines (id) ON DELETE CASCADE,
	CONSTRAINT fk_job_artifacts_job_id FOREIGN KEY(job_id) REFERENCES ci_jobs (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_job_artifacts_expire ON job_artifacts (expire_at)
--;
CREATE INDEX ix_job_artifacts_pipeline_id ON job_artifacts (pipeline_id)
--;
CREATE INDEX ix_job_artifacts_project_id ON job_artifacts (project_id)
--;
CREATE TABLE job_trace_chunks (
	job_id BIGINT NOT NULL,
	start BIGINT NOT NULL,
	content BYTEA NOT NULL,
	CONSTRAINT pk_job_trace_chunks PRIMARY KEY (job_id, start),
	CONSTRAINT fk_job_trace_chunks_job_id FOREIGN KEY(job_id) REFERENCES ci_jobs (id) ON DELETE CASCADE
)
--;
CREATE TABLE job_traces (
	job_id BIGINT NOT NULL,
	size BIGINT DEFAULT '0' NOT NULL,
	crc32 BIGINT DEFAULT '0' NOT NULL,
	short_since TIMESTAMP WITH TIME ZONE,
	blob_key TEXT,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_job_traces PRIMARY KEY (job_id),
	CONSTRAINT fk_job_traces_job_id FOREIGN KEY(job_id) REFERENCES ci_jobs (id) ON DELETE CASCADE
)
--;
CREATE TABLE merge_request_assignees (
	merge_request_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	position SMALLINT NOT NULL,
	CONSTRAINT pk_merge_request_assignees PRIMARY KEY (merge_request_id, user_id),
	CONSTRAINT fk_merge_request_assignees_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_assignees_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_assignees_user_id ON merge_request_assignees (user_id)
--;
CREATE TABLE merge_request_blocks (
	id BIGSERIAL NOT NULL,
	blocking_id BIGINT NOT NULL,
	blocked_id BIGINT NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_merge_request_blocks PRIMARY KEY (id),
	CONSTRAINT uq_merge_request_blocks_blocked_id_blocking_id UNIQUE (blocked_id, blocking_id),
	CONSTRAINT fk_merge_request_blocks_blocking_id FOREIGN KEY(blocking_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_blocks_blocked_id FOREIGN KEY(blocked_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_blocks_blocking_id ON merge_request_blocks (blocking_id)
--;
CREATE TABLE merge_request_committers (
	merge_request_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	CONSTRAINT pk_merge_request_committers PRIMARY KEY (merge_request_id, user_id),
	CONSTRAINT fk_merge_request_committers_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_committers_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_committers_user_id ON merge_request_committers (user_id)
--;
CREATE TABLE merge_request_context_commits (
	merge_request_id BIGINT NOT NULL,
	sha VARCHAR(64) NOT NULL,
	position INTEGER NOT NULL,
	CONSTRAINT pk_merge_request_context_commits PRIMARY KEY (merge_request_id, sha),
	CONSTRAINT fk_merge_request_context_commits_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE TABLE merge_request_diffs (
	id BIGSERIAL NOT NULL,
	merge_request_id BIGINT NOT NULL,
	head_sha VARCHAR(64) NOT NULL,
	base_sha VARCHAR(64),
	start_sha VARCHAR(64),
	state VARCHAR(16) DEFAULT 'collected' NOT NULL,
	real_size VARCHAR(16) DEFAULT '0' NOT NULL,
	patch_id_sha VARCHAR(64),
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_merge_request_diffs PRIMARY KEY (id),
	CONSTRAINT fk_merge_request_diffs_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_diffs_merge_request_id ON merge_request_diffs (merge_request_id)
--;
CREATE TABLE merge_request_labels (
	merge_request_id BIGINT NOT NULL,
	label_id BIGINT NOT NULL,
	state VARCHAR(8),
	CONSTRAINT pk_merge_request_labels PRIMARY KEY (merge_request_id, label_id),
	CONSTRAINT fk_merge_request_labels_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_labels_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_labels_label ON merge_request_labels (label_id, merge_request_id)
--;
CREATE INDEX ix_merge_request_labels_state ON merge_request_labels (label_id, state, merge_request_id)
--;
CREATE TABLE merge_request_reviewers (
	merge_request_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	position SMALLINT NOT NULL,
	state VARCHAR(32) DEFAULT 'unreviewed' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_merge_request_reviewers PRIMARY KEY (merge_request_id, user_id),
	CONSTRAINT fk_merge_request_reviewers_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_reviewers_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_reviewers_user_id ON merge_request_reviewers (user_id)
--;
CREATE TABLE merge_request_state_events (
	id BIGSERIAL NOT NULL,
	merge_request_id BIGINT NOT NULL,
	user_id BIGINT,
	state VARCHAR(16) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_merge_request_state_events PRIMARY KEY (id),
	CONSTRAINT fk_merge_request_state_events_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_state_events_merge_request_id ON merge_request_state_events (merge_request_id)
--;
CREATE TABLE merge_request_subscriptions (
	merge_request_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	subscribed BOOLEAN NOT NULL,
	CONSTRAINT pk_merge_request_subscriptions PRIMARY KEY (merge_request_id, user_id),
	CONSTRAINT fk_merge_request_subscriptions_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_subscriptions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE pipeline_test_reports (
	job_id BIGINT NOT NULL,
	pipeline_id BIGINT NOT NULL,
	report JSONB NOT NULL,
	CONSTRAINT pk_pipeline_test_reports PRIMARY KEY (job_id),
	CONSTRAINT fk_pipeline_test_reports_job_id FOREIGN KEY(job_id) REFERENCES ci_jobs (id) ON DELETE CASCADE,
	CONSTRAINT fk_pipeline_test_reports_pipeline_id FOREIGN KEY(pipeline_id) REFERENCES pipelines (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_pipeline_test_reports_pipeline_id ON pipeline_test_reports (pipeline_id)
--;
CREATE TABLE resource_label_events (
	id BIGSERIAL NOT NULL,
	issue_id BIGINT,
	merge_request_id BIGINT,
	user_id BIGINT,
	label_id BIGINT,
	action VARCHAR(16) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_resource_label_events PRIMARY KEY (id),
	CONSTRAINT fk_resource_label_events_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_label_events_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_label_events_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_resource_label_events_issue_id ON resource_label_events (issue_id)
--;
CREATE INDEX ix_resource_label_events_label_id ON resource_label_events (label_id)
--;
CREATE INDEX ix_resource_label_events_merge_request_id ON resource_label_events (merge_request_id)
--;
CREATE TABLE resource_milestone_events (
	id BIGSERIAL NOT NULL,
	issue_id BIGINT,
	merge_request_id BIGINT,
	user_id BIGINT,
	milestone_id BIGINT NOT NULL,
	action VARCHAR(16) NOT NULL,
	state VARCHAR(16) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_resource_milestone_events PRIMARY KEY (id),
	CONSTRAINT fk_resource_milestone_events_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_milestone_events_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_milestone_events_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_resource_milestone_events_issue_id ON resource_milestone_events (issue_id)
--;
CREATE INDEX ix_resource_milestone_events_merge_request_id ON resource_milestone_events (merge_request_id)
--;
CREATE INDEX ix_resource_milestone_events_milestone_id ON resource_milestone_events (milestone_id)
--;
CREATE TABLE resource_weight_events (
	id BIGSERIAL NOT NULL,
	issue_id BIGINT NOT NULL,
	user_id BIGINT,
	weight INTEGER,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_resource_weight_events PRIMARY KEY (id),
	CONSTRAINT fk_resource_weight_events_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_resource_weight_events_issue_id ON resource_weight_events (issue_id)
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
--;
CREATE TABLE timelogs (
	id BIGSERIAL NOT NULL,
	project_id BIGINT,
	issue_id BIGINT,
	merge_request_id BIGINT,
	user_id BIGINT,
	time_spent INTEGER NOT NULL,
	spent_at TIMESTAMP WITH TIME ZONE NOT NULL,
	summary TEXT,
	note_id BIGINT,
	imported_from VARCHAR(32) DEFAULT 'none' NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_timelogs PRIMARY KEY (id),
	CONSTRAINT fk_timelogs_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_timelogs_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_timelogs_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_timelogs_issue_id ON timelogs (issue_id)
--;
CREATE INDEX ix_timelogs_merge_request_id ON timelogs (merge_request_id)
--;
CREATE INDEX ix_timelogs_project_id ON timelogs (project_id)
--;
CREATE TABLE user_agent_details (
	id BIGSERIAL NOT NULL,
	issue_id BIGINT,
	snippet_id BIGINT,
	user_id BIGINT NOT NULL,
	user_agent VARCHAR(255) NOT NULL,
	ip_address VARCHAR(64) NOT NULL,
	CONSTRAINT pk_user_agent_details PRIMARY KEY (id),
	CONSTRAINT ck_user_agent_details_one_subject CHECK ((issue_id IS NULL) <> (snippet_id IS NULL)),
	CONSTRAINT uq_user_agent_details_issue_id UNIQUE (issue_id),
	CONSTRAINT fk_user_agent_details_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT uq_user_agent_details_snippet_id UNIQUE (snippet_id),
	CONSTRAINT fk_user_agent_details_snippet_id FOREIGN KEY(snippet_id) REFERENCES snippets (id) ON DELETE CASCADE,
	CONSTRAINT fk_user_agent_details_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_user_agent_details_user_id ON user_agent_details (user_id)
--;
CREATE TABLE viewed_files (
	merge_request_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	path_sha VARCHAR(40) NOT NULL,
	blob_id VARCHAR(64) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_viewed_files PRIMARY KEY (merge_request_id, user_id, path_sha),
	CONSTRAINT fk_viewed_files_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_viewed_files_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_viewed_files_user_id ON viewed_files (user_id)
--;
CREATE TABLE approval_merge_request_rule_groups (
	rule_id BIGINT NOT NULL,
	group_id BIGINT NOT NULL,
	CONSTRAINT pk_approval_merge_request_rule_groups PRIMARY KEY (rule_id, group_id),
	CONSTRAINT fk_approval_merge_request_rule_groups_rule_id FOREIGN KEY(rule_id) REFERENCES approval_merge_request_rules (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_merge_request_rule_groups_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_merge_request_rule_groups_group_id ON approval_merge_request_rule_groups (group_id)
--;
CREATE TABLE approval_merge_request_rule_users (
	rule_id BIGINT NOT NULL,
	user_id BIGINT NOT NULL,
	CONSTRAINT pk_approval_merge_request_rule_users PRIMARY KEY (rule_id, user_id),
	CONSTRAINT fk_approval_merge_request_rule_users_rule_id FOREIGN KEY(rule_id) REFERENCES approval_merge_request_rules (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_merge_request_rule_users_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_merge_request_rule_users_user_id ON approval_merge_request_rule_users (user_id)
--;
CREATE OR REPLACE FUNCTION note_settled_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    mine text := pg_current_xact_id()::text;
    noted bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM settled_changes WHERE transaction_id = mine) THEN
        INSERT INTO settled_changes (token, transaction_id) VALUES (gen_random_uuid()::text, mine)
            RETURNING id INTO noted;
        DELETE FROM settled_changes WHERE id IN
            (SELECT id FROM settled_changes WHERE id <= noted - 16 FOR UPDATE SKIP LOCKED);
    END IF;
    RETURN NULL;
END $$
--;
DROP TRIGGER IF EXISTS settled_namespaces ON namespaces
--;
CREATE TRIGGER settled_namespaces AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON namespaces FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_namespace_ancestors ON namespace_ancestors
--;
CREATE TRIGGER settled_namespace_ancestors AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON namespace_ancestors FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_group_address_ranges ON group_address_ranges
--;
CREATE TRIGGER settled_group_address_ranges AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON group_address_ranges FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_projects ON projects
--;
CREATE TRIGGER settled_projects AFTER INSERT OR UPDATE OF namespace_id OR DELETE OR TRUNCATE ON projects FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_users ON users
--;
CREATE TRIGGER settled_users AFTER INSERT OR UPDATE OF username, public_email, name, state, kind, avatar, email, email_lower, locked_until, profile, private_profile, created_at, is_admin, is_external, password_expires_at OR DELETE OR TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_personal_access_tokens ON personal_access_tokens
--;
CREATE TRIGGER settled_personal_access_tokens AFTER INSERT OR UPDATE OF user_id, digest, scopes, impersonation, revoked, family_id, expires_at OR DELETE OR TRUNCATE ON personal_access_tokens FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_application_settings ON application_settings
--;
CREATE TRIGGER settled_application_settings AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON application_settings FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
        CREATE INDEX IF NOT EXISTS ix_projects_search_text_trgm ON projects USING gin (search_text gin_trgm_ops);
        CREATE INDEX IF NOT EXISTS ix_projects_full_path_trgm ON projects USING gin (full_path_lower gin_trgm_ops);
    END IF;
END
$$
--;
CREATE INDEX IF NOT EXISTS ix_projects_beyond_ascii ON projects (id)
    WHERE octet_length(search_text) > char_length(search_text)
--;
CREATE OR REPLACE FUNCTION ingot_trigrams(phrase text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(array_agg(DISTINCT substr('  ' || word || ' ', place, 3)), '{}')
    FROM regexp_split_to_table(lower(phrase), '[^[:alnum:]]+') AS word, generate_series(1, length(word) + 1) AS place
    WHERE word <> ''
$$
--;
CREATE OR REPLACE FUNCTION ingot_similarity(one text, other text) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(count(*) FILTER (WHERE times = 2)::double precision / nullif(count(*), 0), 0)
    FROM (
        SELECT count(*) AS times
        FROM (SELECT unnest(ingot_trigrams(one)) AS part UNION ALL SELECT unnest(ingot_trigrams(other))) AS parts
        GROUP BY part
    ) AS counted
$$
--;
DROP TRIGGER IF EXISTS settled_protected_branches ON protected_branches
--;
CREATE TRIGGER settled_protected_branches AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON protected_branches FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_protected_branch_access_levels ON protected_branch_access_levels
--;
CREATE TRIGGER settled_protected_branch_access_levels AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON protected_branch_access_levels FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_group_protected_branches ON group_protected_branches
--;
CREATE TRIGGER settled_group_protected_branches AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON group_protected_branches FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_group_protected_branch_access_levels ON group_protected_branch_access_levels
--;
CREATE TRIGGER settled_group_protected_branch_access_levels AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON group_protected_branch_access_levels FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_protected_tags ON protected_tags
--;
CREATE TRIGGER settled_protected_tags AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON protected_tags FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_protected_tag_access_levels ON protected_tag_access_levels
--;
CREATE TRIGGER settled_protected_tag_access_levels AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON protected_tag_access_levels FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
CREATE OR REPLACE FUNCTION merge_request_label_linked() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM 1 FROM merge_requests WHERE id = new.merge_request_id FOR NO KEY UPDATE;
UPDATE merge_request_labels
SET state = (SELECT state FROM merge_requests WHERE id = new.merge_request_id)
WHERE merge_request_id = new.merge_request_id AND label_id = new.label_id;
 RETURN NULL; END $$
--;
DROP TRIGGER IF EXISTS merge_request_label_linked ON merge_request_labels
--;
CREATE TRIGGER merge_request_label_linked AFTER INSERT ON merge_request_labels FOR EACH ROW EXECUTE FUNCTION merge_request_label_linked()
--;
CREATE OR REPLACE FUNCTION merge_request_state_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN  UPDATE merge_request_labels SET state = new.state WHERE merge_request_id = new.id; RETURN NULL; END $$
--;
DROP TRIGGER IF EXISTS merge_request_state_moved ON merge_requests
--;
CREATE TRIGGER merge_request_state_moved AFTER UPDATE OF state ON merge_requests FOR EACH ROW EXECUTE FUNCTION merge_request_state_moved()
--;
CREATE OR REPLACE FUNCTION merge_request_labelled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM 1 FROM merge_requests WHERE id = new.merge_request_id FOR NO KEY UPDATE; UPDATE merge_requests SET is_labelled = true WHERE id = new.merge_request_id AND NOT is_labelled; RETURN NULL; END $$
--;
DROP TRIGGER IF EXISTS merge_request_labelled ON merge_request_labels
--;
CREATE TRIGGER merge_request_labelled AFTER INSERT ON merge_request_labels FOR EACH ROW EXECUTE FUNCTION merge_request_labelled()
--;
CREATE OR REPLACE FUNCTION merge_request_unlabelled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM 1 FROM merge_requests WHERE id = old.merge_request_id FOR NO KEY UPDATE;
UPDATE merge_requests
SET is_labelled = EXISTS (SELECT 1 FROM merge_request_labels WHERE merge_request_id = old.merge_request_id)
WHERE id = old.merge_request_id;
 RETURN NULL; END $$
--;
DROP TRIGGER IF EXISTS merge_request_unlabelled ON merge_request_labels
--;
CREATE TRIGGER merge_request_unlabelled AFTER DELETE ON merge_request_labels FOR EACH ROW EXECUTE FUNCTION merge_request_unlabelled()
--;
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
        CREATE EXTENSION IF NOT EXISTS pg_trgm;
        CREATE INDEX IF NOT EXISTS ix_merge_requests_title_trgm
            ON merge_requests USING gin (lower(title) gin_trgm_ops);
        CREATE INDEX IF NOT EXISTS ix_merge_requests_description_trgm
            ON merge_requests USING gin (lower(description) gin_trgm_ops);
    END IF;
END
$$
--;
DROP TRIGGER IF EXISTS settled_lfs_locks ON lfs_locks
--;
CREATE TRIGGER settled_lfs_locks AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON lfs_locks FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_group_approval_settings ON group_approval_settings
--;
CREATE TRIGGER settled_group_approval_settings AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON group_approval_settings FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_project_approval_settings ON project_approval_settings
--;
CREATE TRIGGER settled_project_approval_settings AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON project_approval_settings FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_approval_project_rules ON approval_project_rules
--;
CREATE TRIGGER settled_approval_project_rules AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON approval_project_rules FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_approval_project_rule_users ON approval_project_rule_users
--;
CREATE TRIGGER settled_approval_project_rule_users AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON approval_project_rule_users FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_approval_project_rule_branches ON approval_project_rule_branches
--;
CREATE TRIGGER settled_approval_project_rule_branches AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON approval_project_rule_branches FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
CREATE TABLE IF NOT EXISTS code_content_trigrams (id BIGINT PRIMARY KEY REFERENCES code_contents(id) ON DELETE CASCADE, trigrams INTEGER[] NOT NULL)
--;
CREATE INDEX IF NOT EXISTS ix_code_content_trigrams ON code_content_trigrams USING gin (trigrams)
--;
CREATE TABLE IF NOT EXISTS code_path_trigrams (id BIGINT PRIMARY KEY REFERENCES code_files(id) ON DELETE CASCADE, trigrams INTEGER[] NOT NULL)
--;
CREATE INDEX IF NOT EXISTS ix_code_path_trigrams ON code_path_trigrams USING gin (trigrams)
--;
DROP TRIGGER IF EXISTS settled_runners ON runners
--;
CREATE TRIGGER settled_runners AFTER INSERT OR UPDATE OF runner_type, active, run_untagged, access_level, tag_list, created_at OR DELETE OR TRUNCATE ON runners FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_runner_projects ON runner_projects
--;
CREATE TRIGGER settled_runner_projects AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON runner_projects FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_runner_groups ON runner_groups
--;
CREATE TRIGGER settled_runner_groups AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON runner_groups FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
