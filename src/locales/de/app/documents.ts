/** Texts of the list of documents and a document's page, in German. */
import type { documents as English } from '../../en/app/documents.ts'

export const documents: typeof English = {}
