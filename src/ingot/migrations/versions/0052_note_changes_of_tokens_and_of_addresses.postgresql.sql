DROP TRIGGER IF EXISTS settled_users ON users
--;
DROP TRIGGER IF EXISTS settled_group_address_ranges ON group_address_ranges
--;
CREATE TRIGGER settled_group_address_ranges AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON group_address_ranges FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
CREATE TRIGGER settled_users AFTER INSERT OR UPDATE OF username, public_email, name, state, kind, avatar, email, email_lower, locked_until, profile, private_profile, created_at, is_admin, is_external, password_expires_at OR DELETE OR TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
--;
DROP TRIGGER IF EXISTS settled_personal_access_tokens ON personal_access_tokens
--;
CREATE TRIGGER settled_personal_access_tokens AFTER INSERT OR UPDATE OF user_id, digest, scopes, impersonation, revoked, family_id, expires_at OR DELETE OR TRUNCATE ON personal_access_tokens FOR EACH STATEMENT EXECUTE FUNCTION note_settled_change()
