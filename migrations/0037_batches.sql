-- Documents made from one template and sent one after the other. A batch keeps a copy of its template, and the
-- template's file, while rows can be sent.
CREATE TABLE batches (
  id TEXT PRIMARY KEY,
  template_id TEXT NOT NULL,         -- it may have been deleted since
  template_version INTEGER NOT NULL,
  owner_id TEXT,
  actor TEXT NOT NULL,               -- who created it, as in the audit log
  title TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('draft', 'running', 'stopped', 'done')),
  total INTEGER NOT NULL,
  -- Counted as rows change; the others wait.
  sent INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  stopped INTEGER NOT NULL DEFAULT 0,
  template TEXT,                     -- the copy, JSON; NULL when no row can be sent any more
  sha256 TEXT REFERENCES files (sha256),   -- of the template's file; NULL like the copy
  content_sha256 TEXT,               -- of the rows, to find the same ones sent twice
  source BLOB,                       -- of a draft: the file with the rows
  reading TEXT,                      -- of a draft: how the file is read, JSON
  created_at TEXT NOT NULL,
  started_at TEXT,
  last_row_at TEXT,                  -- batches take turns by it
  stopped_at TEXT,
  finished_at TEXT
) STRICT;
CREATE INDEX batches_owner ON batches (owner_id, id);
CREATE INDEX batches_template ON batches (template_id, id);
CREATE INDEX batches_content ON batches (template_id, content_sha256) WHERE content_sha256 IS NOT NULL;
CREATE INDEX batches_running ON batches (last_row_at, id) WHERE state = 'running';
CREATE INDEX batches_kept ON batches (id) WHERE template IS NOT NULL;
CREATE INDEX batches_file ON batches (sha256) WHERE sha256 IS NOT NULL;

CREATE TABLE batch_rows (
  batch_id TEXT NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  line INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'failed', 'stopped')),
  data TEXT,                         -- JSON; NULL once it was sent: the document has it
  document_id TEXT,                  -- it may have been deleted since
  error TEXT,
  mails INTEGER,                     -- how many were queued
  sent_at TEXT,
  PRIMARY KEY (batch_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_rows_state ON batch_rows (batch_id, state, number);
CREATE INDEX batch_rows_sent ON batch_rows (sent_at) WHERE sent_at IS NOT NULL;
