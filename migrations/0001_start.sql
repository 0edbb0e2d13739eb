-- Times are RFC 3339 UTC text with milliseconds. Ids sort in order of creation. Lists and maps are JSON text.

CREATE TABLE instance (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Sealed under the master key; the name is authenticated with it.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  sealed BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Own authorities. Each signs the certificates made under it and the list of those revoked.
CREATE TABLE seal_roots (
  id TEXT PRIMARY KEY,
  certificate TEXT NOT NULL,         -- PEM
  sealed_key BLOB NOT NULL,          -- PKCS#8, under the master key
  not_after TEXT NOT NULL,
  list BLOB NOT NULL,                -- the newest revocation list, DER
  list_number INTEGER NOT NULL,      -- its cRLNumber
  list_renew_at TEXT NOT NULL
) STRICT;

CREATE TABLE seal_certificates (
  id TEXT PRIMARY KEY,
  root_id TEXT REFERENCES seal_roots (id),   -- NULL: imported
  chain TEXT NOT NULL,               -- PEM, leaf first
  sha256 TEXT NOT NULL UNIQUE,       -- of the leaf's DER
  algorithm TEXT NOT NULL,
  sealed_key BLOB NOT NULL,          -- PKCS#8, under the master key
  created_at TEXT NOT NULL,
  not_after TEXT NOT NULL,
  revoked_at TEXT,
  revocation_reason INTEGER,         -- CRLReason, RFC 5280
  warned_days INTEGER,               -- the last warning of its end, in days before it
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  CHECK (active = 0 OR revoked_at IS NULL)
) STRICT;
CREATE UNIQUE INDEX seal_certificates_one_active ON seal_certificates (active) WHERE active = 1;

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('admin', 'member')),
  password_hash TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
  token_sha256 TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  confirmed_at TEXT NOT NULL,        -- when the password was last asked for
  last_seen_at TEXT NOT NULL,
  user_agent TEXT,
  ip TEXT
) STRICT;
CREATE INDEX sessions_user ON sessions (user_id);

-- Failed sign-ins by the address as it was typed, so that known and unknown ones are treated alike.
CREATE TABLE sign_in_failures (
  email_sha256 TEXT PRIMARY KEY,
  failures INTEGER NOT NULL,
  blocked_until TEXT,
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setup_links (
  token_sha256 TEXT PRIMARY KEY,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  owner_id TEXT REFERENCES users (id) ON DELETE CASCADE,   -- NULL: made on the command line, acts for the whole instance
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  last_four TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT,
  last_used_at TEXT,
  last_used_ip TEXT
) STRICT;

CREATE TABLE files (
  sha256 TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE documents (
  id TEXT PRIMARY KEY,
  owner_id TEXT REFERENCES users (id),
  title TEXT NOT NULL,
  file_name TEXT NOT NULL,
  status TEXT NOT NULL,
  page_count INTEGER NOT NULL,
  message TEXT,
  signing_order TEXT NOT NULL,
  locale TEXT,
  redirect_url TEXT,
  allow_hand_over INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  reminders TEXT,
  expires_in_days INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  sent_at TEXT,
  completed_at TEXT,
  expires_at TEXT,
  sealing_error TEXT,
  sha256_original TEXT NOT NULL REFERENCES files (sha256),
  sha256_uploaded TEXT,
  sha256_sealed TEXT REFERENCES files (sha256),   -- of the newest version
  seal_level TEXT,
  CHECK ((status = 'completed') = (sha256_sealed IS NOT NULL))
) STRICT;
CREATE INDEX documents_owner ON documents (owner_id, id);
CREATE INDEX documents_status ON documents (status, id);
CREATE INDEX documents_expiry ON documents (expires_at) WHERE status = 'sent';
CREATE INDEX documents_original ON documents (sha256_original);
CREATE INDEX documents_sealed ON documents (sha256_sealed);

-- The authorities that time-stamped, each with what stands above it.
CREATE TABLE time_stamp_chains (
  sha256 TEXT PRIMARY KEY,
  pem TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Every sealed file that was ever given out. A later version begins with the bytes of the one before, which is not kept.
CREATE TABLE sealed_versions (
  sha256 TEXT PRIMARY KEY,
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  level TEXT NOT NULL CHECK (level IN ('B-B', 'B-T', 'B-LT', 'B-LTA')),
  made_at TEXT NOT NULL,
  time_stamp_chain TEXT REFERENCES time_stamp_chains (sha256),   -- of the newest time-stamp
  raise_at TEXT                      -- the newest version, from then on
) STRICT;
CREATE INDEX sealed_versions_document ON sealed_versions (document_id);
CREATE INDEX sealed_versions_raise ON sealed_versions (raise_at) WHERE raise_at IS NOT NULL;

CREATE TABLE recipients (
  id TEXT PRIMARY KEY,
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  status TEXT NOT NULL,
  signing_order INTEGER NOT NULL,
  locale TEXT,
  access_code_hash TEXT,
  access_code_tries INTEGER NOT NULL,
  access_code_wait_until TEXT,
  email_status TEXT NOT NULL,
  link_version INTEGER NOT NULL,
  sent_at TEXT,
  viewed_at TEXT,
  signed_at TEXT,
  declined_at TEXT,
  decline_reason TEXT,
  signature TEXT,                    -- the mark: {kind, text, sha256?}
  initials TEXT,
  consent_version TEXT,
  consent_sha256 TEXT,
  reminders_sent INTEGER NOT NULL,
  last_mailed_at TEXT,
  next_reminder_at TEXT,
  UNIQUE (document_id, position)
) STRICT;
CREATE INDEX recipients_email ON recipients (email COLLATE NOCASE, document_id);
CREATE INDEX recipients_reminder ON recipients (next_reminder_at) WHERE next_reminder_at IS NOT NULL;

-- What a recipient has entered and not yet finished: the form's members by their names.
CREATE TABLE drafts (
  recipient_id TEXT NOT NULL REFERENCES recipients (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (recipient_id, name)
) STRICT, WITHOUT ROWID;

-- Drawings (the strokes as text) and pictures (PNG) that marks are made of.
CREATE TABLE mark_contents (
  recipient_id TEXT NOT NULL REFERENCES recipients (id) ON DELETE CASCADE,
  sha256 TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('drawn', 'uploaded')),
  content BLOB NOT NULL,
  PRIMARY KEY (recipient_id, sha256)
) STRICT;

CREATE TABLE fields (
  id TEXT PRIMARY KEY,
  recipient_id TEXT NOT NULL REFERENCES recipients (id) ON DELETE CASCADE,
  document_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  page INTEGER NOT NULL,
  x REAL NOT NULL,
  y REAL NOT NULL,
  width REAL NOT NULL,
  height REAL NOT NULL,
  required INTEGER NOT NULL,
  read_only INTEGER NOT NULL,
  label TEXT,
  placeholder TEXT,
  value TEXT,
  options TEXT NOT NULL,
  max_length INTEGER
) STRICT;
CREATE INDEX fields_recipient ON fields (recipient_id);
CREATE INDEX fields_document ON fields (document_id, position);

-- The audit log: one chain, never changed. What is personal stands beside it under a salted commitment and can be erased.
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  document_id TEXT,
  type TEXT NOT NULL,
  at TEXT NOT NULL,
  entry TEXT NOT NULL,               -- canonical JSON, RFC 8785
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX events_document ON events (document_id, sequence);

CREATE TABLE event_details (
  sequence INTEGER PRIMARY KEY REFERENCES events (sequence),
  document_id TEXT,
  salt TEXT NOT NULL,
  personal TEXT NOT NULL
) STRICT;
CREATE INDEX event_details_document ON event_details (document_id);

CREATE TRIGGER events_never_change BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the audit log is never changed'); END;
CREATE TRIGGER events_never_go BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the audit log is never changed'); END;
CREATE TRIGGER events_never_overwritten BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM events WHERE sequence = NEW.sequence OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the audit log is never changed'); END;

-- Work that leaves the process: one row per effect, written in the transaction of the change that asks for it.
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('mail', 'webhook', 'seal', 'raise')),
  subject TEXT NOT NULL,             -- what it is done to; one job of a kind per subject
  lane TEXT NOT NULL,                -- jobs of one lane share its limit: a slow receiver holds up itself alone
  document_id TEXT,
  due_at TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  lease_boot TEXT,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'failed')),
  last_error TEXT,
  created_at TEXT NOT NULL,
  UNIQUE (kind, subject)
) STRICT;
CREATE INDEX jobs_due ON jobs (kind, due_at) WHERE state = 'open';
CREATE INDEX jobs_free ON jobs (due_at) WHERE state = 'open' AND lease_boot IS NULL;
CREATE INDEX jobs_document ON jobs (document_id);

CREATE TABLE mails (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  document_id TEXT NOT NULL,
  recipient_id TEXT,                 -- NULL: to the document's owner
  recipient_name TEXT NOT NULL,
  recipient_email TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'accepted', 'failed')),
  reply TEXT,
  created_at TEXT NOT NULL,
  sent_at TEXT
) STRICT;
CREATE INDEX mails_document ON mails (document_id);

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  owner_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  disabled_reason TEXT,
  sealed_secret BLOB NOT NULL,
  secret_last_four TEXT NOT NULL,
  last_success_at TEXT,
  created_at TEXT NOT NULL
) STRICT;

CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  document_id TEXT,
  body TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_webhook ON deliveries (webhook_id, id);
CREATE INDEX deliveries_document ON deliveries (document_id);

CREATE TABLE delivery_attempts (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at TEXT NOT NULL,
  status INTEGER,
  error TEXT,
  latency_ms INTEGER NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
  owner TEXT NOT NULL,
  value TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  boot TEXT NOT NULL,                -- a reservation of an older boot counts as never made
  status INTEGER,                    -- NULL while the first request runs
  sealed_body BLOB,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  PRIMARY KEY (owner, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
