-- People a user has sent documents to.
CREATE TABLE contacts (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  mailbox TEXT NOT NULL,             -- the address in lower case: one contact for each
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  locale TEXT,
  search TEXT NOT NULL,              -- name and address, folded
  used_at TEXT NOT NULL,
  UNIQUE (user_id, mailbox)
) STRICT;
CREATE INDEX contacts_order ON contacts (user_id, search, id);
CREATE INDEX contacts_used ON contacts (user_id, used_at, id);
