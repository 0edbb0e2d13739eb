/** The page of those who only read: the pages of the document, and what becomes of it. */
import { upgradeDocumentViewers } from '../../browser/document-viewer.ts'
import { upgradeLive } from '../../browser/live.ts'

upgradeDocumentViewers(document)
upgradeLive(document)
