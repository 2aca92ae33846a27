CREATE OR REPLACE FUNCTION merge_request_labelled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM 1 FROM merge_requests WHERE id = new.merge_request_id FOR NO KEY UPDATE; UPDATE merge_requests SET is_labelled = true WHERE id = new.merge_request_id AND NOT is_labelled; RETURN NULL; END $$
--;
CREATE OR REPLACE FUNCTION merge_request_unlabelled() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM 1 FROM merge_requests WHERE id = old.merge_request_id FOR NO KEY UPDATE;
UPDATE merge_requests
SET is_labelled = EXISTS (SELECT 1 FROM merge_request_labels WHERE merge_request_id = old.merge_request_id)
WHERE id = old.merge_request_id;
 RETURN NULL; END $$
