-- Whom documents wait for, by address: the list of what a signed-in person has to sign.
CREATE INDEX recipients_to_sign ON recipients (email COLLATE NOCASE, document_id) WHERE status IN ('sent', 'viewed');
