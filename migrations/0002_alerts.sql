-- Conditions that need an administrator, while they last.
CREATE TABLE alerts (
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,             -- what it is about: the SHA-256 of a file, the id of a webhook; empty for the instance
  since TEXT NOT NULL,
  message TEXT NOT NULL,             -- what is wrong and what to do
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;

-- A notice to a user of the web app belongs to no document; its text is stored with it.
CREATE TABLE mails_new (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  document_id TEXT,
  recipient_id TEXT,                 -- NULL: to the document's owner, or a notice
  recipient_name TEXT NOT NULL,
  recipient_email TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'accepted', 'failed')),
  reply TEXT,
  created_at TEXT NOT NULL,
  sent_at TEXT,
  notice TEXT,                       -- {subject, paragraphs, link?}
  CHECK ((document_id IS NULL) = (notice IS NOT NULL))
) STRICT;
INSERT INTO mails_new SELECT id, kind, document_id, recipient_id, recipient_name, recipient_email, status, reply, created_at, sent_at, NULL FROM mails;
DROP TABLE mails;
ALTER TABLE mails_new RENAME TO mails;
CREATE INDEX mails_document ON mails (document_id);
