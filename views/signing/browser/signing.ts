/** Entry point of the signing page's script. */
import { openDocumentView } from '../../documents/browser/document-view.ts'
import { startSigning } from './page.ts'

void startSigning(openDocumentView)
