-- What the pages of the audit log filter by: expressions, since executables of before write no columns for
-- them. Days are UTC.
CREATE INDEX events_type ON events (type, sequence);
CREATE INDEX events_day ON events (substr(at, 1, 10), sequence);
-- By actor, the first member of canonical JSON: as long as that of a recipient, with its quotation mark. Shorter ones are
-- followed by the name of the next member.
CREATE INDEX events_actor ON events (substr(entry, 1, 51), sequence);

-- The last run of each check that takes long.
CREATE TABLE checks (
  name TEXT PRIMARY KEY,
  boot TEXT NOT NULL,                -- of the node that runs it, or ran it
  actor TEXT NOT NULL,
  started_at TEXT NOT NULL,
  finished_at TEXT,                  -- NULL: it runs, or its node ended before
  done INTEGER NOT NULL,
  total INTEGER NOT NULL,
  result TEXT                        -- JSON
) STRICT, WITHOUT ROWID;
