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
--;
CREATE TABLE application_settings (
	name VARCHAR(255) NOT NULL,
	value JSON,
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_application_settings PRIMARY KEY (name)
)
--;
CREATE TABLE audit_events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	author_id BIGINT NOT NULL,
	entity_type VARCHAR(40) NOT NULL,
	entity_id BIGINT NOT NULL,
	event_name VARCHAR(120) NOT NULL,
	details JSON NOT NULL,
	created_at DATETIME NOT NULL
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
	id INTEGER NOT NULL,
	kind VARCHAR(100) NOT NULL,
	"key" VARCHAR(255) NOT NULL,
	subject VARCHAR(255),
	args JSON NOT NULL,
	state VARCHAR(20) DEFAULT 'queued' NOT NULL,
	run_after DATETIME NOT NULL,
	token BIGINT DEFAULT '0' NOT NULL,
	worker VARCHAR(64),
	attempts INTEGER DEFAULT '0' NOT NULL,
	faults INTEGER DEFAULT '0' NOT NULL,
	takeovers INTEGER DEFAULT '0' NOT NULL,
	error TEXT,
	created_at DATETIME NOT NULL,
	started_at DATETIME,
	ended_at DATETIME,
	CONSTRAINT pk_background_jobs PRIMARY KEY (id)
)
--;
CREATE INDEX ix_background_jobs_due ON background_jobs (run_after, id) WHERE state = 'queued'
--;
CREATE INDEX ix_background_jobs_ended ON background_jobs (ended_at)
--;
CREATE INDEX ix_background_jobs_key ON background_jobs ("key", id)
--;
CREATE INDEX ix_background_jobs_subject ON background_jobs (subject) WHERE ended_at IS NULL
--;
CREATE INDEX ix_background_jobs_worker ON background_jobs (worker) WHERE state = 'running'
--;
CREATE UNIQUE INDEX uq_background_jobs_waiting_key ON background_jobs ("key") WHERE state = 'queued'
--;
CREATE TABLE background_schedules (
	name VARCHAR(100) NOT NULL,
	every FLOAT NOT NULL,
	next_at DATETIME NOT NULL,
	CONSTRAINT pk_background_schedules PRIMARY KEY (name)
)
--;
CREATE TABLE background_workers (
	id VARCHAR(64) NOT NULL,
	host VARCHAR(255) NOT NULL,
	pid INTEGER NOT NULL,
	started_at DATETIME NOT NULL,
	beat_at DATETIME NOT NULL,
	CONSTRAINT pk_background_workers PRIMARY KEY (id)
)
--;
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
--;
CREATE TABLE code_contents (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	sha VARCHAR(64) NOT NULL,
	size INTEGER NOT NULL,
	text BLOB,
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
	gates JSON NOT NULL,
	enabled BOOLEAN NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL,
	token_digest VARCHAR(64) NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_instance_registration_tokens PRIMARY KEY (id)
)
--;
CREATE TABLE plan_limits (
	plan_name VARCHAR(64) NOT NULL,
	limits JSON NOT NULL,
	history JSON NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_plan_limits PRIMARY KEY (plan_name)
)
--;
CREATE TABLE rate_windows (
	"key" VARCHAR(200) NOT NULL,
	starts_at BIGINT NOT NULL,
	period INTEGER NOT NULL,
	observed BIGINT NOT NULL,
	CONSTRAINT pk_rate_windows PRIMARY KEY ("key", starts_at)
)
--;
CREATE TABLE runners (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	runner_type VARCHAR(16) NOT NULL,
	token_digest VARCHAR(64) NOT NULL,
	short_token VARCHAR(16) DEFAULT '' NOT NULL,
	token_expires_at DATETIME,
	registration_type VARCHAR(24) DEFAULT 'authenticated_user' NOT NULL,
	creator_id INTEGER,
	name VARCHAR(255),
	description VARCHAR(1024),
	maintenance_note TEXT,
	active BOOLEAN DEFAULT '1' NOT NULL,
	locked BOOLEAN DEFAULT '0' NOT NULL,
	run_untagged BOOLEAN DEFAULT '1' NOT NULL,
	access_level VARCHAR(16) DEFAULT 'not_protected' NOT NULL,
	maximum_timeout INTEGER,
	tag_list JSON NOT NULL,
	ip_address VARCHAR(64),
	contacted_at DATETIME,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_runners_token_digest UNIQUE (token_digest)
)
--;
CREATE INDEX ix_runners_type ON runners (runner_type, id)
--;
CREATE TABLE settled_changes (
	id INTEGER NOT NULL,
	token VARCHAR(36) NOT NULL,
	transaction_id VARCHAR(20),
	CONSTRAINT pk_settled_changes PRIMARY KEY (id)
)
--;
CREATE TABLE signing_keys (
	kid VARCHAR(64) NOT NULL,
	private_key TEXT NOT NULL,
	public_key JSON NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_signing_keys PRIMARY KEY (kid)
)
--;
CREATE INDEX ix_signing_keys_created_at ON signing_keys (created_at)
--;
CREATE TABLE topics (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	name VARCHAR(255) NOT NULL,
	name_lower VARCHAR(255) NOT NULL,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	avatar VARCHAR(255),
	projects_count INTEGER DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_topics_name_lower UNIQUE (name_lower)
)
--;
CREATE TABLE users (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	username VARCHAR(255) NOT NULL,
	username_lower VARCHAR(255) NOT NULL,
	name VARCHAR(255) NOT NULL,
	name_lower VARCHAR(255) NOT NULL,
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
	profile JSON NOT NULL,
	created_by_id INTEGER,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	confirmed_at DATETIME,
	current_sign_in_at DATETIME,
	last_sign_in_at DATETIME,
	current_sign_in_ip VARCHAR(64),
	last_sign_in_ip VARCHAR(64),
	sign_in_count INTEGER DEFAULT '0' NOT NULL,
	last_activity_on DATE,
	password_expires_at DATETIME,
	otp_grace_period_started_at DATETIME,
	failed_attempts INTEGER DEFAULT '0' NOT NULL,
	locked_until DATETIME,
	CONSTRAINT uq_users_username_lower UNIQUE (username_lower),
	CONSTRAINT uq_users_email_lower UNIQUE (email_lower)
)
--;
CREATE INDEX ix_users_name_lower_id ON users (name_lower, id)
--;
CREATE TABLE award_emoji (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	awardable_type VARCHAR(32) NOT NULL,
	awardable_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_award_emoji_awardable_type_awardable_id_user_id_name UNIQUE (awardable_type, awardable_id, user_id, name),
	CONSTRAINT fk_award_emoji_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_award_emoji_awardable ON award_emoji (awardable_type, awardable_id)
--;
CREATE INDEX ix_award_emoji_user_id ON award_emoji (user_id)
--;
CREATE TABLE background_job_progress (
	job_id INTEGER NOT NULL,
	counters JSON NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_background_job_progress PRIMARY KEY (job_id),
	CONSTRAINT fk_background_job_progress_job_id FOREIGN KEY(job_id) REFERENCES background_jobs (id) ON DELETE CASCADE
)
--;
CREATE TABLE background_job_steps (
	job_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	result JSON,
	recorded_at DATETIME NOT NULL,
	CONSTRAINT pk_background_job_steps PRIMARY KEY (job_id, name),
	CONSTRAINT fk_background_job_steps_job_id FOREIGN KEY(job_id) REFERENCES background_jobs (id) ON DELETE CASCADE
)
--;
CREATE TABLE deploy_keys (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER,
	title VARCHAR(255) NOT NULL,
	"key" TEXT NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	is_public BOOLEAN DEFAULT '0' NOT NULL,
	expires_at DATETIME,
	last_used_at DATETIME,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_deploy_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL,
	CONSTRAINT uq_deploy_keys_fingerprint UNIQUE (fingerprint)
)
--;
CREATE INDEX ix_deploy_keys_user_id ON deploy_keys (user_id)
--;
CREATE TABLE gpg_keys (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	"key" TEXT NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	primary_keyid VARCHAR(16) NOT NULL,
	users JSON NOT NULL,
	created_at DATETIME NOT NULL,
	revoked_at DATETIME,
	CONSTRAINT fk_gpg_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_gpg_keys_fingerprint UNIQUE (fingerprint)
)
--;
CREATE INDEX ix_gpg_keys_primary_keyid ON gpg_keys (primary_keyid)
--;
CREATE INDEX ix_gpg_keys_user_id ON gpg_keys (user_id)
--;
CREATE TABLE namespaces (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	kind VARCHAR(8) NOT NULL,
	owner_id INTEGER,
	parent_id INTEGER,
	name VARCHAR(255) NOT NULL,
	path VARCHAR(255) NOT NULL,
	full_path VARCHAR(1024) NOT NULL,
	full_path_lower VARCHAR(1024) NOT NULL,
	full_name TEXT NOT NULL,
	description TEXT DEFAULT '' NOT NULL,
	visibility SMALLINT DEFAULT '0' NOT NULL,
	avatar VARCHAR(255),
	settings JSON NOT NULL,
	marked_for_deletion_on DATE,
	pending_delete BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	description VARCHAR(255),
	digest VARCHAR(64) NOT NULL,
	scopes JSON NOT NULL,
	impersonation BOOLEAN DEFAULT '0' NOT NULL,
	revoked BOOLEAN DEFAULT '0' NOT NULL,
	expires_at DATE,
	last_used_at DATETIME,
	family_id INTEGER,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_personal_access_tokens_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_personal_access_tokens_digest UNIQUE (digest)
)
--;
CREATE INDEX ix_personal_access_tokens_family_id ON personal_access_tokens (family_id)
--;
CREATE INDEX ix_personal_access_tokens_user_id ON personal_access_tokens (user_id)
--;
CREATE TABLE recovery_codes (
	user_id INTEGER NOT NULL,
	digest VARCHAR(64) NOT NULL,
	CONSTRAINT pk_recovery_codes PRIMARY KEY (user_id, digest),
	CONSTRAINT fk_recovery_codes_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE runner_managers (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	runner_id INTEGER NOT NULL,
	system_id VARCHAR(64) NOT NULL,
	name VARCHAR(255),
	version VARCHAR(255),
	revision VARCHAR(255),
	platform VARCHAR(255),
	architecture VARCHAR(255),
	executor VARCHAR(64),
	ip_address VARCHAR(64),
	features JSON NOT NULL,
	contacted_at DATETIME,
	created_at DATETIME NOT NULL,
	CONSTRAINT uq_runner_managers_runner_id_system_id UNIQUE (runner_id, system_id),
	CONSTRAINT fk_runner_managers_runner_id FOREIGN KEY(runner_id) REFERENCES runners (id) ON DELETE CASCADE
)
--;
CREATE TABLE second_factors (
	user_id INTEGER NOT NULL,
	secret TEXT NOT NULL,
	last_step BIGINT NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_second_factors PRIMARY KEY (user_id),
	CONSTRAINT fk_second_factors_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE sessions (
	digest VARCHAR(64) NOT NULL,
	user_id INTEGER NOT NULL,
	csrf VARCHAR(64) NOT NULL,
	details JSON NOT NULL,
	created_at DATETIME NOT NULL,
	expires_at DATETIME NOT NULL,
	CONSTRAINT pk_sessions PRIMARY KEY (digest),
	CONSTRAINT fk_sessions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_sessions_user_id ON sessions (user_id)
--;
CREATE TABLE user_custom_attributes (
	user_id INTEGER NOT NULL,
	"key" VARCHAR(255) NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_user_custom_attributes PRIMARY KEY (user_id, "key"),
	CONSTRAINT fk_user_custom_attributes_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_user_custom_attributes_key ON user_custom_attributes ("key")
--;
CREATE TABLE user_emails (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	email VARCHAR(255) NOT NULL,
	email_lower VARCHAR(255) NOT NULL,
	confirmed_at DATETIME,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_user_emails_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_user_emails_email_lower UNIQUE (email_lower)
)
--;
CREATE INDEX ix_user_emails_user_id ON user_emails (user_id)
--;
CREATE TABLE user_follows (
	follower_id INTEGER NOT NULL,
	followee_id INTEGER NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_user_follows PRIMARY KEY (follower_id, followee_id),
	CONSTRAINT ck_user_follows_not_oneself CHECK (follower_id <> followee_id),
	CONSTRAINT fk_user_follows_follower_id FOREIGN KEY(follower_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_user_follows_followee_id FOREIGN KEY(followee_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_user_follows_followee_id ON user_follows (followee_id)
--;
CREATE TABLE user_keys (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	title VARCHAR(255) NOT NULL,
	"key" TEXT NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	usage_type VARCHAR(16) NOT NULL,
	expires_at DATETIME,
	created_at DATETIME NOT NULL,
	last_used_at DATETIME,
	CONSTRAINT fk_user_keys_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_user_keys_fingerprint UNIQUE (fingerprint)
)
--;
CREATE INDEX ix_user_keys_user_id ON user_keys (user_id)
--;
CREATE TABLE user_statuses (
	user_id INTEGER NOT NULL,
	emoji VARCHAR(64) NOT NULL,
	message VARCHAR(100) NOT NULL,
	availability VARCHAR(16) NOT NULL,
	clear_at DATETIME,
	CONSTRAINT pk_user_statuses PRIMARY KEY (user_id),
	CONSTRAINT fk_user_statuses_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE webauthn_registrations (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	credential_id VARCHAR(1400) NOT NULL,
	public_key TEXT NOT NULL,
	counter BIGINT NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_webauthn_registrations_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT uq_webauthn_registrations_credential_id UNIQUE (credential_id)
)
--;
CREATE INDEX ix_webauthn_registrations_user_id ON webauthn_registrations (user_id)
--;
CREATE TABLE gpg_key_subkeys (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	gpg_key_id INTEGER NOT NULL,
	fingerprint VARCHAR(64) NOT NULL,
	keyid VARCHAR(16) NOT NULL,
	CONSTRAINT fk_gpg_key_subkeys_gpg_key_id FOREIGN KEY(gpg_key_id) REFERENCES gpg_keys (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_gpg_key_subkeys_gpg_key_id ON gpg_key_subkeys (gpg_key_id)
--;
CREATE INDEX ix_gpg_key_subkeys_keyid ON gpg_key_subkeys (keyid)
--;
CREATE TABLE group_address_ranges (
	group_id INTEGER NOT NULL,
	ranges TEXT NOT NULL,
	CONSTRAINT pk_group_address_ranges PRIMARY KEY (group_id),
	CONSTRAINT fk_group_address_ranges_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE group_approval_settings (
	group_id INTEGER NOT NULL,
	allow_author_approval BOOLEAN NOT NULL,
	allow_committer_approval BOOLEAN NOT NULL,
	allow_overrides_to_approver_list_per_merge_request BOOLEAN NOT NULL,
	retain_approvals_on_push BOOLEAN NOT NULL,
	selective_code_owner_removals BOOLEAN NOT NULL,
	require_reauthentication_to_approve BOOLEAN NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_group_approval_settings PRIMARY KEY (group_id),
	CONSTRAINT fk_group_approval_settings_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE group_authorizations (
	user_id INTEGER NOT NULL,
	group_id INTEGER NOT NULL,
	access_level SMALLINT NOT NULL,
	CONSTRAINT pk_group_authorizations PRIMARY KEY (user_id, group_id),
	CONSTRAINT fk_group_authorizations_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_authorizations_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_authorizations_group_id ON group_authorizations (group_id)
--;
CREATE TABLE group_badges (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	name VARCHAR(255),
	link_url TEXT NOT NULL,
	image_url TEXT NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_group_badges_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_badges_group_id ON group_badges (group_id)
--;
CREATE TABLE group_custom_attributes (
	group_id INTEGER NOT NULL,
	"key" VARCHAR(255) NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_group_custom_attributes PRIMARY KEY (group_id, "key"),
	CONSTRAINT fk_group_custom_attributes_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_custom_attributes_key ON group_custom_attributes ("key")
--;
CREATE TABLE group_exports (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	blob_key VARCHAR(255),
	new_blob_key VARCHAR(255),
	file_name VARCHAR(255),
	size BIGINT DEFAULT '0' NOT NULL,
	error TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	invited_group_id INTEGER NOT NULL,
	access_level SMALLINT NOT NULL,
	expires_at DATE,
	created_at DATETIME NOT NULL,
	CONSTRAINT uq_group_group_links_group_id_invited_group_id UNIQUE (group_id, invited_group_id),
	CONSTRAINT fk_group_group_links_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_group_links_invited_group_id FOREIGN KEY(invited_group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_group_links_invited_group_id ON group_group_links (invited_group_id)
--;
CREATE TABLE group_imports (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	blob_key VARCHAR(255),
	ended BOOLEAN DEFAULT 0 NOT NULL,
	error TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	slug VARCHAR(64) NOT NULL,
	active BOOLEAN NOT NULL,
	events JSON NOT NULL,
	properties JSON NOT NULL,
	sealed_secrets TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_group_integrations_group_id_slug UNIQUE (group_id, slug),
	CONSTRAINT fk_group_integrations_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE group_protected_branches (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	allow_force_push BOOLEAN DEFAULT '0' NOT NULL,
	code_owner_approval_required BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_group_protected_branches_group_id_name UNIQUE (group_id, name),
	CONSTRAINT fk_group_protected_branches_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE group_push_rules (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
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
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_group_push_rules_group_id UNIQUE (group_id),
	CONSTRAINT fk_group_push_rules_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE member_roles (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER,
	name VARCHAR(255) NOT NULL,
	description TEXT,
	base_access_level SMALLINT NOT NULL,
	permissions JSON NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_member_roles_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_member_roles_group_id ON member_roles (group_id)
--;
CREATE TABLE namespace_ancestors (
	namespace_id INTEGER NOT NULL,
	ancestor_id INTEGER NOT NULL,
	depth SMALLINT NOT NULL,
	CONSTRAINT pk_namespace_ancestors PRIMARY KEY (namespace_id, ancestor_id),
	CONSTRAINT fk_namespace_ancestors_namespace_id FOREIGN KEY(namespace_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_namespace_ancestors_ancestor_id FOREIGN KEY(ancestor_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_namespace_ancestors_ancestor_id ON namespace_ancestors (ancestor_id)
--;
CREATE TABLE oauth_applications (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	uid VARCHAR(64) NOT NULL,
	name VARCHAR(255) NOT NULL,
	secret_digest VARCHAR(64) NOT NULL,
	redirect_uri TEXT NOT NULL,
	scopes JSON NOT NULL,
	confidential BOOLEAN NOT NULL,
	trusted BOOLEAN DEFAULT '0' NOT NULL,
	user_id INTEGER,
	group_id INTEGER,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	namespace_id INTEGER NOT NULL,
	creator_id INTEGER,
	name VARCHAR(255) NOT NULL,
	path VARCHAR(255) NOT NULL,
	name_lower VARCHAR(255) NOT NULL,
	path_lower VARCHAR(255) NOT NULL,
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
	licence JSON,
	star_count INTEGER DEFAULT '0' NOT NULL,
	forks_count INTEGER DEFAULT '0' NOT NULL,
	open_issues_count INTEGER DEFAULT '0' NOT NULL,
	forked_from_id INTEGER,
	import_type VARCHAR(64),
	import_status VARCHAR(16) DEFAULT 'none' NOT NULL,
	import_url TEXT,
	import_error TEXT,
	avatar VARCHAR(255),
	repository_checksum_failed BOOLEAN DEFAULT '0' NOT NULL,
	wiki_checksum_failed BOOLEAN DEFAULT '0' NOT NULL,
	checked_at DATETIME,
	settings JSON NOT NULL,
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
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	last_activity_at DATETIME NOT NULL,
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
	runner_id INTEGER NOT NULL,
	group_id INTEGER NOT NULL,
	CONSTRAINT pk_runner_groups PRIMARY KEY (runner_id, group_id),
	CONSTRAINT fk_runner_groups_runner_id FOREIGN KEY(runner_id) REFERENCES runners (id) ON DELETE CASCADE,
	CONSTRAINT fk_runner_groups_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_runner_groups_group_id ON runner_groups (group_id)
--;
CREATE TABLE saml_providers (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	enabled BOOLEAN NOT NULL,
	sso_url TEXT NOT NULL,
	certificate TEXT,
	certificate_fingerprint VARCHAR(95),
	idp_entity_id TEXT,
	default_membership_role SMALLINT NOT NULL,
	enforced_sso BOOLEAN NOT NULL,
	base_url TEXT NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_saml_providers_group_id UNIQUE (group_id),
	CONSTRAINT fk_saml_providers_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE service_accounts (
	user_id INTEGER NOT NULL,
	group_id INTEGER,
	CONSTRAINT pk_service_accounts PRIMARY KEY (user_id),
	CONSTRAINT fk_service_accounts_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_service_accounts_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_service_accounts_group_id ON service_accounts (group_id)
--;
CREATE TABLE access_requests (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	group_id INTEGER,
	project_id INTEGER,
	requested_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	name VARCHAR(1024) NOT NULL,
	approvals_required INTEGER DEFAULT '0' NOT NULL,
	rule_type VARCHAR(32) DEFAULT 'regular' NOT NULL,
	report_type VARCHAR(32),
	applies_to_all_protected_branches BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_approval_project_rules_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_project_rules_project_id ON approval_project_rules (project_id)
--;
CREATE TABLE archive_files (
	project_id INTEGER NOT NULL,
	path VARCHAR(1024) NOT NULL,
	blob_key VARCHAR(1100) NOT NULL,
	size BIGINT NOT NULL,
	CONSTRAINT pk_archive_files PRIMARY KEY (project_id, path),
	CONSTRAINT fk_archive_files_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE archive_leftovers (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	relation VARCHAR(64) NOT NULL,
	owner_id INTEGER,
	data JSON NOT NULL,
	CONSTRAINT fk_archive_leftovers_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_archive_leftovers_place ON archive_leftovers (project_id, relation, owner_id)
--;
CREATE TABLE ci_variables (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	"key" VARCHAR(255) NOT NULL,
	sealed_value TEXT NOT NULL,
	variable_type VARCHAR(8) DEFAULT 'env_var' NOT NULL,
	protected BOOLEAN DEFAULT '0' NOT NULL,
	masked BOOLEAN DEFAULT '0' NOT NULL,
	hidden BOOLEAN DEFAULT '0' NOT NULL,
	raw BOOLEAN DEFAULT '0' NOT NULL,
	environment_scope VARCHAR(255) DEFAULT '*' NOT NULL,
	description VARCHAR(255),
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_ci_variables_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_ci_variables_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_ci_variables_group ON ci_variables (group_id, "key")
--;
CREATE INDEX ix_ci_variables_project ON ci_variables (project_id, "key")
--;
CREATE TABLE code_files (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	path TEXT NOT NULL,
	path_lower TEXT NOT NULL,
	content_id INTEGER NOT NULL,
	CONSTRAINT uq_code_files_project_id_path UNIQUE (project_id, path),
	CONSTRAINT fk_code_files_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_code_files_content_id FOREIGN KEY(content_id) REFERENCES code_contents (id)
)
--;
CREATE INDEX ix_code_files_content_id ON code_files (content_id)
--;
CREATE TABLE code_indexes (
	project_id INTEGER NOT NULL,
	head VARCHAR(64) NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_code_indexes PRIMARY KEY (project_id),
	CONSTRAINT fk_code_indexes_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE deploy_key_projects (
	id INTEGER NOT NULL,
	deploy_key_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	can_push BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_deploy_key_projects PRIMARY KEY (id),
	CONSTRAINT uq_deploy_key_projects_deploy_key_id_project_id UNIQUE (deploy_key_id, project_id),
	CONSTRAINT fk_deploy_key_projects_deploy_key_id FOREIGN KEY(deploy_key_id) REFERENCES deploy_keys (id) ON DELETE CASCADE,
	CONSTRAINT fk_deploy_key_projects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_deploy_key_projects_project_id ON deploy_key_projects (project_id)
--;
CREATE TABLE deploy_tokens (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	creator_id INTEGER,
	name VARCHAR(255) NOT NULL,
	username VARCHAR(255),
	digest VARCHAR(64) NOT NULL,
	sealed_token TEXT NOT NULL,
	scopes JSON NOT NULL,
	expires_at DATETIME,
	revoked BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	slug VARCHAR(24) NOT NULL,
	external_url TEXT,
	state VARCHAR(16) DEFAULT 'available' NOT NULL,
	tier VARCHAR(16) DEFAULT 'other' NOT NULL,
	description TEXT,
	auto_stop_at DATETIME,
	auto_delete_at DATETIME,
	auto_stop_setting VARCHAR(16) DEFAULT 'always' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_environments_project_id_name UNIQUE (project_id, name),
	CONSTRAINT fk_environments_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_environments_auto_delete_at ON environments (auto_delete_at)
--;
CREATE TABLE events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	author_id INTEGER NOT NULL,
	action VARCHAR(16) NOT NULL,
	target_type VARCHAR(32),
	target_id INTEGER,
	push_action VARCHAR(8),
	ref_type VARCHAR(8),
	ref TEXT,
	commit_from VARCHAR(64),
	commit_to VARCHAR(64),
	commit_title VARCHAR(70),
	commit_count INTEGER,
	ref_count INTEGER,
	imported_from VARCHAR(32) DEFAULT 'none' NOT NULL,
	created_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	external_url VARCHAR(255) NOT NULL,
	sealed_secret TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_external_status_checks_project_id_name UNIQUE (project_id, name),
	CONSTRAINT uq_external_status_checks_project_id_external_url UNIQUE (project_id, external_url),
	CONSTRAINT fk_external_status_checks_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
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
CREATE TABLE freeze_periods (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	freeze_start VARCHAR(255) NOT NULL,
	freeze_end VARCHAR(255) NOT NULL,
	cron_timezone VARCHAR(255) NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_freeze_periods_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_freeze_periods_project_id ON freeze_periods (project_id)
--;
CREATE TABLE group_integration_messages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	integration_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	flag VARCHAR(64) NOT NULL,
	mark VARCHAR(64) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_group_integration_messages_integration_id FOREIGN KEY(integration_id) REFERENCES group_integrations (id) ON DELETE CASCADE,
	CONSTRAINT fk_group_integration_messages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_integration_messages_integration_id ON group_integration_messages (integration_id)
--;
CREATE INDEX ix_group_integration_messages_project_id ON group_integration_messages (project_id)
--;
CREATE TABLE group_protected_branch_access_levels (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	protected_branch_id INTEGER NOT NULL,
	kind VARCHAR(16) NOT NULL,
	access_level SMALLINT NOT NULL,
	CONSTRAINT fk_group_protected_branch_access_levels_protected_branch_id FOREIGN KEY(protected_branch_id) REFERENCES group_protected_branches (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_group_protected_branch_access_levels_protected_branch_id ON group_protected_branch_access_levels (protected_branch_id)
--;
CREATE TABLE identities (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	provider VARCHAR(255) NOT NULL,
	extern_uid VARCHAR(255) NOT NULL,
	extern_uid_lower VARCHAR(255) NOT NULL,
	saml_provider_id INTEGER,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	slug VARCHAR(64) NOT NULL,
	active BOOLEAN NOT NULL,
	events JSON NOT NULL,
	properties JSON NOT NULL,
	sealed_secrets TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_integrations_project_id_slug UNIQUE (project_id, slug),
	CONSTRAINT fk_integrations_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE invitations (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER,
	project_id INTEGER,
	email VARCHAR(255) NOT NULL,
	email_lower VARCHAR(255) NOT NULL,
	access_level SMALLINT NOT NULL,
	member_role_id INTEGER,
	notification_level SMALLINT DEFAULT '3' NOT NULL,
	expires_at DATE,
	created_by_id INTEGER,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	project_id INTEGER NOT NULL,
	allowed_id INTEGER NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_job_token_allowed_groups PRIMARY KEY (project_id, allowed_id),
	CONSTRAINT fk_job_token_allowed_groups_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_job_token_allowed_groups_allowed_id FOREIGN KEY(allowed_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_job_token_allowed_groups_allowed_id ON job_token_allowed_groups (allowed_id)
--;
CREATE TABLE job_token_allowed_projects (
	project_id INTEGER NOT NULL,
	allowed_id INTEGER NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_job_token_allowed_projects PRIMARY KEY (project_id, allowed_id),
	CONSTRAINT fk_job_token_allowed_projects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_job_token_allowed_projects_allowed_id FOREIGN KEY(allowed_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_job_token_allowed_projects_allowed_id ON job_token_allowed_projects (allowed_id)
--;
CREATE TABLE judged_signatures (
	project_id INTEGER NOT NULL,
	object_id VARCHAR(64) NOT NULL,
	gpg_key_id INTEGER,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	name VARCHAR(255) NOT NULL,
	color VARCHAR(16) NOT NULL,
	description TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	path VARCHAR(511) NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT uq_lfs_locks_project_id_path UNIQUE (project_id, path),
	CONSTRAINT fk_lfs_locks_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_lfs_locks_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_lfs_locks_user_id ON lfs_locks (user_id)
--;
CREATE TABLE lfs_objects (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	oid VARCHAR(64) NOT NULL,
	size BIGINT NOT NULL,
	blob_key VARCHAR(255) NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT uq_lfs_objects_project_id_oid UNIQUE (project_id, oid),
	CONSTRAINT fk_lfs_objects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_lfs_objects_blob_key ON lfs_objects (blob_key)
--;
CREATE TABLE members (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	group_id INTEGER,
	project_id INTEGER,
	access_level SMALLINT NOT NULL,
	member_role_id INTEGER,
	notification_level SMALLINT DEFAULT '3' NOT NULL,
	expires_at DATE,
	created_by_id INTEGER,
	via_saml BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	iid INTEGER NOT NULL,
	project_id INTEGER,
	group_id INTEGER,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	state VARCHAR(16) DEFAULT 'active' NOT NULL,
	start_date DATE,
	due_date DATE,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	noteable_type VARCHAR(32) NOT NULL,
	noteable_id INTEGER,
	commit_id VARCHAR(64),
	author_id INTEGER,
	body TEXT NOT NULL,
	type VARCHAR(32),
	discussion_id VARCHAR(40) NOT NULL,
	starts_thread BOOLEAN DEFAULT '1' NOT NULL,
	system BOOLEAN DEFAULT '0' NOT NULL,
	system_action VARCHAR(32),
	system_commit_count INTEGER,
	source_type VARCHAR(32),
	source_id INTEGER,
	internal BOOLEAN DEFAULT '0' NOT NULL,
	position JSON,
	original_position JSON,
	change_position JSON,
	line_code VARCHAR(128),
	resolvable BOOLEAN DEFAULT '0' NOT NULL,
	resolved_at DATETIME,
	resolved_by_id INTEGER,
	resolved_by_push BOOLEAN,
	updated_by_id INTEGER,
	last_edited_at DATETIME,
	imported_from VARCHAR(32) DEFAULT 'none' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_notes_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_notes_author_id ON notes (author_id)
--;
CREATE INDEX ix_notes_commenters ON notes (noteable_type, noteable_id, author_id) WHERE system = 0
--;
CREATE INDEX ix_notes_commit ON notes (project_id, commit_id)
--;
CREATE INDEX ix_notes_discussion ON notes (discussion_id)
--;
CREATE INDEX ix_notes_internal ON notes (noteable_type, noteable_id) WHERE internal
--;
CREATE INDEX ix_notes_naming ON notes (noteable_type, noteable_id, id) WHERE system = 0 AND replace(body, '@', '') != body
--;
CREATE INDEX ix_notes_noteable ON notes (noteable_type, noteable_id, created_at, id, system)
--;
CREATE INDEX ix_notes_project_id ON notes (project_id)
--;
CREATE INDEX ix_notes_threads ON notes (noteable_type, noteable_id, created_at, id) WHERE starts_thread
--;
CREATE INDEX ix_notes_unresolved ON notes (noteable_type, noteable_id, discussion_id) WHERE resolvable = 1 AND resolved_at IS NULL
--;
CREATE TABLE notification_settings (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	project_id INTEGER,
	group_id INTEGER,
	level SMALLINT NOT NULL,
	events JSON NOT NULL,
	notification_email VARCHAR(255),
	notified_of_own_activity BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	application_id INTEGER,
	user_id INTEGER,
	digest VARCHAR(64) NOT NULL,
	refresh_digest VARCHAR(64),
	scopes JSON NOT NULL,
	family VARCHAR(64) NOT NULL,
	previous_id INTEGER,
	created_at DATETIME NOT NULL,
	expires_at DATETIME NOT NULL,
	revoked_at DATETIME,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	application_id INTEGER NOT NULL,
	user_id INTEGER,
	digest VARCHAR(64) NOT NULL,
	user_code VARCHAR(16) NOT NULL,
	scopes JSON NOT NULL,
	state VARCHAR(8) NOT NULL,
	interval INTEGER NOT NULL,
	polled_at DATETIME,
	signed_in_at DATETIME,
	expires_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	application_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	digest VARCHAR(64) NOT NULL,
	redirect_uri TEXT NOT NULL,
	scopes JSON NOT NULL,
	code_challenge VARCHAR(128),
	code_challenge_method VARCHAR(8),
	nonce TEXT,
	signed_in_at DATETIME NOT NULL,
	family VARCHAR(64) NOT NULL,
	expires_at DATETIME NOT NULL,
	used_at DATETIME,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	owner_id INTEGER,
	description VARCHAR(255) NOT NULL,
	ref VARCHAR(1024) NOT NULL,
	cron VARCHAR(255) NOT NULL,
	cron_timezone VARCHAR(64) NOT NULL,
	next_run_at DATETIME,
	active BOOLEAN DEFAULT '1' NOT NULL,
	inputs JSON NOT NULL,
	last_pipeline_id INTEGER,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	owner_id INTEGER,
	description TEXT NOT NULL,
	token_digest VARCHAR(64) NOT NULL,
	sealed_token TEXT NOT NULL,
	expires_at DATETIME,
	last_used_at DATETIME,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_pipeline_triggers_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT uq_pipeline_triggers_token_digest UNIQUE (token_digest)
)
--;
CREATE INDEX ix_pipeline_triggers_owner_id ON pipeline_triggers (owner_id)
--;
CREATE INDEX ix_pipeline_triggers_project_id ON pipeline_triggers (project_id)
--;
CREATE TABLE pipelines (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	iid INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	user_id INTEGER,
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
	merge_request_id INTEGER,
	schedule_id INTEGER,
	trigger_id INTEGER,
	parent_id INTEGER,
	root_id INTEGER,
	depth SMALLINT DEFAULT '0' NOT NULL,
	bridge_id INTEGER,
	is_locked BOOLEAN DEFAULT '1' NOT NULL,
	variables JSON NOT NULL,
	stages JSON NOT NULL,
	"commit" JSON NOT NULL,
	auto_cancel_on_new_commit VARCHAR(16) DEFAULT 'conservative' NOT NULL,
	auto_cancel_on_job_failure VARCHAR(16) DEFAULT 'none' NOT NULL,
	coverage FLOAT,
	duration INTEGER,
	committed_at DATETIME,
	started_at DATETIME,
	finished_at DATETIME,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	project_id INTEGER NOT NULL,
	allow_author_approval BOOLEAN NOT NULL,
	allow_committer_approval BOOLEAN NOT NULL,
	allow_overrides_to_approver_list_per_merge_request BOOLEAN NOT NULL,
	retain_approvals_on_push BOOLEAN NOT NULL,
	selective_code_owner_removals BOOLEAN NOT NULL,
	require_reauthentication_to_approve BOOLEAN NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_project_approval_settings PRIMARY KEY (project_id),
	CONSTRAINT fk_project_approval_settings_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE project_authorizations (
	user_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	name VARCHAR(255),
	link_url TEXT NOT NULL,
	image_url TEXT NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_project_badges_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_badges_project_id ON project_badges (project_id)
--;
CREATE TABLE project_contributions (
	user_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	last_at DATETIME NOT NULL,
	CONSTRAINT pk_project_contributions PRIMARY KEY (user_id, project_id),
	CONSTRAINT fk_project_contributions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_contributions_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_contributions_project_id ON project_contributions (project_id)
--;
CREATE TABLE project_custom_attributes (
	project_id INTEGER NOT NULL,
	"key" VARCHAR(255) NOT NULL,
	value TEXT NOT NULL,
	CONSTRAINT pk_project_custom_attributes PRIMARY KEY (project_id, "key"),
	CONSTRAINT fk_project_custom_attributes_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_custom_attributes_key ON project_custom_attributes ("key")
--;
CREATE TABLE project_export_files (
	project_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	blob_key VARCHAR(255) NOT NULL,
	file_name VARCHAR(255) NOT NULL,
	size BIGINT NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_project_export_files PRIMARY KEY (project_id, user_id),
	CONSTRAINT fk_project_export_files_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_export_files_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_export_files_created_at ON project_export_files (created_at)
--;
CREATE TABLE project_exports (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	status VARCHAR(16) NOT NULL,
	description TEXT,
	sealed_upload_url TEXT,
	upload_method VARCHAR(8),
	blob_key VARCHAR(255),
	error TEXT,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_project_exports_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_exports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_exports_owner ON project_exports (project_id, user_id, id)
--;
CREATE INDEX ix_project_exports_status ON project_exports (status, updated_at)
--;
CREATE TABLE project_fetches (
	project_id INTEGER NOT NULL,
	day DATE NOT NULL,
	count INTEGER NOT NULL,
	CONSTRAINT pk_project_fetches PRIMARY KEY (project_id, day),
	CONSTRAINT fk_project_fetches_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
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
CREATE TABLE project_group_links (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	group_id INTEGER NOT NULL,
	access_level SMALLINT NOT NULL,
	expires_at DATE,
	created_at DATETIME NOT NULL,
	CONSTRAINT uq_project_group_links_project_id_group_id UNIQUE (project_id, group_id),
	CONSTRAINT fk_project_group_links_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_group_links_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_group_links_group_id ON project_group_links (group_id)
--;
CREATE TABLE project_import_failures (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	correlation_id VARCHAR(64) NOT NULL,
	exception_class VARCHAR(128) NOT NULL,
	exception_message VARCHAR(255) NOT NULL,
	source VARCHAR(128) NOT NULL,
	relation_name VARCHAR(64) NOT NULL,
	line_number INTEGER NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_project_import_failures_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_import_failures_run ON project_import_failures (project_id, correlation_id)
--;
CREATE TABLE project_import_logins (
	project_id INTEGER NOT NULL,
	sealed TEXT NOT NULL,
	CONSTRAINT pk_project_import_logins PRIMARY KEY (project_id),
	CONSTRAINT fk_project_import_logins_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE project_imports (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	correlation_id VARCHAR(64) NOT NULL,
	blob_key VARCHAR(255),
	sealed_url TEXT,
	override_params JSON NOT NULL,
	replaces_id INTEGER,
	final_name VARCHAR(255),
	final_path VARCHAR(255),
	summary JSON,
	ended BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_project_imports_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_imports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_imports_project_id ON project_imports (project_id)
--;
CREATE TABLE project_languages (
	project_id INTEGER NOT NULL,
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
	project_id INTEGER NOT NULL,
	started_at DATETIME NOT NULL,
	ended_at DATETIME,
	succeeded_at DATETIME,
	CONSTRAINT pk_project_mirror_updates PRIMARY KEY (project_id),
	CONSTRAINT fk_project_mirror_updates_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE project_push_rules (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
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
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_project_push_rules_project_id UNIQUE (project_id),
	CONSTRAINT fk_project_push_rules_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE project_stars (
	user_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	starred_since DATETIME NOT NULL,
	CONSTRAINT pk_project_stars PRIMARY KEY (user_id, project_id),
	CONSTRAINT fk_project_stars_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_stars_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_stars_project_id ON project_stars (project_id)
--;
CREATE TABLE project_statistics (
	project_id INTEGER NOT NULL,
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
	project_id INTEGER NOT NULL,
	topic_id INTEGER NOT NULL,
	CONSTRAINT pk_project_topics PRIMARY KEY (project_id, topic_id),
	CONSTRAINT fk_project_topics_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_project_topics_topic_id FOREIGN KEY(topic_id) REFERENCES topics (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_project_topics_topic_id ON project_topics (topic_id)
--;
CREATE TABLE protected_branches (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	allow_force_push BOOLEAN DEFAULT '0' NOT NULL,
	code_owner_approval_required BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_protected_branches_project_id_name UNIQUE (project_id, name),
	CONSTRAINT fk_protected_branches_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE protected_environments (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	name VARCHAR(255) NOT NULL,
	required_approval_count INTEGER DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT ck_protected_environments_one_place CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT uq_protected_environments_project_id_name UNIQUE (project_id, name),
	CONSTRAINT uq_protected_environments_group_id_name UNIQUE (group_id, name),
	CONSTRAINT fk_protected_environments_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_environments_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE protected_tags (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_protected_tags_project_id_name UNIQUE (project_id, name),
	CONSTRAINT fk_protected_tags_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE push_notes (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	user_id INTEGER,
	refs JSON NOT NULL,
	moved_to JSON,
	options JSON NOT NULL,
	merge_request_id INTEGER,
	attempts INTEGER NOT NULL,
	created_at DATETIME NOT NULL,
	taken_at DATETIME NOT NULL,
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
	project_id INTEGER,
	namespace_id INTEGER,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	relation VARCHAR(64) NOT NULL,
	run VARCHAR(32) NOT NULL,
	status SMALLINT NOT NULL,
	error TEXT,
	batched BOOLEAN NOT NULL,
	batches_count INTEGER NOT NULL,
	total_objects_count INTEGER NOT NULL,
	blob_key VARCHAR(255),
	size BIGINT DEFAULT '0' NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_relation_exports_project_id_user_id_relation UNIQUE (project_id, user_id, relation),
	CONSTRAINT fk_relation_exports_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_relation_exports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_relation_exports_updated_at ON relation_exports (updated_at)
--;
CREATE TABLE relation_imports (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	relation VARCHAR(32) NOT NULL,
	status VARCHAR(16) NOT NULL,
	blob_key VARCHAR(255),
	correlation_id VARCHAR(64) NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_relation_imports_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_relation_imports_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_relation_imports_project_id ON relation_imports (project_id)
--;
CREATE TABLE releases (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	author_id INTEGER,
	tag VARCHAR(255) NOT NULL,
	name VARCHAR(255) NOT NULL,
	description TEXT,
	sha VARCHAR(64),
	released_at DATETIME NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_releases_project_id_tag UNIQUE (project_id, tag),
	CONSTRAINT fk_releases_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_releases_author_id ON releases (author_id)
--;
CREATE INDEX ix_releases_project_released_at ON releases (project_id, released_at, id)
--;
CREATE TABLE remote_mirrors (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	enabled BOOLEAN DEFAULT 0 NOT NULL,
	url TEXT NOT NULL,
	shown_url TEXT NOT NULL,
	sealed_login TEXT,
	auth_method VARCHAR(16) DEFAULT 'password' NOT NULL,
	sealed_key TEXT,
	public_key TEXT,
	host_keys JSON NOT NULL,
	only_protected_branches BOOLEAN DEFAULT 0 NOT NULL,
	keep_divergent_refs BOOLEAN DEFAULT 0 NOT NULL,
	mirror_branch_regex TEXT,
	update_status VARCHAR(16) DEFAULT 'none' NOT NULL,
	last_error TEXT,
	last_update_at DATETIME,
	last_update_started_at DATETIME,
	last_successful_update_at DATETIME,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_remote_mirrors_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_remote_mirrors_project_id ON remote_mirrors (project_id)
--;
CREATE TABLE resource_bots (
	user_id INTEGER NOT NULL,
	project_id INTEGER,
	group_id INTEGER,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	"key" VARCHAR(255) NOT NULL,
	process_mode VARCHAR(32) DEFAULT 'unordered' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_resource_groups_project_id_key UNIQUE (project_id, "key"),
	CONSTRAINT fk_resource_groups_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE TABLE runner_projects (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	runner_id INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT uq_runner_projects_runner_id_project_id UNIQUE (runner_id, project_id),
	CONSTRAINT fk_runner_projects_runner_id FOREIGN KEY(runner_id) REFERENCES runners (id) ON DELETE CASCADE,
	CONSTRAINT fk_runner_projects_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_runner_projects_project_id ON runner_projects (project_id)
--;
CREATE TABLE saml_group_links (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	saml_group_name VARCHAR(255) NOT NULL,
	provider VARCHAR(255) NOT NULL,
	access_level SMALLINT NOT NULL,
	member_role_id INTEGER,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_saml_group_links_group_id_saml_group_name_provider UNIQUE (group_id, saml_group_name, provider),
	CONSTRAINT fk_saml_group_links_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_saml_group_links_member_role_id FOREIGN KEY(member_role_id) REFERENCES member_roles (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_saml_group_links_member_role_id ON saml_group_links (member_role_id)
--;
CREATE TABLE saml_pending_links (
	digest VARCHAR(64) NOT NULL,
	saml_provider_id INTEGER NOT NULL,
	extern_uid VARCHAR(255) NOT NULL,
	groups JSON NOT NULL,
	requested_by_id INTEGER,
	return_to TEXT NOT NULL,
	session_until DATETIME,
	expires_at DATETIME NOT NULL,
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
	saml_provider_id INTEGER NOT NULL,
	digest VARCHAR(64) NOT NULL,
	expires_at DATETIME NOT NULL,
	CONSTRAINT pk_saml_used_assertions PRIMARY KEY (saml_provider_id, digest),
	CONSTRAINT fk_saml_used_assertions_saml_provider_id FOREIGN KEY(saml_provider_id) REFERENCES saml_providers (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_saml_used_assertions_expires_at ON saml_used_assertions (expires_at)
--;
CREATE TABLE scim_identities (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	group_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	extern_uid VARCHAR(255) NOT NULL,
	extern_uid_lower VARCHAR(255) NOT NULL,
	active BOOLEAN NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_scim_identities_group_id_extern_uid_lower UNIQUE (group_id, extern_uid_lower),
	CONSTRAINT uq_scim_identities_group_id_user_id UNIQUE (group_id, user_id),
	CONSTRAINT fk_scim_identities_group_id FOREIGN KEY(group_id) REFERENCES saml_providers (group_id) ON DELETE CASCADE,
	CONSTRAINT fk_scim_identities_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_scim_identities_user_id ON scim_identities (user_id)
--;
CREATE TABLE scim_tokens (
	group_id INTEGER NOT NULL,
	digest VARCHAR(64) NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_scim_tokens PRIMARY KEY (group_id),
	CONSTRAINT fk_scim_tokens_group_id FOREIGN KEY(group_id) REFERENCES saml_providers (group_id) ON DELETE CASCADE,
	CONSTRAINT uq_scim_tokens_digest UNIQUE (digest)
)
--;
CREATE TABLE snippets (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	author_id INTEGER NOT NULL,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	visibility SMALLINT NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_snippets_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_snippets_author_id ON snippets (author_id)
--;
CREATE INDEX ix_snippets_project_id ON snippets (project_id)
--;
CREATE TABLE todos (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	user_id INTEGER NOT NULL,
	author_id INTEGER,
	project_id INTEGER,
	target_type VARCHAR(32) NOT NULL,
	target_id INTEGER,
	commit_id VARCHAR(64),
	note_id INTEGER,
	action VARCHAR(32) NOT NULL,
	body TEXT NOT NULL,
	state VARCHAR(8) DEFAULT 'pending' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	secret VARCHAR(32) NOT NULL,
	filename VARCHAR(255) NOT NULL,
	size BIGINT NOT NULL,
	media_type VARCHAR(100) NOT NULL,
	blob_key VARCHAR(255) NOT NULL,
	uploaded_by_id INTEGER,
	created_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	kind VARCHAR(8) NOT NULL,
	project_id INTEGER,
	group_id INTEGER,
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
	url_variables JSON NOT NULL,
	custom_headers JSON NOT NULL,
	custom_webhook_template TEXT,
	recent_failures INTEGER DEFAULT '0' NOT NULL,
	disabled_until DATETIME,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	slug TEXT NOT NULL,
	title TEXT NOT NULL,
	format VARCHAR(16) NOT NULL,
	CONSTRAINT uq_wiki_pages_project_id_slug UNIQUE (project_id, slug),
	CONSTRAINT uq_wiki_pages_group_id_slug UNIQUE (group_id, slug),
	CONSTRAINT ck_wiki_pages_one_owner CHECK ((project_id IS NULL) <> (group_id IS NULL)),
	CONSTRAINT fk_wiki_pages_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_wiki_pages_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE TABLE wikis (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	head VARCHAR(64),
	writing_since DATETIME,
	writer_id INTEGER,
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
	rule_id INTEGER NOT NULL,
	protected_branch_id INTEGER NOT NULL,
	CONSTRAINT pk_approval_project_rule_branches PRIMARY KEY (rule_id, protected_branch_id),
	CONSTRAINT fk_approval_project_rule_branches_rule_id FOREIGN KEY(rule_id) REFERENCES approval_project_rules (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_project_rule_branches_protected_branch_id FOREIGN KEY(protected_branch_id) REFERENCES protected_branches (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_project_rule_branches_protected_branch_id ON approval_project_rule_branches (protected_branch_id)
--;
CREATE TABLE approval_project_rule_groups (
	rule_id INTEGER NOT NULL,
	group_id INTEGER NOT NULL,
	CONSTRAINT pk_approval_project_rule_groups PRIMARY KEY (rule_id, group_id),
	CONSTRAINT fk_approval_project_rule_groups_rule_id FOREIGN KEY(rule_id) REFERENCES approval_project_rules (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_project_rule_groups_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_project_rule_groups_group_id ON approval_project_rule_groups (group_id)
--;
CREATE TABLE approval_project_rule_users (
	rule_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	CONSTRAINT pk_approval_project_rule_users PRIMARY KEY (rule_id, user_id),
	CONSTRAINT fk_approval_project_rule_users_rule_id FOREIGN KEY(rule_id) REFERENCES approval_project_rules (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_project_rule_users_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_project_rule_users_user_id ON approval_project_rule_users (user_id)
--;
CREATE TABLE boards (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	name VARCHAR(255) NOT NULL,
	hide_backlog_list BOOLEAN DEFAULT '0' NOT NULL,
	hide_closed_list BOOLEAN DEFAULT '0' NOT NULL,
	assignee_id INTEGER,
	milestone_id INTEGER,
	weight INTEGER,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	kind VARCHAR(8) NOT NULL,
	project_id INTEGER NOT NULL,
	pipeline_id INTEGER NOT NULL,
	user_id INTEGER,
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
	needs JSON,
	is_retried BOOLEAN DEFAULT '0' NOT NULL,
	attempt SMALLINT DEFAULT '0' NOT NULL,
	scheduled_at DATETIME,
	timeout INTEGER,
	tag_list JSON NOT NULL,
	has_environment BOOLEAN DEFAULT '0' NOT NULL,
	resource_group_id INTEGER,
	token_digest VARCHAR(64),
	runner_id INTEGER,
	runner_manager_id INTEGER,
	cancels_gracefully BOOLEAN DEFAULT '0' NOT NULL,
	debug_trace BOOLEAN DEFAULT '0' NOT NULL,
	contacted_at DATETIME,
	coverage FLOAT,
	artifacts_expire_at DATETIME,
	erased_at DATETIME,
	erased_by_id INTEGER,
	downstream_id INTEGER,
	target_url TEXT,
	description TEXT,
	created_at DATETIME NOT NULL,
	queued_at DATETIME,
	started_at DATETIME,
	finished_at DATETIME,
	updated_at DATETIME NOT NULL,
	own_variables TEXT,
	dotenv JSON,
	environment_url TEXT,
	"plan" JSON,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	iid INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	environment_id INTEGER NOT NULL,
	job_id INTEGER,
	user_id INTEGER,
	ref VARCHAR(255) NOT NULL,
	is_tag BOOLEAN DEFAULT '0' NOT NULL,
	sha VARCHAR(64) NOT NULL,
	status VARCHAR(16) NOT NULL,
	finished_at DATETIME,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
CREATE TABLE integration_messages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	integration_id INTEGER NOT NULL,
	flag VARCHAR(64) NOT NULL,
	mark VARCHAR(64) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_integration_messages_integration_id FOREIGN KEY(integration_id) REFERENCES integrations (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_integration_messages_integration_id ON integration_messages (integration_id)
--;
CREATE TABLE issues (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	iid INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	author_id INTEGER,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	state VARCHAR(16) DEFAULT 'opened' NOT NULL,
	confidential BOOLEAN DEFAULT '0' NOT NULL,
	discussion_locked BOOLEAN,
	issue_type VARCHAR(32) DEFAULT 'issue' NOT NULL,
	weight INTEGER,
	milestone_id INTEGER,
	due_date DATE,
	closed_at DATETIME,
	closed_by_id INTEGER,
	updated_by_id INTEGER,
	last_edited_at DATETIME,
	last_edited_by_id INTEGER,
	health_status VARCHAR(32),
	moved_to_id INTEGER,
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
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	project_id INTEGER NOT NULL,
	label_id INTEGER NOT NULL,
	priority INTEGER NOT NULL,
	CONSTRAINT pk_label_priorities PRIMARY KEY (project_id, label_id),
	CONSTRAINT fk_label_priorities_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_label_priorities_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_label_priorities_label_id ON label_priorities (label_id)
--;
CREATE TABLE label_subscriptions (
	label_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	CONSTRAINT pk_label_subscriptions PRIMARY KEY (label_id, user_id),
	CONSTRAINT fk_label_subscriptions_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE,
	CONSTRAINT fk_label_subscriptions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE merge_requests (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	iid INTEGER NOT NULL,
	project_id INTEGER NOT NULL,
	source_project_id INTEGER,
	source_branch VARCHAR(255) NOT NULL,
	target_branch VARCHAR(255) NOT NULL,
	author_id INTEGER,
	title VARCHAR(255) NOT NULL,
	description TEXT,
	state VARCHAR(8) DEFAULT 'opened' NOT NULL,
	is_draft BOOLEAN DEFAULT '0' NOT NULL,
	milestone_id INTEGER,
	squash BOOLEAN DEFAULT '0' NOT NULL,
	discussion_locked BOOLEAN,
	force_remove_source_branch BOOLEAN,
	should_remove_source_branch BOOLEAN,
	allow_collaboration BOOLEAN DEFAULT '0' NOT NULL,
	merge_after DATETIME,
	approvals_before_merge INTEGER,
	auto_merge BOOLEAN DEFAULT '0' NOT NULL,
	auto_merge_user_id INTEGER,
	auto_merge_options JSON,
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
	head_pipeline_id INTEGER,
	merge_commit_sha VARCHAR(64),
	squash_commit_sha VARCHAR(64),
	in_progress_merge_sha VARCHAR(64),
	locked_at DATETIME,
	prepared_at DATETIME,
	merged_at DATETIME,
	merged_by_id INTEGER,
	closed_at DATETIME,
	closed_by_id INTEGER,
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
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	schedule_id INTEGER NOT NULL,
	"key" VARCHAR(255) NOT NULL,
	sealed_value TEXT NOT NULL,
	variable_type VARCHAR(8) DEFAULT 'env_var' NOT NULL,
	raw BOOLEAN DEFAULT '0' NOT NULL,
	CONSTRAINT uq_pipeline_schedule_variables_schedule_id_key UNIQUE (schedule_id, "key"),
	CONSTRAINT fk_pipeline_schedule_variables_schedule_id FOREIGN KEY(schedule_id) REFERENCES pipeline_schedules (id) ON DELETE CASCADE
)
--;
CREATE TABLE pipeline_variables (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	pipeline_id INTEGER NOT NULL,
	"key" VARCHAR(255) NOT NULL,
	sealed_value TEXT NOT NULL,
	variable_type VARCHAR(8) DEFAULT 'env_var' NOT NULL,
	raw BOOLEAN DEFAULT '0' NOT NULL,
	CONSTRAINT uq_pipeline_variables_pipeline_id_key UNIQUE (pipeline_id, "key"),
	CONSTRAINT fk_pipeline_variables_pipeline_id FOREIGN KEY(pipeline_id) REFERENCES pipelines (id) ON DELETE CASCADE
)
--;
CREATE TABLE protected_branch_access_levels (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	protected_branch_id INTEGER NOT NULL,
	kind VARCHAR(16) NOT NULL,
	access_level SMALLINT,
	user_id INTEGER,
	group_id INTEGER,
	CONSTRAINT fk_protected_branch_access_levels_protected_branch_id FOREIGN KEY(protected_branch_id) REFERENCES protected_branches (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_branch_access_levels_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_branch_access_levels_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_protected_branch_access_levels_protected_branch_id ON protected_branch_access_levels (protected_branch_id)
--;
CREATE TABLE protected_environment_entries (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	protected_environment_id INTEGER NOT NULL,
	kind VARCHAR(16) NOT NULL,
	access_level SMALLINT,
	user_id INTEGER,
	group_id INTEGER,
	group_inheritance_type SMALLINT DEFAULT '0' NOT NULL,
	required_approvals INTEGER DEFAULT '1' NOT NULL,
	CONSTRAINT fk_protected_environment_entries_protected_environment_id FOREIGN KEY(protected_environment_id) REFERENCES protected_environments (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_environment_entries_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_environment_entries_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_protected_environment_entries_protected_environment_id ON protected_environment_entries (protected_environment_id)
--;
CREATE TABLE protected_tag_access_levels (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	protected_tag_id INTEGER NOT NULL,
	access_level SMALLINT,
	user_id INTEGER,
	group_id INTEGER,
	CONSTRAINT fk_protected_tag_access_levels_protected_tag_id FOREIGN KEY(protected_tag_id) REFERENCES protected_tags (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_tag_access_levels_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_protected_tag_access_levels_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_protected_tag_access_levels_protected_tag_id ON protected_tag_access_levels (protected_tag_id)
--;
CREATE TABLE relation_export_batches (
	export_id INTEGER NOT NULL,
	batch_number INTEGER NOT NULL,
	status SMALLINT NOT NULL,
	objects_count INTEGER NOT NULL,
	error TEXT,
	blob_key VARCHAR(255),
	size BIGINT DEFAULT '0' NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_relation_export_batches PRIMARY KEY (export_id, batch_number),
	CONSTRAINT fk_relation_export_batches_export_id FOREIGN KEY(export_id) REFERENCES relation_exports (id) ON DELETE CASCADE
)
--;
CREATE TABLE release_evidences (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	release_id INTEGER NOT NULL,
	sha VARCHAR(64) NOT NULL,
	summary TEXT NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_release_evidences_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_release_evidences_release_id ON release_evidences (release_id)
--;
CREATE TABLE release_links (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	release_id INTEGER NOT NULL,
	name VARCHAR(255) NOT NULL,
	url TEXT NOT NULL,
	filepath VARCHAR(128),
	link_type VARCHAR(16) DEFAULT 'other' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_release_links_release_id_name UNIQUE (release_id, name),
	CONSTRAINT fk_release_links_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE
)
--;
CREATE TABLE release_milestones (
	release_id INTEGER NOT NULL,
	milestone_id INTEGER NOT NULL,
	CONSTRAINT pk_release_milestones PRIMARY KEY (release_id, milestone_id),
	CONSTRAINT fk_release_milestones_release_id FOREIGN KEY(release_id) REFERENCES releases (id) ON DELETE CASCADE,
	CONSTRAINT fk_release_milestones_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_release_milestones_milestone_id ON release_milestones (milestone_id)
--;
CREATE TABLE snippet_files (
	snippet_id INTEGER NOT NULL,
	path VARCHAR(255) NOT NULL,
	position INTEGER NOT NULL,
	content TEXT NOT NULL,
	CONSTRAINT pk_snippet_files PRIMARY KEY (snippet_id, path),
	CONSTRAINT fk_snippet_files_snippet_id FOREIGN KEY(snippet_id) REFERENCES snippets (id) ON DELETE CASCADE
)
--;
CREATE TABLE status_check_branches (
	check_id INTEGER NOT NULL,
	protected_branch_id INTEGER NOT NULL,
	CONSTRAINT pk_status_check_branches PRIMARY KEY (check_id, protected_branch_id),
	CONSTRAINT fk_status_check_branches_check_id FOREIGN KEY(check_id) REFERENCES external_status_checks (id) ON DELETE CASCADE,
	CONSTRAINT fk_status_check_branches_protected_branch_id FOREIGN KEY(protected_branch_id) REFERENCES protected_branches (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_status_check_branches_protected_branch_id ON status_check_branches (protected_branch_id)
--;
CREATE TABLE status_check_messages (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	check_id INTEGER NOT NULL,
	mark VARCHAR(64) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_status_check_messages_check_id FOREIGN KEY(check_id) REFERENCES external_status_checks (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_status_check_messages_check_id ON status_check_messages (check_id)
--;
CREATE TABLE suggestions (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	note_id INTEGER NOT NULL,
	relative_order INTEGER NOT NULL,
	lines_above INTEGER DEFAULT '0' NOT NULL,
	lines_below INTEGER DEFAULT '0' NOT NULL,
	from_content TEXT NOT NULL,
	to_content TEXT NOT NULL,
	applied BOOLEAN DEFAULT '0' NOT NULL,
	outdated BOOLEAN DEFAULT '0' NOT NULL,
	commit_id VARCHAR(64),
	CONSTRAINT fk_suggestions_note_id FOREIGN KEY(note_id) REFERENCES notes (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_suggestions_note_id ON suggestions (note_id)
--;
CREATE TABLE web_hook_logs (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	hook_id INTEGER NOT NULL,
	flag VARCHAR(40),
	url TEXT NOT NULL,
	url_digest VARCHAR(64) NOT NULL,
	event_uuid VARCHAR(36) NOT NULL,
	idempotency_key VARCHAR(36) NOT NULL,
	request_headers JSON NOT NULL,
	request_data TEXT NOT NULL,
	response_headers JSON NOT NULL,
	response_body TEXT NOT NULL,
	response_status VARCHAR(16) NOT NULL,
	execution_duration FLOAT NOT NULL,
	created_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	hook_id INTEGER NOT NULL,
	flag VARCHAR(40),
	subject VARCHAR(255) NOT NULL,
	event_uuid VARCHAR(36) NOT NULL,
	idempotency_key VARCHAR(36) NOT NULL,
	mark VARCHAR(40) NOT NULL,
	payload TEXT NOT NULL,
	late_parts JSON NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_web_hook_messages_hook_id FOREIGN KEY(hook_id) REFERENCES web_hooks (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_web_hook_messages_event_uuid ON web_hook_messages (event_uuid)
--;
CREATE INDEX ix_web_hook_messages_hook_id_id ON web_hook_messages (hook_id, id)
--;
CREATE TABLE web_hook_token_warnings (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	access_token_id INTEGER,
	deploy_token_id INTEGER,
	days SMALLINT NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	merge_request_id INTEGER NOT NULL,
	source_rule_id INTEGER,
	name VARCHAR(1024) NOT NULL,
	approvals_required INTEGER DEFAULT '0' NOT NULL,
	rule_type VARCHAR(32) DEFAULT 'regular' NOT NULL,
	report_type VARCHAR(32),
	section VARCHAR(255),
	is_modified BOOLEAN DEFAULT '0' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_approval_merge_request_rules_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_merge_request_rules_source_rule_id FOREIGN KEY(source_rule_id) REFERENCES approval_project_rules (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_approval_merge_request_rules_merge_request_id ON approval_merge_request_rules (merge_request_id)
--;
CREATE TABLE approvals (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	merge_request_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	patch_id_sha VARCHAR(64),
	created_at DATETIME NOT NULL,
	CONSTRAINT uq_approvals_merge_request_id_user_id UNIQUE (merge_request_id, user_id),
	CONSTRAINT fk_approvals_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_approvals_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approvals_user_id ON approvals (user_id)
--;
CREATE TABLE board_labels (
	board_id INTEGER NOT NULL,
	label_id INTEGER NOT NULL,
	CONSTRAINT pk_board_labels PRIMARY KEY (board_id, label_id),
	CONSTRAINT fk_board_labels_board_id FOREIGN KEY(board_id) REFERENCES boards (id) ON DELETE CASCADE,
	CONSTRAINT fk_board_labels_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_board_labels_label_id ON board_labels (label_id)
--;
CREATE TABLE board_lists (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	board_id INTEGER NOT NULL,
	label_id INTEGER,
	assignee_id INTEGER,
	milestone_id INTEGER,
	position INTEGER NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	job_id INTEGER NOT NULL,
	tag VARCHAR(255) NOT NULL,
	CONSTRAINT pk_ci_job_tags PRIMARY KEY (job_id, tag),
	CONSTRAINT fk_ci_job_tags_job_id FOREIGN KEY(job_id) REFERENCES ci_jobs (id) ON DELETE CASCADE
)
--;
CREATE TABLE deployment_approvals (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	deployment_id INTEGER NOT NULL,
	user_id INTEGER,
	entry_id INTEGER,
	status VARCHAR(16) NOT NULL,
	comment TEXT,
	created_at DATETIME NOT NULL,
	CONSTRAINT uq_deployment_approvals_deployment_id_user_id UNIQUE (deployment_id, user_id),
	CONSTRAINT fk_deployment_approvals_deployment_id FOREIGN KEY(deployment_id) REFERENCES deployments (id) ON DELETE CASCADE,
	CONSTRAINT fk_deployment_approvals_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE SET NULL,
	CONSTRAINT fk_deployment_approvals_entry_id FOREIGN KEY(entry_id) REFERENCES protected_environment_entries (id) ON DELETE SET NULL
)
--;
CREATE TABLE deployment_merge_requests (
	deployment_id INTEGER NOT NULL,
	merge_request_id INTEGER NOT NULL,
	CONSTRAINT pk_deployment_merge_requests PRIMARY KEY (deployment_id, merge_request_id),
	CONSTRAINT fk_deployment_merge_requests_deployment_id FOREIGN KEY(deployment_id) REFERENCES deployments (id) ON DELETE CASCADE,
	CONSTRAINT fk_deployment_merge_requests_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_deployment_merge_requests_merge_request_id ON deployment_merge_requests (merge_request_id)
--;
CREATE TABLE draft_notes (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	merge_request_id INTEGER NOT NULL,
	author_id INTEGER NOT NULL,
	note TEXT NOT NULL,
	discussion_id VARCHAR(40),
	resolve_discussion BOOLEAN NOT NULL,
	commit_id VARCHAR(64),
	position JSON,
	line_code VARCHAR(128),
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT fk_draft_notes_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_draft_notes_author_id FOREIGN KEY(author_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_draft_notes_author_id ON draft_notes (author_id)
--;
CREATE INDEX ix_draft_notes_merge_request_author ON draft_notes (merge_request_id, author_id, id)
--;
CREATE TABLE flag_scopes (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	strategy_id INTEGER NOT NULL,
	environment_scope VARCHAR(255) NOT NULL,
	CONSTRAINT uq_flag_scopes_strategy_id_environment_scope UNIQUE (strategy_id, environment_scope),
	CONSTRAINT fk_flag_scopes_strategy_id FOREIGN KEY(strategy_id) REFERENCES flag_strategies (id) ON DELETE CASCADE
)
--;
CREATE TABLE issue_assignees (
	issue_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	CONSTRAINT pk_issue_assignees PRIMARY KEY (issue_id, user_id),
	CONSTRAINT fk_issue_assignees_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_issue_assignees_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_issue_assignees_user_id ON issue_assignees (user_id)
--;
CREATE TABLE issue_labels (
	issue_id INTEGER NOT NULL,
	label_id INTEGER NOT NULL,
	CONSTRAINT pk_issue_labels PRIMARY KEY (issue_id, label_id),
	CONSTRAINT fk_issue_labels_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_issue_labels_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_issue_labels_label_id ON issue_labels (label_id)
--;
CREATE TABLE issue_links (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	source_id INTEGER NOT NULL,
	target_id INTEGER NOT NULL,
	link_type VARCHAR(16) DEFAULT 'relates_to' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_issue_links_source_id_target_id UNIQUE (source_id, target_id),
	CONSTRAINT fk_issue_links_source_id FOREIGN KEY(source_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_issue_links_target_id FOREIGN KEY(target_id) REFERENCES issues (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_issue_links_target_id ON issue_links (target_id)
--;
CREATE TABLE issue_mentions (
	issue_id INTEGER NOT NULL,
	merge_request_id INTEGER NOT NULL,
	closes BOOLEAN NOT NULL,
	CONSTRAINT pk_issue_mentions PRIMARY KEY (issue_id, merge_request_id),
	CONSTRAINT fk_issue_mentions_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_issue_mentions_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_issue_mentions_merge_request_id ON issue_mentions (merge_request_id)
--;
CREATE TABLE issue_state_events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	issue_id INTEGER NOT NULL,
	user_id INTEGER,
	state VARCHAR(16) NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_issue_state_events_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_issue_state_events_issue_id ON issue_state_events (issue_id)
--;
CREATE TABLE issue_subscriptions (
	issue_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	subscribed BOOLEAN NOT NULL,
	CONSTRAINT pk_issue_subscriptions PRIMARY KEY (issue_id, user_id),
	CONSTRAINT fk_issue_subscriptions_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_issue_subscriptions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE job_artifacts (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER NOT NULL,
	pipeline_id INTEGER NOT NULL,
	job_id INTEGER NOT NULL,
	file_type VARCHAR(32) NOT NULL,
	file_format VARCHAR(8),
	filename VARCHAR(255) NOT NULL,
	size BIGINT NOT NULL,
	blob_key TEXT NOT NULL,
	index_key TEXT,
	sha256 VARCHAR(64),
	accessibility VARCHAR(16) DEFAULT 'public' NOT NULL,
	expire_at DATETIME,
	created_at DATETIME NOT NULL,
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
	job_id INTEGER NOT NULL,
	start BIGINT NOT NULL,
	content BLOB NOT NULL,
	CONSTRAINT pk_job_trace_chunks PRIMARY KEY (job_id, start),
	CONSTRAINT fk_job_trace_chunks_job_id FOREIGN KEY(job_id) REFERENCES ci_jobs (id) ON DELETE CASCADE
)
--;
CREATE TABLE job_traces (
	job_id INTEGER NOT NULL,
	size BIGINT DEFAULT '0' NOT NULL,
	crc32 BIGINT DEFAULT '0' NOT NULL,
	short_since DATETIME,
	blob_key TEXT,
	updated_at DATETIME NOT NULL,
	CONSTRAINT pk_job_traces PRIMARY KEY (job_id),
	CONSTRAINT fk_job_traces_job_id FOREIGN KEY(job_id) REFERENCES ci_jobs (id) ON DELETE CASCADE
)
--;
CREATE TABLE merge_request_assignees (
	merge_request_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	position SMALLINT NOT NULL,
	CONSTRAINT pk_merge_request_assignees PRIMARY KEY (merge_request_id, user_id),
	CONSTRAINT fk_merge_request_assignees_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_assignees_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_assignees_user_id ON merge_request_assignees (user_id)
--;
CREATE TABLE merge_request_blocks (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	blocking_id INTEGER NOT NULL,
	blocked_id INTEGER NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_merge_request_blocks_blocked_id_blocking_id UNIQUE (blocked_id, blocking_id),
	CONSTRAINT fk_merge_request_blocks_blocking_id FOREIGN KEY(blocking_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_blocks_blocked_id FOREIGN KEY(blocked_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_blocks_blocking_id ON merge_request_blocks (blocking_id)
--;
CREATE TABLE merge_request_committers (
	merge_request_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	CONSTRAINT pk_merge_request_committers PRIMARY KEY (merge_request_id, user_id),
	CONSTRAINT fk_merge_request_committers_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_committers_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_committers_user_id ON merge_request_committers (user_id)
--;
CREATE TABLE merge_request_context_commits (
	merge_request_id INTEGER NOT NULL,
	sha VARCHAR(64) NOT NULL,
	position INTEGER NOT NULL,
	CONSTRAINT pk_merge_request_context_commits PRIMARY KEY (merge_request_id, sha),
	CONSTRAINT fk_merge_request_context_commits_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE TABLE merge_request_diffs (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	merge_request_id INTEGER NOT NULL,
	head_sha VARCHAR(64) NOT NULL,
	base_sha VARCHAR(64),
	start_sha VARCHAR(64),
	state VARCHAR(16) DEFAULT 'collected' NOT NULL,
	real_size VARCHAR(16) DEFAULT '0' NOT NULL,
	patch_id_sha VARCHAR(64),
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_merge_request_diffs_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_diffs_merge_request_id ON merge_request_diffs (merge_request_id)
--;
CREATE TABLE merge_request_labels (
	merge_request_id INTEGER NOT NULL,
	label_id INTEGER NOT NULL,
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
	merge_request_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	position SMALLINT NOT NULL,
	state VARCHAR(32) DEFAULT 'unreviewed' NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_merge_request_reviewers PRIMARY KEY (merge_request_id, user_id),
	CONSTRAINT fk_merge_request_reviewers_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_reviewers_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_reviewers_user_id ON merge_request_reviewers (user_id)
--;
CREATE TABLE merge_request_state_events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	merge_request_id INTEGER NOT NULL,
	user_id INTEGER,
	state VARCHAR(16) NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_merge_request_state_events_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_merge_request_state_events_merge_request_id ON merge_request_state_events (merge_request_id)
--;
CREATE TABLE merge_request_subscriptions (
	merge_request_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	subscribed BOOLEAN NOT NULL,
	CONSTRAINT pk_merge_request_subscriptions PRIMARY KEY (merge_request_id, user_id),
	CONSTRAINT fk_merge_request_subscriptions_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_merge_request_subscriptions_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE TABLE pipeline_test_reports (
	job_id INTEGER NOT NULL,
	pipeline_id INTEGER NOT NULL,
	report JSON NOT NULL,
	CONSTRAINT pk_pipeline_test_reports PRIMARY KEY (job_id),
	CONSTRAINT fk_pipeline_test_reports_job_id FOREIGN KEY(job_id) REFERENCES ci_jobs (id) ON DELETE CASCADE,
	CONSTRAINT fk_pipeline_test_reports_pipeline_id FOREIGN KEY(pipeline_id) REFERENCES pipelines (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_pipeline_test_reports_pipeline_id ON pipeline_test_reports (pipeline_id)
--;
CREATE TABLE resource_label_events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	issue_id INTEGER,
	merge_request_id INTEGER,
	user_id INTEGER,
	label_id INTEGER,
	action VARCHAR(16) NOT NULL,
	created_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	issue_id INTEGER,
	merge_request_id INTEGER,
	user_id INTEGER,
	milestone_id INTEGER NOT NULL,
	action VARCHAR(16) NOT NULL,
	state VARCHAR(16) NOT NULL,
	created_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	issue_id INTEGER NOT NULL,
	user_id INTEGER,
	weight INTEGER,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_resource_weight_events_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_resource_weight_events_issue_id ON resource_weight_events (issue_id)
--;
CREATE TABLE status_check_responses (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	merge_request_id INTEGER NOT NULL,
	check_id INTEGER NOT NULL,
	sha VARCHAR(64) NOT NULL,
	status VARCHAR(16) NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_status_check_responses_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_status_check_responses_check_id FOREIGN KEY(check_id) REFERENCES external_status_checks (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_status_check_responses_check_id ON status_check_responses (check_id)
--;
CREATE INDEX ix_status_check_responses_request ON status_check_responses (merge_request_id, check_id)
--;
CREATE TABLE timelogs (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	issue_id INTEGER,
	merge_request_id INTEGER,
	user_id INTEGER,
	time_spent INTEGER NOT NULL,
	spent_at DATETIME NOT NULL,
	summary TEXT,
	note_id INTEGER,
	imported_from VARCHAR(32) DEFAULT 'none' NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	issue_id INTEGER,
	snippet_id INTEGER,
	user_id INTEGER NOT NULL,
	user_agent VARCHAR(255) NOT NULL,
	ip_address VARCHAR(64) NOT NULL,
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
	merge_request_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	path_sha VARCHAR(40) NOT NULL,
	blob_id VARCHAR(64) NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_viewed_files PRIMARY KEY (merge_request_id, user_id, path_sha),
	CONSTRAINT fk_viewed_files_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_viewed_files_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_viewed_files_user_id ON viewed_files (user_id)
--;
CREATE TABLE approval_merge_request_rule_groups (
	rule_id INTEGER NOT NULL,
	group_id INTEGER NOT NULL,
	CONSTRAINT pk_approval_merge_request_rule_groups PRIMARY KEY (rule_id, group_id),
	CONSTRAINT fk_approval_merge_request_rule_groups_rule_id FOREIGN KEY(rule_id) REFERENCES approval_merge_request_rules (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_merge_request_rule_groups_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_merge_request_rule_groups_group_id ON approval_merge_request_rule_groups (group_id)
--;
CREATE TABLE approval_merge_request_rule_users (
	rule_id INTEGER NOT NULL,
	user_id INTEGER NOT NULL,
	CONSTRAINT pk_approval_merge_request_rule_users PRIMARY KEY (rule_id, user_id),
	CONSTRAINT fk_approval_merge_request_rule_users_rule_id FOREIGN KEY(rule_id) REFERENCES approval_merge_request_rules (id) ON DELETE CASCADE,
	CONSTRAINT fk_approval_merge_request_rule_users_user_id FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_approval_merge_request_rule_users_user_id ON approval_merge_request_rule_users (user_id)
--;
CREATE TRIGGER IF NOT EXISTS settled_namespaces_insert AFTER INSERT ON namespaces BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_namespaces_update AFTER UPDATE ON namespaces BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_namespaces_delete AFTER DELETE ON namespaces BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_namespace_ancestors_insert AFTER INSERT ON namespace_ancestors BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_namespace_ancestors_update AFTER UPDATE ON namespace_ancestors BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_namespace_ancestors_delete AFTER DELETE ON namespace_ancestors BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_address_ranges_insert AFTER INSERT ON group_address_ranges BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_address_ranges_update AFTER UPDATE ON group_address_ranges BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_address_ranges_delete AFTER DELETE ON group_address_ranges BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_projects_insert AFTER INSERT ON projects BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_projects_update AFTER UPDATE OF namespace_id ON projects BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_projects_delete AFTER DELETE ON projects BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_users_insert AFTER INSERT ON users BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_users_update AFTER UPDATE OF username, public_email, name, state, kind, avatar, email, email_lower, locked_until, profile, private_profile, created_at, is_admin, is_external, password_expires_at ON users BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_users_delete AFTER DELETE ON users BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_personal_access_tokens_insert AFTER INSERT ON personal_access_tokens BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_personal_access_tokens_update AFTER UPDATE OF user_id, digest, scopes, impersonation, revoked, family_id, expires_at ON personal_access_tokens BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_personal_access_tokens_delete AFTER DELETE ON personal_access_tokens BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_application_settings_insert AFTER INSERT ON application_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_application_settings_update AFTER UPDATE ON application_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_application_settings_delete AFTER DELETE ON application_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE VIRTUAL TABLE IF NOT EXISTS project_search USING fts5(
    search_text, full_path_lower, content='projects', content_rowid='id', tokenize='trigram case_sensitive 1'
)
--;
CREATE VIRTUAL TABLE IF NOT EXISTS project_search_terms USING fts5vocab('project_search', 'row')
--;
CREATE TRIGGER IF NOT EXISTS project_search_added AFTER INSERT ON projects BEGIN
INSERT INTO project_search(rowid, search_text, full_path_lower)
VALUES (new.id, new.search_text, new.full_path_lower);
 END
--;
CREATE TRIGGER IF NOT EXISTS project_search_removed AFTER DELETE ON projects BEGIN
INSERT INTO project_search(project_search, rowid, search_text, full_path_lower)
VALUES ('delete', old.id, old.search_text, old.full_path_lower);
 END
--;
CREATE TRIGGER IF NOT EXISTS project_search_changed AFTER UPDATE OF search_text, full_path_lower ON projects
        BEGIN
INSERT INTO project_search(project_search, rowid, search_text, full_path_lower)
VALUES ('delete', old.id, old.search_text, old.full_path_lower);

INSERT INTO project_search(rowid, search_text, full_path_lower)
VALUES (new.id, new.search_text, new.full_path_lower);
 END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_branches_insert AFTER INSERT ON protected_branches BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_branches_update AFTER UPDATE ON protected_branches BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_branches_delete AFTER DELETE ON protected_branches BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_branch_access_levels_insert AFTER INSERT ON protected_branch_access_levels BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_branch_access_levels_update AFTER UPDATE ON protected_branch_access_levels BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_branch_access_levels_delete AFTER DELETE ON protected_branch_access_levels BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_protected_branches_insert AFTER INSERT ON group_protected_branches BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_protected_branches_update AFTER UPDATE ON group_protected_branches BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_protected_branches_delete AFTER DELETE ON group_protected_branches BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_protected_branch_access_levels_insert AFTER INSERT ON group_protected_branch_access_levels BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_protected_branch_access_levels_update AFTER UPDATE ON group_protected_branch_access_levels BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_protected_branch_access_levels_delete AFTER DELETE ON group_protected_branch_access_levels BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_tags_insert AFTER INSERT ON protected_tags BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_tags_update AFTER UPDATE ON protected_tags BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_tags_delete AFTER DELETE ON protected_tags BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_tag_access_levels_insert AFTER INSERT ON protected_tag_access_levels BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_tag_access_levels_update AFTER UPDATE ON protected_tag_access_levels BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_protected_tag_access_levels_delete AFTER DELETE ON protected_tag_access_levels BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS merge_request_label_linked AFTER INSERT ON merge_request_labels BEGIN
UPDATE merge_request_labels
SET state = (SELECT state FROM merge_requests WHERE id = new.merge_request_id)
WHERE merge_request_id = new.merge_request_id AND label_id = new.label_id;
 END
--;
CREATE TRIGGER IF NOT EXISTS merge_request_state_moved AFTER UPDATE OF state ON merge_requests BEGIN UPDATE merge_request_labels SET state = new.state WHERE merge_request_id = new.id; END
--;
CREATE TRIGGER IF NOT EXISTS merge_request_labelled AFTER INSERT ON merge_request_labels BEGIN UPDATE merge_requests SET is_labelled = true WHERE id = new.merge_request_id AND NOT is_labelled; END
--;
CREATE TRIGGER IF NOT EXISTS merge_request_unlabelled AFTER DELETE ON merge_request_labels BEGIN
UPDATE merge_requests
SET is_labelled = EXISTS (SELECT 1 FROM merge_request_labels WHERE merge_request_id = old.merge_request_id)
WHERE id = old.merge_request_id;
 END
--;
CREATE VIRTUAL TABLE IF NOT EXISTS merge_request_search USING fts5(
    title, description, content='merge_requests', content_rowid='id', tokenize='trigram'
)
--;
CREATE TRIGGER IF NOT EXISTS merge_request_search_added AFTER INSERT ON merge_requests BEGIN
INSERT INTO merge_request_search(rowid, title, description) VALUES (new.id, new.title, new.description);
 END
--;
CREATE TRIGGER IF NOT EXISTS merge_request_search_removed AFTER DELETE ON merge_requests BEGIN
INSERT INTO merge_request_search(merge_request_search, rowid, title, description)
VALUES ('delete', old.id, old.title, old.description);
 END
--;
CREATE TRIGGER IF NOT EXISTS merge_request_search_changed AFTER UPDATE OF title, description ON merge_requests
        BEGIN
INSERT INTO merge_request_search(merge_request_search, rowid, title, description)
VALUES ('delete', old.id, old.title, old.description);

INSERT INTO merge_request_search(rowid, title, description) VALUES (new.id, new.title, new.description);
 END
--;
CREATE TRIGGER IF NOT EXISTS settled_lfs_locks_insert AFTER INSERT ON lfs_locks BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_lfs_locks_update AFTER UPDATE ON lfs_locks BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_lfs_locks_delete AFTER DELETE ON lfs_locks BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_approval_settings_insert AFTER INSERT ON group_approval_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_approval_settings_update AFTER UPDATE ON group_approval_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_approval_settings_delete AFTER DELETE ON group_approval_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_project_approval_settings_insert AFTER INSERT ON project_approval_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_project_approval_settings_update AFTER UPDATE ON project_approval_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_project_approval_settings_delete AFTER DELETE ON project_approval_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_approval_project_rules_insert AFTER INSERT ON approval_project_rules BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_approval_project_rules_update AFTER UPDATE ON approval_project_rules BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_approval_project_rules_delete AFTER DELETE ON approval_project_rules BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_approval_project_rule_users_insert AFTER INSERT ON approval_project_rule_users BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_approval_project_rule_users_update AFTER UPDATE ON approval_project_rule_users BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_approval_project_rule_users_delete AFTER DELETE ON approval_project_rule_users BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_approval_project_rule_branches_insert AFTER INSERT ON approval_project_rule_branches BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_approval_project_rule_branches_update AFTER UPDATE ON approval_project_rule_branches BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_approval_project_rule_branches_delete AFTER DELETE ON approval_project_rule_branches BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE VIRTUAL TABLE IF NOT EXISTS code_content_trigrams USING fts5(words, content='', detail=none, tokenize='trigram case_sensitive 1')
--;
CREATE VIRTUAL TABLE IF NOT EXISTS code_path_trigrams USING fts5(words, content='', detail=none, tokenize='trigram case_sensitive 1')
--;
CREATE TRIGGER IF NOT EXISTS code_path_trigrams_removed AFTER DELETE ON code_files BEGIN
INSERT INTO code_path_trigrams(code_path_trigrams, rowid, words) VALUES ('delete', old.id, old.path_lower);
END
--;
CREATE TRIGGER IF NOT EXISTS settled_runners_insert AFTER INSERT ON runners BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_runners_update AFTER UPDATE OF runner_type, active, run_untagged, access_level, tag_list, created_at ON runners BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_runners_delete AFTER DELETE ON runners BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_runner_projects_insert AFTER INSERT ON runner_projects BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_runner_projects_update AFTER UPDATE ON runner_projects BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_runner_projects_delete AFTER DELETE ON runner_projects BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_runner_groups_insert AFTER INSERT ON runner_groups BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_runner_groups_update AFTER UPDATE ON runner_groups BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_runner_groups_delete AFTER DELETE ON runner_groups BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
