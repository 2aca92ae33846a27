ALTER TABLE push_notes ADD COLUMN moved_to JSONB
