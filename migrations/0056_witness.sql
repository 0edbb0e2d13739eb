-- The co-signature of the witness that is asked, beside the checkpoint.
ALTER TABLE checkpoints ADD COLUMN witness_text TEXT;
ALTER TABLE checkpoints ADD COLUMN witnessed_at TEXT;   -- by the clock of the witness

-- Other instances whose checkpoints this one co-signs.
CREATE TABLE witnessed_instances (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  certificates TEXT NOT NULL,             -- PEM: of its seal, or of its root
  instance TEXT,                          -- its id, from its first checkpoint
  sequence INTEGER NOT NULL DEFAULT 0,    -- what the last co-signed one covers; 0: it begins anew
  tree_root TEXT,
  seen_at TEXT,
  refused_at TEXT,                        -- the last disagreement, until it agrees again
  refused_sequence INTEGER,
  refused_root TEXT,
  added_at TEXT NOT NULL,
  removed_at TEXT
) STRICT, WITHOUT ROWID;
-- What was co-signed. None is ever deleted.
CREATE TABLE witnessed_checkpoints (
  id TEXT NOT NULL PRIMARY KEY,
  witnessed_id TEXT NOT NULL REFERENCES witnessed_instances (id),
  sequence INTEGER NOT NULL,
  tree_root TEXT NOT NULL,
  received_at TEXT NOT NULL,
  statement TEXT NOT NULL                 -- the S/MIME message of this instance
) STRICT, WITHOUT ROWID;
CREATE INDEX witnessed_checkpoints_sequence ON witnessed_checkpoints (witnessed_id, sequence);
