/** What the signing page loads: the page's script with the view that draws the document. */
import { openDocumentView } from './document-view.ts'
import { startSigning } from './signing-page.ts'

startSigning(openDocumentView)
