-- How long the session may rest; NULL: of the release before, 30 minutes.
ALTER TABLE sessions ADD COLUMN idle_minutes INTEGER;
