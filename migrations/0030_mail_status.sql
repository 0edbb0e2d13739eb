-- The list of e-mails by state: without it, a few failed ones are searched among all.
CREATE INDEX mails_status ON mails (status, id);
