-- Names that the API, the audit log and the code use alike.
ALTER TABLE documents RENAME COLUMN allow_hand_over TO allow_delegation;

DROP INDEX sealed_versions_raise;
ALTER TABLE sealed_versions RENAME COLUMN raise_at TO augment_at;
CREATE INDEX sealed_versions_augment ON sealed_versions (augment_at, sha256) WHERE augment_at IS NOT NULL;

CREATE TABLE jobs_new (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('mail', 'webhook', 'seal', 'augment')),
  subject TEXT NOT NULL,             -- what it is done to; one job of a kind per subject
  lane TEXT NOT NULL,                -- jobs of one lane share its limit: a slow receiver delays its own jobs alone
  document_id TEXT,
  due_at TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  lease_boot TEXT,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'failed')),
  last_error TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (kind, subject)
) STRICT;
INSERT INTO jobs_new SELECT id, iif(kind = 'raise', 'augment', kind), subject, iif(kind = 'raise', 'augment', lane), document_id, due_at,
  attempts, lease_boot, state, last_error, created_at FROM jobs;
DROP TABLE jobs;
ALTER TABLE jobs_new RENAME TO jobs;
CREATE INDEX jobs_lane ON jobs (kind, lane, due_at, id) WHERE state = 'open';
CREATE INDEX jobs_free ON jobs (due_at) WHERE state = 'open' AND lease_boot IS NULL;
CREATE INDEX jobs_leased ON jobs (lease_boot) WHERE lease_boot IS NOT NULL;
CREATE INDEX jobs_document ON jobs (document_id);

UPDATE mails SET kind = 'access_code_locked' WHERE kind = 'code_locked';
UPDATE webhooks SET events = replace(replace(events, '"recipient.handed_over"', '"recipient.delegated"'),
  '"recipient.code_locked"', '"recipient.access_code_locked"');
