/** Entry point of the signing page's script. */
import { openDocumentView } from './document-view.ts'
import { startSigning } from './signing-page.ts'

void startSigning(openDocumentView)
