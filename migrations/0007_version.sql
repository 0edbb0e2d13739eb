-- Grows with every change of a document, its recipients or its fields, whoever makes it: what was read at a version is right while it stays.
ALTER TABLE documents ADD COLUMN version INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER documents_changed AFTER UPDATE ON documents WHEN NEW.version = OLD.version BEGIN
  UPDATE documents SET version = OLD.version + 1 WHERE id = NEW.id;
END;
CREATE TRIGGER recipients_added AFTER INSERT ON recipients BEGIN
  UPDATE documents SET version = version + 1 WHERE id = NEW.document_id;
END;
CREATE TRIGGER recipients_changed AFTER UPDATE ON recipients BEGIN
  UPDATE documents SET version = version + 1 WHERE id IN (OLD.document_id, NEW.document_id);
END;
CREATE TRIGGER recipients_removed AFTER DELETE ON recipients BEGIN
  UPDATE documents SET version = version + 1 WHERE id = OLD.document_id;
END;
CREATE TRIGGER fields_added AFTER INSERT ON fields BEGIN
  UPDATE documents SET version = version + 1 WHERE id = NEW.document_id;
END;
CREATE TRIGGER fields_changed AFTER UPDATE ON fields BEGIN
  UPDATE documents SET version = version + 1 WHERE id IN (OLD.document_id, NEW.document_id);
END;
CREATE TRIGGER fields_removed AFTER DELETE ON fields BEGIN
  UPDATE documents SET version = version + 1 WHERE id = OLD.document_id;
END;
