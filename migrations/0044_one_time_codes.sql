ALTER TABLE recipients ADD COLUMN verify TEXT;         -- a VERIFICATION of core; NULL: the link is enough
-- Codes of the last hour. The code itself is in no row: it is computed from the id with a key.
CREATE TABLE one_time_codes (
  id TEXT NOT NULL PRIMARY KEY,
  recipient_id TEXT NOT NULL REFERENCES recipients (id) ON DELETE CASCADE,
  link_version INTEGER NOT NULL,
  browser_hash TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  used_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX one_time_codes_recipient ON one_time_codes (recipient_id);
