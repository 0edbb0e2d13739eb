ALTER TABLE recipients ADD COLUMN deliver_by TEXT NOT NULL DEFAULT 'email';  -- a DELIVERY of core
ALTER TABLE recipients ADD COLUMN pending_link TEXT;   -- id of the newest signing link that was not opened; NULL: none
