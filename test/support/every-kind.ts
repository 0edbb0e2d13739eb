/** A contract with fields of every kind, for two people and the sender, and what they enter. */
import { PDFDocument, type PDFPage, rgb, StandardFonts } from 'pdf-lib'
import { ADA, BOB } from './sample.ts'

const PAGE = { width: 595.28, height: 841.89 }

interface Box {
  page: number
  x: number
  y: number
  width: number
  height: number
}

/** Points from the upper left corner, as percent of the page. */
function at(page: number, x: number, y: number, width: number, height: number): Box {
  const percent = (value: number, of: number) => Math.round((value / of) * 1e6) / 1e4
  return {
    page,
    x: percent(x, PAGE.width),
    y: percent(y, PAGE.height),
    width: percent(width, PAGE.width),
    height: percent(height, PAGE.height),
  }
}

/** Sent for every hidden field. */
export const NEVER_ASKED = 'NEVER-ASKED'

const SENTENCE = 'The apartment was handed over with two keys, a marked floor plan and the meter readings. '
/** 2,000 characters with line breaks of its own. */
export const LONG_TEXT =
  `${SENTENCE.repeat(3).trim()}\n\n• kitchen: clean\n• bath: a crack in the basin\n\n${SENTENCE.repeat(22)}`
    .slice(0, 1999)
    .concat('.')
export const ARABIC_TEXT =
  'تم تسليم الشقة مع مفتاحين ومخطط مُعلَّم للطابق.\nلا توجد أضرار ظاهرة (باستثناء الحمّام)، وقراءة العدّاد 4711.'

/** Choices below each other: printed circles, or printed squares, of 9 pt and of 14 pt. */
function choices(page: number, x: number, y: number, size: number, values: string[]) {
  return values.map((value, i) => ({ value, ...at(page, x, y + i * 20, size, size) }))
}

export const SENDER_FIELDS = [
  { type: 'text', label: 'Contract', value: 'No 4711', ...at(1, 60, 90, 140, 18) },
  { type: 'name', label: 'Landlord', value: 'Grace Hopper', ...at(1, 215, 90, 140, 18) },
  { type: 'email', label: 'Contact', value: 'grace.hopper@example.com', ...at(1, 370, 90, 165, 18) },
  { type: 'number', label: 'Rent', value: '1250.00', align: 'right', ...at(1, 60, 130, 80, 18) },
  { type: 'date', label: 'Begins', value: '2026-12-01', ...at(1, 155, 130, 120, 18) },
  { type: 'dropdown', label: 'Deposit', value: 'Three months', options: ['None', 'Three months'], ...at(1, 290, 130, 120, 18) },
  { type: 'checkbox', label: 'Furnished', name: 'furnished', value: 'true', ...at(1, 420, 132, 14, 14) },
  { type: 'radio', label: 'Heating', value: 'Gas', options: choices(1, 60, 180, 9, ['Oil', 'Gas']) },
  {
    type: 'paragraph',
    label: 'Quiet hours',
    value: 'From 22:00 to 6:00.\nNo smoking on the stairs.',
    ...at(1, 155, 180, 380, 44),
  },
  {
    type: 'text',
    label: 'Inventory',
    value: 'List of 12 May',
    showIf: { field: 'furnished', is: 'true' },
    ...at(1, 460, 130, 75, 18),
  },
  {
    type: 'text',
    label: 'Unfurnished',
    value: NEVER_ASKED,
    showIf: { field: 'furnished', is: 'false' },
    ...at(1, 460, 160, 75, 14),
  },
]

const ADA_FIELDS = [
  { type: 'name', label: 'Tenant', ...at(1, 60, 270, 180, 18) },
  { type: 'email', label: 'Address', ...at(1, 255, 270, 180, 18) },
  { type: 'date', label: 'Signed on', dateFormat: 'DD.MM.YYYY', ...at(1, 450, 270, 85, 18) },
  { type: 'text', label: 'City', ...at(1, 60, 310, 180, 18) },
  { type: 'number', label: 'Persons', min: 1, max: 9, align: 'center', ...at(1, 255, 310, 60, 18) },
  { type: 'dropdown', label: 'Parking', options: ['None', 'Garage', 'Street'], ...at(1, 330, 310, 105, 18) },
  { type: 'text', label: 'Fixed clause', value: '§ 7 applies', readOnly: true, fontSize: 9, ...at(1, 450, 310, 85, 18) },
  { type: 'radio', name: 'payment', label: 'Payment', options: choices(1, 60, 360, 14, ['Transfer', 'Direct debit', 'Cash']) },
  { type: 'text', label: 'IBAN', showIf: { field: 'payment', is: 'Direct debit' }, ...at(1, 255, 360, 180, 18) },
  { type: 'paragraph', label: 'Reason for cash', showIf: { field: 'payment', is: 'Cash' }, ...at(1, 255, 390, 180, 30) },
  { type: 'checkbox', name: 'married', label: 'Married', required: false, ...at(1, 60, 440, 14, 14) },
  { type: 'text', label: 'Spouse', showIf: { field: 'married', is: 'true' }, ...at(1, 255, 440, 180, 18) },
  { type: 'initials', label: 'Initials of the married', showIf: { field: 'married', is: 'true' }, ...at(1, 450, 430, 70, 32) },
  { type: 'text', label: 'Arabic', ...at(1, 60, 490, 230, 18) },
  { type: 'text', label: 'Japanese', ...at(1, 305, 490, 230, 18) },
  { type: 'signature', label: 'Signature', ...at(1, 60, 560, 200, 60) },
  { type: 'image', label: 'Photo of the meter', ...at(1, 60, 660, 150, 110) },
  { type: 'attachment', label: 'Proof of income', ...at(1, 225, 660, 230, 20) },
  { type: 'attachment', label: 'Marriage certificate', showIf: { field: 'married', is: 'true' }, ...at(1, 225, 710, 230, 20) },
  { type: 'paragraph', label: 'Remarks', ...at(2, 60, 90, 475, 300) },
  { type: 'paragraph', label: 'Arabic remarks', ...at(2, 60, 430, 475, 60) },
  { type: 'paragraph', label: 'Large print', fontSize: 18, align: 'center', ...at(2, 60, 530, 475, 60) },
]

const BOB_FIELDS = [
  { type: 'checkbox', label: 'Debit mandate', showIf: { field: 'payment', is: 'Direct debit' }, ...at(1, 520, 362, 14, 14) },
  { type: 'text', label: 'Receipt number', showIf: { field: 'payment', is: 'Cash' }, ...at(1, 450, 390, 85, 18) },
  { type: 'initials', label: 'Initials', ...at(1, 300, 565, 70, 50) },
  { type: 'signature', label: 'Signature of the landlord', ...at(1, 385, 560, 150, 60) },
]

/** What each person enters, by the label of the field. */
export const ENTRIES: Record<'ada' | 'bob', Record<string, string>> = {
  ada: {
    Tenant: 'Ada Lovelace',
    Address: ADA.email,
    City: 'Zürich, Łódź, Αθήνα',
    Persons: '3',
    Parking: 'Garage',
    Payment: 'Direct debit',
    IBAN: 'DE02 1203 0000 0000 2020 51',
    'Reason for cash': NEVER_ASKED,
    Spouse: NEVER_ASKED,
    Arabic: 'شارع المتنبي ١٢، بغداد',
    Japanese: '東京都千代田区丸の内一丁目',
    Remarks: LONG_TEXT,
    'Arabic remarks': ARABIC_TEXT,
    'Large print': 'Read and agreed\nin large print',
  },
  bob: { 'Debit mandate': 'on', 'Receipt number': NEVER_ASKED },
}

export const EVERY_KIND = {
  title: 'Every kind of field',
  signingOrder: 'sequential',
  senderFields: SENDER_FIELDS,
  recipients: [
    { ...ADA, order: 1, fields: ADA_FIELDS },
    { ...BOB, order: 2, fields: BOB_FIELDS },
  ],
}

type AnyField = { type: string; label: string; page?: number; options?: (string | (Box & { value: string }))[] } & Partial<Box>

/** Captions above the places, printed circles of 9 pt, printed squares of 14 pt. */
export async function everyKindPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.setCreationDate(new Date('2026-01-01T00:00:00Z'))
  document.setModificationDate(new Date('2026-01-01T00:00:00Z'))
  const font = await document.embedFont(StandardFonts.Helvetica)
  const pages = [1, 2].map(() => document.addPage([PAGE.width, PAGE.height]))
  pages.forEach((page, i) => {
    page.drawText(`Every kind of field, page ${i + 1}`, { x: 60, y: PAGE.height - 55, size: 16, font })
  })
  const write = (page: PDFPage, text: string, x: number, y: number, size = 7) =>
    page.drawText(text, { x, y, size, font, color: rgb(0.4, 0.4, 0.45) })
  for (const field of [...SENDER_FIELDS, ...ADA_FIELDS, ...BOB_FIELDS] as AnyField[]) {
    const boxes = (field.options ?? []).flatMap(option => (typeof option === 'string' ? [] : [option]))
    if (boxes.length === 0) boxes.push({ ...(field as Box), value: '' })
    boxes.forEach((box, i) => {
      const page = pages[box.page - 1]
      if (!page) return
      const [x, width, height] = [(box.x / 100) * PAGE.width, (box.width / 100) * PAGE.width, (box.height / 100) * PAGE.height]
      const y = PAGE.height - (box.y / 100) * PAGE.height - height
      const line = { borderColor: rgb(0.75, 0.77, 0.8), borderWidth: 0.5 }
      if (box.value !== '' && width < 10) page.drawCircle({ x: x + width / 2, y: y + height / 2, size: width / 2, ...line })
      else page.drawRectangle({ x, y, width, height, ...line })
      if (i === 0) write(page, field.label, x, y + height + 3)
      if (box.value !== '') write(page, box.value, x + width + 6, y + height / 2 - 3, 9)
    })
  }
  return document.save()
}
