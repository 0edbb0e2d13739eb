-- Secrets of authenticator apps (RFC 6238), encrypted under the master key. A code is accepted once: `last_step` is the
-- time step of the newest one.
CREATE TABLE totp_secrets (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed_secret BLOB NOT NULL,
  last_step INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A secret that is shown to its user: the first code that is entered moves it to `totp_secrets`.
CREATE TABLE totp_enrolments (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed_secret BLOB NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  used_at TEXT,
  PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

-- Sign-ins that wait for the second factor, by the cookie of their browser.
CREATE TABLE pending_sign_ins (
  token_sha256 TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  method TEXT NOT NULL,
  next TEXT NOT NULL,                -- the page to open after it
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_sign_ins_user ON pending_sign_ins (user_id);
CREATE INDEX pending_sign_ins_expiry ON pending_sign_ins (expires_at);

-- How the person signed in, as a JSON list.
ALTER TABLE sessions ADD COLUMN methods TEXT NOT NULL DEFAULT '["password"]';

-- Who asked for the link: 'command_line', or 'mail' for the person.
ALTER TABLE password_resets ADD COLUMN kind TEXT NOT NULL DEFAULT 'command_line';

-- Requests for a link by mail, whether or not the address has an account. A scheduled job answers them, so that the
-- time of the response does not tell which.
CREATE TABLE password_reset_requests (
  mailbox_sha256 TEXT PRIMARY KEY,
  email TEXT NOT NULL,
  ip TEXT,
  user_agent TEXT,
  requested_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
