/** The script of a page that holds nothing but the view of a document, for tests of it alone. */
import { signer } from '../../src/locales/en/signer.ts'
import { openDocumentView } from '../../views/documents/browser/document-view.ts'

const container = document.querySelector<HTMLElement>('#document')
if (!container) throw new Error('the page has no place for the document')
const view = openDocumentView({
  container,
  fileUrl: '/file',
  pagesUrl: '/pages',
  marksUrl: page => `/marks?page=${page}`,
  pdfjsUrl: container.dataset.pdfjs ?? '',
  texts: signer.view,
  insetBottom: () => Number(container.dataset.covered ?? 0),
})
Object.assign(window, { view })
