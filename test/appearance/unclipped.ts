/** Removes clipping from a page, so that a test can see the ink that a box clips. */
import { expect } from 'bun:test'
import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'

/** The same page without clipping. */
export async function unclipped(bytes: Uint8Array): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes)
  const page = pdf.getPage(0)
  const stream = page.node.lookup(PDFName.of('Contents'))
  if (!(stream instanceof PDFRawStream)) throw new Error('the page has no content')
  const content = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1')
  expect(content).toContain(' re W n')
  page.node.set(PDFName.of('Contents'), pdf.context.register(pdf.context.flateStream(content.replaceAll(' re W n', ' re n'))))
  return pdf.save()
}
