-- One row: the feature level that every executable which may still write knows (src/README.md).
CREATE TABLE cluster (
  one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
  feature_level INTEGER NOT NULL,
  finished_at TEXT,                       -- when it was reached; NULL: at the first start
  quiet_ms INTEGER NOT NULL DEFAULT 0,    -- how long only nodes that know a higher level have served
  counted_at TEXT                         -- until when quiet_ms counts
) STRICT;
INSERT INTO cluster (one, feature_level) VALUES (1, 0);
ALTER TABLE nodes ADD COLUMN feature_level INTEGER NOT NULL DEFAULT 0;
