CREATE TABLE settled_changes (
	id INTEGER NOT NULL,
	token VARCHAR(36) NOT NULL,
	transaction_id VARCHAR(20),
	CONSTRAINT pk_settled_changes PRIMARY KEY (id)
)
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
CREATE TRIGGER IF NOT EXISTS settled_projects_insert AFTER INSERT ON projects BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_projects_update AFTER UPDATE OF namespace_id ON projects BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_projects_delete AFTER DELETE ON projects BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_users_insert AFTER INSERT ON users BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_users_update AFTER UPDATE OF username, public_email, name, state, kind, avatar, email_lower, locked_until, profile, private_profile, created_at ON users BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_users_delete AFTER DELETE ON users BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_application_settings_insert AFTER INSERT ON application_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_application_settings_update AFTER UPDATE ON application_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_application_settings_delete AFTER DELETE ON application_settings BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
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
