ALTER TABLE merge_requests ADD COLUMN is_labelled BOOLEAN DEFAULT '0' NOT NULL
--;
UPDATE merge_requests SET is_labelled = true WHERE id IN (SELECT merge_request_id FROM merge_request_labels)
--;
CREATE INDEX ix_merge_requests_project_labelled ON merge_requests (project_id, is_labelled, created_at, id)
--;
CREATE OR REPLACE FUNCTION merge_request_labelled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE merge_requests SET is_labelled = true WHERE id = new.merge_request_id AND NOT is_labelled; RETURN NULL; END $$
--;
DROP TRIGGER IF EXISTS merge_request_labelled ON merge_request_labels
--;
CREATE TRIGGER merge_request_labelled AFTER INSERT ON merge_request_labels FOR EACH ROW EXECUTE FUNCTION merge_request_labelled()
--;
CREATE OR REPLACE FUNCTION merge_request_unlabelled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
UPDATE merge_requests
SET is_labelled = EXISTS (SELECT 1 FROM merge_request_labels WHERE merge_request_id = old.merge_request_id)
WHERE id = old.merge_request_id;
 RETURN NULL; END $$
--;
DROP TRIGGER IF EXISTS merge_request_unlabelled ON merge_request_labels
--;
CREATE TRIGGER merge_request_unlabelled AFTER DELETE ON merge_request_labels FOR EACH ROW EXECUTE FUNCTION merge_request_unlabelled()
