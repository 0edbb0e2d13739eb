/** PDFs with text tags and with form fields. */
import { degrees, PDFDocument, type PDFPage, rgb, StandardFonts } from 'pdf-lib'

export interface TagLine {
  text: string
  x: number
  y: number
  size?: number
}

interface PageOptions {
  rotation?: number
  cropBox?: [x: number, y: number, width: number, height: number]
}

function addPage(document: PDFDocument, { rotation = 0, cropBox }: PageOptions): PDFPage {
  const page = document.addPage([595.28, 841.89])
  page.setRotation(degrees(rotation))
  if (cropBox) page.setCropBox(...cropBox)
  return page
}

/** One page with these lines in Helvetica, in user space. */
export async function taggedPdf(lines: readonly TagLine[], options: PageOptions = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = addPage(document, options)
  for (const { text, x, y, size = 12 } of lines) {
    page.drawText(text, { x, y, size, font, rotate: degrees(options.rotation ?? 0) })
  }
  return document.save()
}

/** A form with one field of each kind that a signer fills in, and some that nobody does. */
export async function formPdf(options: PageOptions = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = addPage(document, options)
  const form = document.getForm()
  const colours = { backgroundColor: rgb(1, 1, 0.8), borderColor: rgb(1, 0, 0), borderWidth: 1 }
  const at = (y: number, width = 200, height = 20) => ({ x: 72, y, width, height, ...colours })
  form.createTextField('full_name').addToPage(page, at(760))
  form.createTextField('Date').addToPage(page, at(720))
  form.createTextField('Email').addToPage(page, at(680))
  const limited = form.createTextField('Remarks')
  limited.setMaxLength(40)
  limited.addToPage(page, at(640))
  const colour = form.createDropdown('Colour')
  colour.addOptions(['Red', 'Green', 'Blue'])
  colour.addToPage(page, at(600))
  form.createCheckBox('I agree').addToPage(page, at(560, 14, 14))
  const size = form.createRadioGroup('Size')
  size.addOptionToPage('Small', page, { x: 72, y: 520, width: 14, height: 14 })
  size.addOptionToPage('Large', page, { x: 120, y: 520, width: 14, height: 14 })
  const locked = form.createTextField('Locked')
  locked.addToPage(page, at(480))
  locked.enableReadOnly()
  const filled = form.createTextField('Filled')
  filled.setText('already here')
  filled.addToPage(page, at(440))
  form.createTextField('Off the page').addToPage(page, { x: 900, y: 440, width: 100, height: 20 })
  form.createButton('Print').addToPage('Print', page, at(400))
  return document.save()
}
