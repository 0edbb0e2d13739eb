-- While the time has not come, no stored file is deleted: a backup reads files that were there when it copied the
-- database.
CREATE TABLE file_holds (
  id TEXT PRIMARY KEY,
  until TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Backups that the instance made by itself or on request of an administrator.
CREATE TABLE backup_runs (
  id TEXT PRIMARY KEY,
  cause TEXT NOT NULL CHECK (cause IN ('schedule', 'request')),
  -- The boot that makes it. Without its node the run was interrupted.
  boot TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  -- `verified`: it was read back, decrypted and checked. `incomplete`: but for files that were damaged before.
  verdict TEXT CHECK (verdict IN ('verified', 'incomplete', 'failed')),
  file_name TEXT NOT NULL,
  -- Where the file is, without a login; the file itself may have been removed since.
  place TEXT NOT NULL,
  bytes INTEGER,
  documents INTEGER,
  -- Why it failed, or what is missing.
  problem TEXT,
  removed_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX backup_runs_started ON backup_runs (started_at);
