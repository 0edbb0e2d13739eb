-- The newest change of each path of a draft: what somebody who has an older version has not seen. Erased when the draft is sent.
CREATE TABLE draft_changes (
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  version INTEGER NOT NULL,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  PRIMARY KEY (document_id, path)
) STRICT, WITHOUT ROWID;
