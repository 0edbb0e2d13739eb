ALTER TABLE batches ADD COLUMN resumed_by TEXT;    -- who had the rest sent, as in the audit log; NULL: nobody yet
ALTER TABLE batches ADD COLUMN stop_reason TEXT;   -- a STOP_REASON of core; NULL: not stopped, or by an earlier release
