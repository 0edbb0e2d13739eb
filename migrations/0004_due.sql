-- Indexes in the order in which scheduled work walks through what is due, and for what a start and the sweeps look up.
DROP INDEX documents_expiry;
CREATE INDEX documents_expiry ON documents (expires_at, id) WHERE status = 'sent';
DROP INDEX recipients_reminder;
CREATE INDEX recipients_reminder ON recipients (next_reminder_at, id) WHERE next_reminder_at IS NOT NULL;
DROP INDEX sealed_versions_raise;
CREATE INDEX sealed_versions_raise ON sealed_versions (raise_at, sha256) WHERE raise_at IS NOT NULL;
CREATE INDEX jobs_leased ON jobs (lease_boot) WHERE lease_boot IS NOT NULL;
CREATE INDEX idempotency_keys_open ON idempotency_keys (boot) WHERE status IS NULL;
CREATE INDEX sessions_seen ON sessions (last_seen_at);
CREATE INDEX sign_in_failures_at ON sign_in_failures (at);
CREATE INDEX mails_created ON mails (created_at);
