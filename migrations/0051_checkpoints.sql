-- Signed checkpoints of the audit log, as they were made. None is ever deleted.
CREATE TABLE checkpoints (
  id TEXT NOT NULL PRIMARY KEY,
  sequence INTEGER NOT NULL,              -- of the newest entry that it covers
  hash TEXT NOT NULL,
  tree_root TEXT NOT NULL,
  peaks TEXT NOT NULL,                    -- what the Merkle tree needs to grow: hex, separated by blanks
  at TEXT NOT NULL,
  text TEXT NOT NULL,                     -- the S/MIME message
  stamped_at TEXT,                        -- by a time-stamp authority
  authority TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX checkpoints_sequence ON checkpoints (sequence);
