CREATE TABLE resource_label_events (
	id BIGSERIAL NOT NULL,
	issue_id BIGINT,
	merge_request_id BIGINT,
	user_id BIGINT,
	label_id BIGINT,
	action VARCHAR(16) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_resource_label_events PRIMARY KEY (id),
	CONSTRAINT fk_resource_label_events_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_label_events_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_label_events_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_resource_label_events_issue_id ON resource_label_events (issue_id)
--;
CREATE INDEX ix_resource_label_events_label_id ON resource_label_events (label_id)
--;
CREATE INDEX ix_resource_label_events_merge_request_id ON resource_label_events (merge_request_id)
--;
CREATE TABLE resource_milestone_events (
	id BIGSERIAL NOT NULL,
	issue_id BIGINT,
	merge_request_id BIGINT,
	user_id BIGINT,
	milestone_id BIGINT NOT NULL,
	action VARCHAR(16) NOT NULL,
	state VARCHAR(16) NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_resource_milestone_events PRIMARY KEY (id),
	CONSTRAINT fk_resource_milestone_events_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_milestone_events_merge_request_id FOREIGN KEY(merge_request_id) REFERENCES merge_requests (id) ON DELETE CASCADE,
	CONSTRAINT fk_resource_milestone_events_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_resource_milestone_events_issue_id ON resource_milestone_events (issue_id)
--;
CREATE INDEX ix_resource_milestone_events_merge_request_id ON resource_milestone_events (merge_request_id)
--;
CREATE INDEX ix_resource_milestone_events_milestone_id ON resource_milestone_events (milestone_id)
--;
CREATE TABLE resource_weight_events (
	id BIGSERIAL NOT NULL,
	issue_id BIGINT NOT NULL,
	user_id BIGINT,
	weight INTEGER,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL,
	CONSTRAINT pk_resource_weight_events PRIMARY KEY (id),
	CONSTRAINT fk_resource_weight_events_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_resource_weight_events_issue_id ON resource_weight_events (issue_id)
