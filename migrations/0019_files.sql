-- The uploads that were joined, as JSON: fileName, sha256, pageCount. NULL: one upload.
ALTER TABLE documents ADD COLUMN files TEXT;
