-- When the document ended. NULL: it has not, or a release before ended it; then completed_at or updated_at tells.
ALTER TABLE documents ADD COLUMN ended_at TEXT;
-- Legal hold: while it is set, nobody deletes the document.
ALTER TABLE documents ADD COLUMN held_at TEXT;
ALTER TABLE documents ADD COLUMN hold_reason TEXT;
CREATE INDEX documents_held ON documents (id) WHERE held_at IS NOT NULL;
-- The release before knows of no hold and may serve beside this one.
CREATE TRIGGER documents_held_stay BEFORE DELETE ON documents WHEN OLD.held_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'the document is under legal hold'); END;

-- 1: entered or corrected by the user, so it is not erased with the documents sent to the person.
ALTER TABLE contacts ADD COLUMN kept INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1));

-- The document that the stored response shows.
ALTER TABLE idempotency_keys ADD COLUMN document_id TEXT;
CREATE INDEX idempotency_keys_document ON idempotency_keys (document_id) WHERE document_id IS NOT NULL;
