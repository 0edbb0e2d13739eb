/** Texts of the list of documents and a document's page, in English. */
export const documents = {}
