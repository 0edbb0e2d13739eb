-- When the owner of an API token was informed that it ends soon.
ALTER TABLE api_keys ADD COLUMN end_noted_at TEXT;

-- What the webhook is for, in the words of whoever made it.
ALTER TABLE webhooks ADD COLUMN description TEXT;

-- The type of the event, by which deliveries are filtered. NULL in rows of earlier releases until the sweep fills them.
ALTER TABLE deliveries ADD COLUMN type TEXT;
CREATE INDEX deliveries_type ON deliveries (webhook_id, type, id);
CREATE INDEX deliveries_status ON deliveries (webhook_id, status, id);
CREATE INDEX deliveries_untyped ON deliveries (type, id) WHERE type IS NULL;

-- Headers as JSON objects. NULL in attempts of earlier releases, and without an answer.
ALTER TABLE delivery_attempts ADD COLUMN request_headers TEXT;
ALTER TABLE delivery_attempts ADD COLUMN answer_headers TEXT;
