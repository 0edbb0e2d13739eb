-- Consent texts as pages have shown them: a form may come back to a node of another release.
CREATE TABLE consent_texts (
  id TEXT NOT NULL PRIMARY KEY,           -- version and SHA-256 of the text
  kind TEXT NOT NULL,                     -- signing or approval
  language TEXT NOT NULL,
  text TEXT NOT NULL,
  intents TEXT NOT NULL,                  -- JSON: the sentence above the button, by role
  shown_at TEXT NOT NULL                  -- for the first time
) STRICT, WITHOUT ROWID;
-- The assets of executables that serve or served lately, each as one stored file.
CREATE TABLE asset_packs (
  sha256 TEXT NOT NULL PRIMARY KEY,
  used_at TEXT NOT NULL                   -- when a node of its release served last
) STRICT, WITHOUT ROWID;
