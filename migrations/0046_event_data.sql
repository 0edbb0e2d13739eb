-- What programs learn of an event, as it was delivered: JSON, compressed by DEFLATE (RFC 1951). It goes with the document,
-- also where a node of the release before deletes it.
CREATE TABLE public_event_data (
  sequence INTEGER PRIMARY KEY REFERENCES events (sequence),
  document_id TEXT NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  data BLOB NOT NULL
) STRICT;
CREATE INDEX public_event_data_document ON public_event_data (document_id);

-- The only deliveries that outlast their document.
CREATE INDEX deliveries_deletions ON deliveries (id) WHERE type = 'document.deleted';
