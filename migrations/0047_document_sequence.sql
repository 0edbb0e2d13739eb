-- The newest change of each document, numbered in the order of commits, since transactions run one after another: who
-- follows by number misses none. The row of a deleted document stays, so that no number is given twice.
CREATE TABLE document_sequence (
  document_id TEXT PRIMARY KEY,
  owner_id TEXT,
  number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO document_sequence (document_id, owner_id, number)
SELECT id, owner_id, ROW_NUMBER() OVER (ORDER BY updated_at, id) FROM documents;

CREATE UNIQUE INDEX document_sequence_number ON document_sequence (number);
CREATE INDEX document_sequence_owner ON document_sequence (owner_id, number);

CREATE TRIGGER document_sequence_added AFTER INSERT ON documents BEGIN
  INSERT INTO document_sequence (document_id, owner_id, number)
  VALUES (NEW.id, NEW.owner_id, 1 + coalesce((SELECT max(number) FROM document_sequence), 0));
END;
CREATE TRIGGER document_sequence_changed AFTER UPDATE OF version, owner_id ON documents
WHEN NEW.version <> OLD.version OR NEW.owner_id IS NOT OLD.owner_id BEGIN
  UPDATE document_sequence SET owner_id = NEW.owner_id, number = 1 + (SELECT max(number) FROM document_sequence)
  WHERE document_id = NEW.id;
END;
CREATE TRIGGER document_sequence_removed AFTER DELETE ON documents BEGIN
  UPDATE document_sequence SET number = 1 + (SELECT max(number) FROM document_sequence) WHERE document_id = OLD.id;
END;
