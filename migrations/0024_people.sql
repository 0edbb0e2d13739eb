-- A third role. SQLite changes no CHECK, and rows of other tables go with a dropped table: so the column is replaced.
ALTER TABLE users ADD COLUMN new_role TEXT NOT NULL DEFAULT 'member' CHECK (new_role IN ('admin', 'member', 'auditor'));
UPDATE users SET new_role = role;
ALTER TABLE users DROP COLUMN role;
ALTER TABLE users RENAME COLUMN new_role TO role;

-- NULL: the person may sign in.
ALTER TABLE users ADD COLUMN disabled_at TEXT;

-- Sessions end; this stays.
ALTER TABLE users ADD COLUMN last_seen_at TEXT;
UPDATE users SET last_seen_at = (SELECT max(last_seen_at) FROM sessions WHERE user_id = users.id);

-- People who were invited and have no account yet. A repeated invitation has a new token.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL COLLATE NOCASE UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('admin', 'member', 'auditor')),
  language TEXT,                     -- of the mail; NULL: the organisation's
  token_sha256 TEXT NOT NULL UNIQUE,
  invited_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX invitations_invited_by ON invitations (invited_by);
