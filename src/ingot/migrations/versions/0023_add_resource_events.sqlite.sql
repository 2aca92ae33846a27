CREATE TABLE resource_label_events (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	issue_id INTEGER,
	merge_request_id INTEGER,
	user_id INTEGER,
	label_id INTEGER,
	action VARCHAR(16) NOT NULL,
	created_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	issue_id INTEGER,
	merge_request_id INTEGER,
	user_id INTEGER,
	milestone_id INTEGER NOT NULL,
	action VARCHAR(16) NOT NULL,
	state VARCHAR(16) NOT NULL,
	created_at DATETIME NOT NULL,
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
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	issue_id INTEGER NOT NULL,
	user_id INTEGER,
	weight INTEGER,
	created_at DATETIME NOT NULL,
	CONSTRAINT fk_resource_weight_events_issue_id FOREIGN KEY(issue_id) REFERENCES issues (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_resource_weight_events_issue_id ON resource_weight_events (issue_id)
