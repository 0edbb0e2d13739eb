-- A deleted webhook is gone for everybody at once. Its deliveries, which may be very many, go in slices, and the row with the last of them.
ALTER TABLE webhooks ADD COLUMN deleted_at TEXT;
CREATE INDEX webhooks_deleted ON webhooks (id) WHERE deleted_at IS NOT NULL;
