-- How many mails about alerts of a kind went to an address since a moment: a failing disk must not bring a thousand.
CREATE TABLE alert_mails (
  kind TEXT NOT NULL,
  address TEXT NOT NULL,
  since TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (kind, address)
) STRICT, WITHOUT ROWID;
