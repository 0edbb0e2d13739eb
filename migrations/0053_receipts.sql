-- Receipts of those who have signed: the one that was made first is the only one.
CREATE TABLE receipts (
  recipient_id TEXT NOT NULL REFERENCES recipients (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,              -- of the entry of the signature
  text TEXT NOT NULL,                     -- S/MIME, signed by the key of the seal
  made_at TEXT NOT NULL,
  PRIMARY KEY (recipient_id)
) STRICT, WITHOUT ROWID;
