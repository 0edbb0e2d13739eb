-- Whether a thin line is drawn under a mark. NULL: stored by an executable that always drew one.
ALTER TABLE fields ADD COLUMN rule INTEGER;
