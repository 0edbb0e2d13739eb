-- The events that the API lists, by the columns it filters them by. The owner is the one at the time of the event: it
-- stays when the document is deleted.
CREATE TABLE public_events (
  sequence INTEGER PRIMARY KEY REFERENCES events (sequence),
  type TEXT NOT NULL,
  document_id TEXT NOT NULL,
  owner_id TEXT
) STRICT;

INSERT INTO public_events (sequence, type, document_id, owner_id)
SELECT e.sequence,
  CASE e.type WHEN 'recipient.handed_over' THEN 'recipient.delegated'
    WHEN 'recipient.code_locked' THEN 'recipient.access_code_locked' ELSE e.type END,
  e.document_id, d.owner_id
FROM events e LEFT JOIN documents d ON d.id = e.document_id
WHERE e.document_id IS NOT NULL AND e.type IN ('document.created', 'document.updated', 'document.sent', 'document.viewed',
  'document.completed', 'document.declined', 'document.voided', 'document.expired', 'document.sealing_failed',
  'recipient.notified', 'recipient.signed', 'recipient.email_failed', 'recipient.reminded', 'recipient.corrected',
  'recipient.delegated', 'recipient.handed_over', 'recipient.access_code_locked', 'recipient.code_locked');

CREATE INDEX public_events_type ON public_events (type, sequence);
CREATE INDEX public_events_owner ON public_events (owner_id, sequence);
CREATE INDEX public_events_owner_type ON public_events (owner_id, type, sequence);
CREATE INDEX public_events_document ON public_events (document_id, sequence);
