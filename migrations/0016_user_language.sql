-- The language of the web app that a person chose; NULL: the browser's.
ALTER TABLE users ADD COLUMN language TEXT;
