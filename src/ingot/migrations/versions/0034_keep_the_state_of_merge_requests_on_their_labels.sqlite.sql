ALTER TABLE merge_request_labels ADD COLUMN state VARCHAR(8)
--;
UPDATE merge_request_labels SET state = (SELECT state FROM merge_requests WHERE id = merge_request_id)
--;
CREATE INDEX ix_merge_request_labels_state ON merge_request_labels (label_id, state, merge_request_id)
--;
CREATE TRIGGER IF NOT EXISTS merge_request_label_linked AFTER INSERT ON merge_request_labels BEGIN
UPDATE merge_request_labels
SET state = (SELECT state FROM merge_requests WHERE id = new.merge_request_id)
WHERE merge_request_id = new.merge_request_id AND label_id = new.label_id;
 END
--;
CREATE TRIGGER IF NOT EXISTS merge_request_state_moved AFTER UPDATE OF state ON merge_requests BEGIN UPDATE merge_request_labels SET state = new.state WHERE merge_request_id = new.id; END
