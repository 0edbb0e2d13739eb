/** What only PostgreSQL has: the row that writers lock, the feed of changes, the search index. */

/** `oldest_writer`: executables that know an older schema must not write. */
const WRITER = `
CREATE TABLE writer (
  one BIGINT PRIMARY KEY CHECK (one = 1),
  application TEXT NOT NULL,
  schema BIGINT NOT NULL,
  oldest_writer BIGINT NOT NULL
);
INSERT INTO writer VALUES (1, 'signet', 0, 0);`

/** SQLite has no TRUNCATE; it passes by the triggers of rows. */
const AUDIT_LOG = `
CREATE TRIGGER events_never_emptied BEFORE TRUNCATE ON events EXECUTE FUNCTION events_never_go();`

/**
 * The newest change of each document. Numbers grow in the order of commits, since transactions run
 * one after another: a reader that knows a number finds all later changes above it.
 */
const CHANGES = `
CREATE SEQUENCE document_change_numbers;
CREATE TABLE document_changes (
  document_id TEXT PRIMARY KEY,
  owner_id TEXT,
  version BIGINT,
  number BIGINT NOT NULL
);
CREATE UNIQUE INDEX document_changes_number ON document_changes (number);
CREATE FUNCTION document_change_noted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO document_changes VALUES (OLD.id, OLD.owner_id, NULL, nextval('document_change_numbers'))
      ON CONFLICT (document_id) DO UPDATE SET version = NULL, number = excluded.number;
  ELSE
    -- Not NEW: triggers of other rows of the same statement may have run before this one.
    INSERT INTO document_changes
      SELECT id, owner_id, version, nextval('document_change_numbers') FROM documents WHERE id = NEW.id
      ON CONFLICT (document_id) DO UPDATE
      SET owner_id = excluded.owner_id, version = excluded.version, number = excluded.number;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER document_change_added AFTER INSERT OR DELETE ON documents
  FOR EACH ROW EXECUTE FUNCTION document_change_noted();
CREATE TRIGGER document_change_made AFTER UPDATE ON documents
  FOR EACH ROW WHEN (NEW.version <> OLD.version OR NEW.owner_id IS DISTINCT FROM OLD.owner_id)
  EXECUTE FUNCTION document_change_noted();`

/**
 * Each three characters that follow one another, as the trigram tokenizer of FTS5 makes them. The
 * text is split once: `substr` would count the characters before each. The cost is measured: with
 * the default one, PostgreSQL would rather compute the trigrams of thousands of texts than look
 * into their index.
 */
const SEARCH = `
CREATE FUNCTION document_trigrams_of(text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 5000 AS $$
  SELECT ARRAY(
    SELECT DISTINCT trigram FROM (
      SELECT character || lead(character) OVER w || lead(character, 2) OVER w AS trigram
      FROM pg_catalog.unnest(pg_catalog.string_to_array($1, NULL)) WITH ORDINALITY AS characters (character, position)
      WINDOW w AS (ORDER BY position)
    ) AS trigrams WHERE trigram IS NOT NULL)
$$;
CREATE INDEX document_search_trigrams ON document_search USING gin (document_trigrams_of(text));`

export const POSTGRESQL_ADDITIONS = [WRITER, AUDIT_LOG, CHANGES, SEARCH].join('\n')
