DROP TRIGGER IF EXISTS settled_users_update
--;
CREATE TRIGGER IF NOT EXISTS settled_group_address_ranges_insert AFTER INSERT ON group_address_ranges BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_address_ranges_update AFTER UPDATE ON group_address_ranges BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_group_address_ranges_delete AFTER DELETE ON group_address_ranges BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_users_update AFTER UPDATE OF username, public_email, name, state, kind, avatar, email, email_lower, locked_until, profile, private_profile, created_at, is_admin, is_external, password_expires_at ON users BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_personal_access_tokens_insert AFTER INSERT ON personal_access_tokens BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_personal_access_tokens_update AFTER UPDATE OF user_id, digest, scopes, impersonation, revoked, family_id, expires_at ON personal_access_tokens BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
--;
CREATE TRIGGER IF NOT EXISTS settled_personal_access_tokens_delete AFTER DELETE ON personal_access_tokens BEGIN DELETE FROM settled_changes; INSERT INTO settled_changes (token) VALUES (hex(randomblob(16))); END
