-- Whether a key of the signer's own device is asked for: off, offered or required. NULL: as the
-- document, and then the organisation, says.
ALTER TABLE documents ADD COLUMN device_key TEXT;
ALTER TABLE recipients ADD COLUMN device_key TEXT;

-- The keys that signed, so that the same key of the same person is recognised.
CREATE TABLE device_keys (
  recipient_id TEXT PRIMARY KEY REFERENCES recipients (id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL,
  public_key TEXT NOT NULL,          -- SubjectPublicKeyInfo, Base64url
  sha256 TEXT NOT NULL,
  used_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX device_keys_sha256 ON device_keys (sha256);
