-- Files that recipients added: until they sign those of the form, then those of the record.
CREATE TABLE field_files (
  recipient_id TEXT NOT NULL REFERENCES recipients (id) ON DELETE CASCADE,
  field_id TEXT NOT NULL,
  sha256 TEXT NOT NULL REFERENCES files (sha256),
  file_name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  active_content INTEGER NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (recipient_id, field_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX field_files_file ON field_files (sha256);
