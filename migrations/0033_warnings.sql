-- Warnings are e-mailed together, some minutes after they were raised, and again at each step.
ALTER TABLE alerts ADD COLUMN step INTEGER;          -- the worst reached, such as days left; NULL where there are none
ALTER TABLE alerts ADD COLUMN owner_id TEXT;         -- mailed to this user beside the administrators
ALTER TABLE alerts ADD COLUMN mail_due_at TEXT;      -- NULL once it was mailed, or if it is not to be

-- Administrators may turn off the mails about warnings.
ALTER TABLE users ADD COLUMN warning_mails INTEGER NOT NULL DEFAULT 1 CHECK (warning_mails IN (0, 1));

-- What fails is found without reading what waits.
CREATE INDEX jobs_failing ON jobs (kind, created_at) WHERE state = 'open' AND last_error IS NOT NULL;
