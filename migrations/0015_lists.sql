-- What the lists of documents filter and count by: labels, time of the last change, attention.
ALTER TABLE documents ADD COLUMN labels TEXT NOT NULL DEFAULT '[]';
ALTER TABLE documents ADD COLUMN updated_at TEXT NOT NULL DEFAULT '';
-- When the sender has to look at the document. '0' is before every time, '9' after.
ALTER TABLE documents ADD COLUMN attention_from TEXT;
ALTER TABLE documents ADD COLUMN attention_until TEXT;

UPDATE documents SET updated_at = coalesce(
  (SELECT at FROM events WHERE document_id = documents.id ORDER BY sequence DESC LIMIT 1), created_at);
UPDATE documents SET attention_from = '0', attention_until = '9' WHERE status = 'sealing' AND sealing_error IS NOT NULL;
UPDATE documents SET attention_from = strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, '-3 days'), attention_until = '9'
  WHERE status = 'sent' AND expires_at IS NOT NULL;
UPDATE documents SET attention_from = '0', attention_until = '9' WHERE status = 'sent' AND EXISTS (
  SELECT 1 FROM recipients r WHERE r.document_id = documents.id AND r.status IN ('sent', 'viewed')
    AND (r.email_status = 'failed' OR r.access_code_tries >= 5));
UPDATE documents SET attention_from = expires_at, attention_until = strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, '+30 days')
  WHERE status = 'expired' AND expires_at IS NOT NULL;
UPDATE documents SET attention_from = d.at, attention_until = strftime('%Y-%m-%dT%H:%M:%fZ', d.at, '+30 days')
  FROM (SELECT document_id, min(declined_at) AS at FROM recipients WHERE declined_at IS NOT NULL GROUP BY document_id) d
  WHERE documents.status = 'declined' AND documents.id = d.document_id;

CREATE INDEX documents_updated ON documents (updated_at);
CREATE INDEX documents_owner_updated ON documents (owner_id, updated_at);
CREATE INDEX documents_attention ON documents (attention_until, attention_from) WHERE attention_until IS NOT NULL;
CREATE INDEX documents_owner_attention ON documents (owner_id, attention_until, attention_from) WHERE attention_until IS NOT NULL;

CREATE TABLE document_labels (
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  owner_id TEXT,                     -- of the document
  label TEXT NOT NULL,
  PRIMARY KEY (label, document_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_labels_document ON document_labels (document_id);
CREATE INDEX document_labels_owner ON document_labels (owner_id, label, document_id);
CREATE TRIGGER document_labels_moved AFTER UPDATE OF owner_id ON documents WHEN NEW.owner_id IS NOT OLD.owner_id BEGIN
  UPDATE document_labels SET owner_id = NEW.owner_id WHERE document_id = NEW.id;
END;

-- Counted as they change: a count of rows grows with the number of documents. No owner is ''.
CREATE TABLE document_counts (
  owner_id TEXT NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (owner_id, status)
) STRICT, WITHOUT ROWID;
INSERT INTO document_counts SELECT coalesce(owner_id, ''), status, count(*) FROM documents GROUP BY 1, 2;
CREATE TRIGGER document_counts_added AFTER INSERT ON documents BEGIN
  INSERT INTO document_counts VALUES (coalesce(NEW.owner_id, ''), NEW.status, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER document_counts_removed AFTER DELETE ON documents BEGIN
  UPDATE document_counts SET count = count - 1 WHERE owner_id = coalesce(OLD.owner_id, '') AND status = OLD.status;
END;
CREATE TRIGGER document_counts_moved AFTER UPDATE OF owner_id, status ON documents
WHEN NEW.status <> OLD.status OR NEW.owner_id IS NOT OLD.owner_id BEGIN
  UPDATE document_counts SET count = count - 1 WHERE owner_id = coalesce(OLD.owner_id, '') AND status = OLD.status;
  INSERT INTO document_counts VALUES (coalesce(NEW.owner_id, ''), NEW.status, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
