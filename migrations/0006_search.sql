-- What is searched in a document: title, file name, and its recipients' names and addresses, folded. Numbers grow with the ids.
CREATE TABLE document_search (
  number INTEGER PRIMARY KEY,
  document_id TEXT NOT NULL UNIQUE REFERENCES documents (id) ON DELETE CASCADE,
  text TEXT NOT NULL                 -- the mark of the number's partition, then the folded lines
) STRICT;
INSERT INTO document_search (number, document_id, text)
SELECT number, id, search_text(number, lines) FROM (
  SELECT row_number() OVER (ORDER BY d.id) AS number, d.id,
    d.title || char(10) || d.file_name || coalesce(char(10) || (
      SELECT group_concat(name || char(10) || email, char(10))
      FROM (SELECT name, email FROM recipients WHERE document_id = d.id ORDER BY position)), '') AS lines
  FROM documents d);

-- Which numbers hold which three characters. It stores no text of its own; what is taken out of it is overwritten at once.
CREATE VIRTUAL TABLE document_trigrams USING fts5 (
  text, content = 'document_search', content_rowid = 'number', tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0
);
INSERT INTO document_trigrams (document_trigrams) VALUES ('rebuild');
INSERT INTO document_trigrams (document_trigrams, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER document_search_added AFTER INSERT ON document_search BEGIN
  INSERT INTO document_trigrams (rowid, text) VALUES (NEW.number, NEW.text);
END;
CREATE TRIGGER document_search_removed AFTER DELETE ON document_search BEGIN
  INSERT INTO document_trigrams (document_trigrams, rowid, text) VALUES ('delete', OLD.number, OLD.text);
END;
CREATE TRIGGER document_search_changed AFTER UPDATE ON document_search BEGIN
  INSERT INTO document_trigrams (document_trigrams, rowid, text) VALUES ('delete', OLD.number, OLD.text);
  INSERT INTO document_trigrams (rowid, text) VALUES (NEW.number, NEW.text);
END;

-- The pairs of documents.metadata, to be found by.
CREATE TABLE document_metadata (
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (key, value, document_id)
) STRICT, WITHOUT ROWID;
INSERT INTO document_metadata (document_id, key, value)
SELECT d.id, m.key, m.value FROM documents d, json_each(d.metadata) m ORDER BY m.key, m.value, d.id;
CREATE INDEX document_metadata_document ON document_metadata (document_id);

CREATE INDEX documents_owner_status ON documents (owner_id, status, id);
