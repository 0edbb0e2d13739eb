/** The script of pages of the web app that show a whole document. */
import { upgradeDocumentViewers } from '../../browser/document-viewer.ts'

upgradeDocumentViewers(document)
