-- Jobs are claimed lane by lane. A webhook's lane is its receiver's host and port.
DROP INDEX jobs_due;
CREATE INDEX jobs_lane ON jobs (kind, lane, due_at, id) WHERE state = 'open';
