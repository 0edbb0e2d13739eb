-- Identities of people at OpenID Connect providers, at most one for each person and provider.
CREATE TABLE oidc_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,             -- the provider's id of the person
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,               -- as the provider gave it last
  linked_at TEXT NOT NULL,
  last_used_at TEXT NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
) STRICT, WITHOUT ROWID;

-- Authentication requests that wait for the provider's response, each answered once and by the browser that it was made
-- for. Nonce and PKCE verifier are derived from the state.
CREATE TABLE oidc_requests (
  state_sha256 TEXT PRIMARY KEY,
  browser_sha256 TEXT NOT NULL,
  issuer TEXT NOT NULL,
  purpose TEXT NOT NULL,
  subject TEXT,                      -- of the purpose: the user who confirms or links
  next TEXT NOT NULL,                -- the page to open after it
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oidc_requests_expiry ON oidc_requests (expires_at);
