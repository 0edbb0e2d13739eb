-- The processes that serve this database, one row for each start. What a start has leased or reserved counts only while
-- its row exists.
CREATE TABLE nodes (
  boot TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  version TEXT NOT NULL,
  started_at TEXT NOT NULL,
  seen_at TEXT NOT NULL              -- by the clock of the database
) STRICT, WITHOUT ROWID;

-- Work that one process at a time may do. A lease ends with the row of its process.
CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  boot TEXT NOT NULL REFERENCES nodes (boot) ON DELETE CASCADE,
  taken_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX leases_boot ON leases (boot);
