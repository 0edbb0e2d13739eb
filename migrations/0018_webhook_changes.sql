-- Earlier failures no longer count: the webhook was enabled again, or its address was changed.
ALTER TABLE webhooks ADD COLUMN failures_from TEXT;

-- Replaced secrets, which sign beside the present one until then.
CREATE TABLE webhook_former_secrets (
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  valid_until TEXT NOT NULL,
  sealed_secret BLOB NOT NULL
) STRICT;
CREATE INDEX webhook_former_secrets_webhook ON webhook_former_secrets (webhook_id, valid_until);

-- Test deliveries are attempted once, and say nothing about the failing of a webhook.
ALTER TABLE deliveries ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1));
