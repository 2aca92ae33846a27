ALTER TABLE user_keys ADD COLUMN last_used_at DATETIME
