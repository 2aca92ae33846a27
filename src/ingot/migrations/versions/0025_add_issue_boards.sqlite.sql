CREATE TABLE boards (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	project_id INTEGER,
	group_id INTEGER,
	name VARCHAR(255) NOT NULL,
	hide_backlog_list BOOLEAN DEFAULT '0' NOT NULL,
	hide_closed_list BOOLEAN DEFAULT '0' NOT NULL,
	assignee_id INTEGER,
	milestone_id INTEGER,
	weight INTEGER,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT ck_boards_one_owner CHECK ((group_id IS NULL) <> (project_id IS NULL)),
	CONSTRAINT fk_boards_project_id FOREIGN KEY(project_id) REFERENCES projects (id) ON DELETE CASCADE,
	CONSTRAINT fk_boards_group_id FOREIGN KEY(group_id) REFERENCES namespaces (id) ON DELETE CASCADE,
	CONSTRAINT fk_boards_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE SET NULL,
	CONSTRAINT fk_boards_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE SET NULL
)
--;
CREATE INDEX ix_boards_assignee_id ON boards (assignee_id)
--;
CREATE INDEX ix_boards_group_id ON boards (group_id)
--;
CREATE INDEX ix_boards_milestone_id ON boards (milestone_id)
--;
CREATE INDEX ix_boards_project_id ON boards (project_id)
--;
CREATE TABLE board_labels (
	board_id INTEGER NOT NULL,
	label_id INTEGER NOT NULL,
	CONSTRAINT pk_board_labels PRIMARY KEY (board_id, label_id),
	CONSTRAINT fk_board_labels_board_id FOREIGN KEY(board_id) REFERENCES boards (id) ON DELETE CASCADE,
	CONSTRAINT fk_board_labels_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_board_labels_label_id ON board_labels (label_id)
--;
CREATE TABLE board_lists (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	board_id INTEGER NOT NULL,
	label_id INTEGER,
	assignee_id INTEGER,
	milestone_id INTEGER,
	position INTEGER NOT NULL,
	created_at DATETIME NOT NULL,
	updated_at DATETIME NOT NULL,
	CONSTRAINT uq_board_lists_board_id_label_id UNIQUE (board_id, label_id),
	CONSTRAINT uq_board_lists_board_id_assignee_id UNIQUE (board_id, assignee_id),
	CONSTRAINT uq_board_lists_board_id_milestone_id UNIQUE (board_id, milestone_id),
	CONSTRAINT fk_board_lists_board_id FOREIGN KEY(board_id) REFERENCES boards (id) ON DELETE CASCADE,
	CONSTRAINT fk_board_lists_label_id FOREIGN KEY(label_id) REFERENCES labels (id) ON DELETE CASCADE,
	CONSTRAINT fk_board_lists_assignee_id FOREIGN KEY(assignee_id) REFERENCES users (id) ON DELETE CASCADE,
	CONSTRAINT fk_board_lists_milestone_id FOREIGN KEY(milestone_id) REFERENCES milestones (id) ON DELETE CASCADE
)
--;
CREATE INDEX ix_board_lists_assignee_id ON board_lists (assignee_id)
--;
CREATE INDEX ix_board_lists_label_id ON board_lists (label_id)
--;
CREATE INDEX ix_board_lists_milestone_id ON board_lists (milestone_id)
