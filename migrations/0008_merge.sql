-- The index of trigrams is merged by a few pages with each document that comes. By itself SQLite merges seldom, and then much at
-- once: up to a fifth of a second while nothing else was answered.
INSERT INTO document_trigrams (document_trigrams, rank) VALUES ('automerge', 0);
INSERT INTO document_trigrams (document_trigrams, rank) VALUES ('crisismerge', 1000);

DROP TRIGGER document_search_added;
CREATE TRIGGER document_search_added AFTER INSERT ON document_search BEGIN
  INSERT INTO document_trigrams (rowid, text) VALUES (NEW.number, NEW.text);
  INSERT INTO document_trigrams (document_trigrams, rank) VALUES ('merge', 8);
END;
