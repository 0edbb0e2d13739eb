-- Each version of verify.html whose hash an audit certificate prints. None is ever deleted: evidence
-- packs contain the version that their certificate names.
CREATE TABLE verify_pages (
  sha256 TEXT NOT NULL PRIMARY KEY,
  first_used_at TEXT NOT NULL,
  content BLOB NOT NULL
) STRICT;
