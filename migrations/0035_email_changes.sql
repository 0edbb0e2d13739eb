-- Changes of the address of an account. The new address confirms it; until then the old one stays. The link in the mail
-- to the old address stops the change, and takes it back for some days.
CREATE TABLE email_changes (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  old_email TEXT NOT NULL,
  new_email TEXT NOT NULL,
  confirm_sha256 TEXT NOT NULL UNIQUE,
  stop_sha256 TEXT NOT NULL UNIQUE,
  requested_at TEXT NOT NULL,
  confirm_until TEXT NOT NULL,
  confirmed_at TEXT,
  stop_until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX email_changes_user ON email_changes (user_id);
CREATE INDEX email_changes_end ON email_changes (stop_until);
