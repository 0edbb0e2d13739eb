-- Passkeys (Web Authentication Level 3). No secret is stored: the private key stays with the person.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,               -- the authenticator's id of the credential, in Base64url
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  public_key BLOB NOT NULL,          -- COSE_Key, RFC 9052
  counter INTEGER NOT NULL,          -- of signatures; 0 where the authenticator has none
  transports TEXT NOT NULL,          -- JSON list
  is_backed_up INTEGER NOT NULL,     -- the authenticator synchronises it with other devices
  created_at TEXT NOT NULL,
  last_used_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_user ON passkeys (user_id);

-- Each answered once, by the browser that it was made for.
CREATE TABLE passkey_challenges (
  challenge_sha256 TEXT PRIMARY KEY,
  browser_sha256 TEXT NOT NULL,
  purpose TEXT NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,  -- NULL before the sign-in
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_user ON passkey_challenges (user_id);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);
