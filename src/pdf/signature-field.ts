/**
 * The signature field and its dictionary, with a gap in place of the CMS. ISO 32000-2 §12.7.5.5, §12.8.1, §12.8.2.2; EN 319 142-1 §6.3.
 * Knows no key and no certificate.
 */
import type { Edits } from './edits.ts'
import type { Located, PdfFile } from './file.ts'
import type { Readable } from './readable.ts'
import { type PdfDictionary, PdfSyntaxError, textOf } from './syntax.ts'
import type { Update } from './update.ts'
import { type Changes, changedDictionary, dateString, entryOf, itemTexts, reference, textString, within } from './write.ts'

/** Values that stand in the signature dictionary until the true ones are known. */
export interface GapText {
  byteRange: readonly number[]
  contentsHex: string
}

export interface SignatureTexts {
  name: string
  reason: string
  location: string | undefined
  /** RFC 3339. */
  at: string
}

/** §12.5.3: print (bit 3) and locked (bit 8). */
const WIDGET_FLAGS = 132
/** §12.7.3, table 225: signatures exist, append only. */
const SIGNATURE_FLAGS = 3
const FIELD_NAME = 'Seal'
const EMPTY: PdfDictionary = { kind: 'dictionary', entries: new Map(), doubled: [], start: 0, end: 0 }

/** A partial name that no field at the top of the form has (§12.7.4.2). */
function freeFieldName(file: PdfFile, form: Located): string {
  const taken = new Set<string>()
  const fields = entryOf(file, form, 'Fields')
  if (fields.value.kind === 'array') {
    for (const item of fields.value.items) taken.add(textOf(entryOf(file, within(file, fields, item), 'T').value))
  }
  let name = FIELD_NAME
  for (let i = 2; taken.has(name); i++) name = `${FIELD_NAME} ${i}`
  return name
}

/** Table 255. The wide numbers of /ByteRange keep the place of the true ones. */
function signatureText({ name, reason, location, at }: SignatureTexts, gap: GapText): string {
  const transform = '<< /Type /TransformParams /P 1 /V /1.2 >>'
  return [
    '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached',
    `/ByteRange [${gap.byteRange.join(' ')}]`,
    `/Contents <${gap.contentsHex}>`,
    `/M ${dateString(at)}`,
    `/Name ${textString(name)}`,
    `/Reason ${textString(reason)}`,
    ...(location === undefined ? [] : [`/Location ${textString(location)}`]),
    `/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams ${transform} >>] >>`,
  ].join('\n')
}

/** The field goes to the end of the form. What else the form has stays, but for an XFA form, which readers would show in its place. */
function addToForm({ file, catalog }: Readable, edits: Edits, form: Located, field: number): void {
  const changes: Changes = new Map([
    ['Fields', `[${[...itemTexts(file, form, 'Fields'), reference(field)].join(' ')}]`],
    ['SigFlags', String(SIGNATURE_FLAGS)],
    ['XFA', undefined],
  ])
  const { value } = catalog.dictionary
  const raw = value.kind === 'dictionary' ? value.entries.get('AcroForm') : undefined
  if (raw?.kind === 'reference' && form.value.kind === 'dictionary') {
    edits.change({ number: raw.number, generation: raw.generation, dictionary: form }, changes)
    return
  }
  const known = form.value.kind === 'dictionary' ? form.value : EMPTY
  edits.change(catalog, new Map([['AcroForm', changedDictionary(form.bytes, known, changes)]]))
}

/** Adds field, widget and dictionary, and certifies the document. @throws PdfSyntaxError when an object that has to change cannot be written anew */
export function addSignature(readable: Readable, update: Update, edits: Edits, texts: SignatureTexts, gap: GapText): void {
  const { file, catalog, pages } = readable
  const [first] = pages
  if (first === undefined) throw new PdfSyntaxError('the document has no page')
  const form = entryOf(file, catalog.dictionary, 'AcroForm')
  const signature = update.allocate()
  update.put(signature, signatureText(texts, gap))
  const field = update.allocate()
  const title = textString(freeFieldName(file, form))
  const widget = `/Type /Annot /Subtype /Widget /Rect [0 0 0 0] /F ${WIDGET_FLAGS} /P ${reference(first.number, first.generation)}`
  update.put(field, `<< ${widget} /FT /Sig /T ${title} /V ${reference(signature)} >>`)

  const annotations = edits.changed(first.number, 'Annots')?.slice(1, -1) ?? itemTexts(file, first.dictionary, 'Annots').join(' ')
  edits.change(first, new Map([['Annots', `[${annotations} ${reference(field)}]`]]))
  addToForm(readable, edits, form, field)
  // Usage rights (§12.8.2.3) end with any change; the certification takes their place.
  edits.change(catalog, new Map([['Perms', `<< /DocMDP ${reference(signature)} >>`]]))
}
