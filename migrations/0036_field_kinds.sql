-- More kinds of fields. Lists and boxes are JSON.
ALTER TABLE fields ADD COLUMN name TEXT;
ALTER TABLE fields ADD COLUMN show_if TEXT;
ALTER TABLE fields ADD COLUMN boxes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE fields ADD COLUMN min REAL;
ALTER TABLE fields ADD COLUMN max REAL;
ALTER TABLE fields ADD COLUMN accept TEXT NOT NULL DEFAULT '[]';
ALTER TABLE fields ADD COLUMN max_bytes INTEGER;
ALTER TABLE fields ADD COLUMN file TEXT;
-- The fields that the sender fills in before sending.
ALTER TABLE documents ADD COLUMN sender_fields TEXT NOT NULL DEFAULT '[]';
-- Of a template: whether everybody who may send documents may use it.
ALTER TABLE documents ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
