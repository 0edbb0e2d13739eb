/** The page of those who only read: the pages of the document, and what becomes of it. */
import { upgradeDocumentViewers } from './app/document-viewer.ts'
import { upgradeLive } from './live.ts'

upgradeDocumentViewers(document)
upgradeLive(document)
