-- How a field's value is printed. NULL: by the rules of the service.
ALTER TABLE fields ADD COLUMN font_size REAL CHECK (font_size BETWEEN 6 AND 24);
ALTER TABLE fields ADD COLUMN date_format TEXT;
ALTER TABLE fields ADD COLUMN align TEXT CHECK (align IN ('left', 'center', 'right'));
