CREATE TABLE settled_changes (
	id BIGSERIAL NOT NULL,
	token VARCHAR(36) NOT NULL,
	transaction_id VARCHAR(20),
	CONSTRAINT pk_settled_changes PRIMARY KEY (id)
)
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
DROP TRIGGER IF EXISTS settled_projects ON projects
--;
CREATE TRIGGER settled_projects AFTER INSERT OR UPDATE OF namespace_id OR DELETE OR TRUNCATE ON projects FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_users ON users
--;
CREATE TRIGGER settled_users AFTER INSERT OR UPDATE OF username, public_email, name, state, kind, avatar, email_lower, locked_until, profile, private_profile, created_at OR DELETE OR TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_application_settings ON application_settings
--;
CREATE TRIGGER settled_application_settings AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON application_settings FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
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
