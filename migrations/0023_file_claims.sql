-- Work on stored files that no row of `files` tells of. `keep`: the bytes get their name, and a row will refer to them.
-- `remove`: no row refers to the bytes, and they are being deleted; until then nobody may keep the same bytes again.
-- There are few at any time: an index would only make each claim dearer.
CREATE TABLE file_claims (
  id TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('keep', 'remove')),
  boot TEXT NOT NULL,                -- a claim to keep counts while this node lives
  claimed_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
