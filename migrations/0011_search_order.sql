-- Numbers above 0 grow with the ids. A document that came after a start with an earlier clock has one below 0, and is looked up here.
CREATE INDEX document_search_unordered ON document_search (document_id) WHERE number < 0;
