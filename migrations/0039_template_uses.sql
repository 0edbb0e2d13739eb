-- When a template was last used. Not in the template's row, whose version counts its changes.
CREATE TABLE template_uses (
  template_id TEXT PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
  used_at TEXT NOT NULL
) STRICT;
