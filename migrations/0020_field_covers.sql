-- The text of the tag in the PDF that a field was made from, as a JSON array of boxes. NULL: none.
ALTER TABLE fields ADD COLUMN covers TEXT;
