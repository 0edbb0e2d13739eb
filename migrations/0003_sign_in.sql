-- Wrong passwords are counted by what is counted: an account with a client address, a device, a session, or all unknown devices.
ALTER TABLE sign_in_failures RENAME COLUMN email_sha256 TO counter_sha256;
DELETE FROM sign_in_failures;

-- One-time links that set a new password; a newer link of the same user replaces the older one.
CREATE TABLE password_resets (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_sha256 TEXT NOT NULL UNIQUE,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
