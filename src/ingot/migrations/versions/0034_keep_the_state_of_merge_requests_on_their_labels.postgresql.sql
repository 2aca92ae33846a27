ALTER TABLE merge_request_labels ADD COLUMN state VARCHAR(8)
--;
UPDATE merge_request_labels SET state = (SELECT state FROM merge_requests WHERE id = merge_request_id)
--;
CREATE INDEX ix_merge_request_labels_state ON merge_request_labels (label_id, state, merge_request_id)
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
