/**
 * The field and the dictionary of a seal or a document time-stamp, with a gap in place of the CMS
 * or token. ISO 32000-2 §12.7.5.5, §12.8.1, §12.8.2.2, §12.8.5; EN 319 142-1 §5.4.3, §6.3. Knows no
 * key and no certificate.
 */

import type { LocatedValue, PdfFile } from '../parser/file.ts'
import { resolveEntry, resolveWithin } from '../parser/file.ts'
import { type PdfDictionary, PdfSyntaxError, textOf } from '../parser/syntax.ts'
import { padesExtensions } from './extensions.ts'
import type { Edits, UpdatablePdf } from './object-changes.ts'
import { type Changes, changedDictionary, dateString, itemTexts, reference, textString } from './serialize.ts'
import type { Update } from './update.ts'

/** Values that stand in the signature dictionary until the true ones are known. */
export interface PlaceholderText {
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
const EMPTY: PdfDictionary = { kind: 'dictionary', entries: new Map(), duplicateKeys: [], start: 0, end: 0 }

/** A partial name that no field at the top of the form has (§12.7.4.2). */
function freeFieldName(file: PdfFile, form: LocatedValue, wanted: string): string {
  const taken = new Set<string>()
  const fields = resolveEntry(file, form, 'Fields')
  if (fields.value.kind === 'array') {
    for (const item of fields.value.items) taken.add(textOf(resolveEntry(file, resolveWithin(file, fields, item), 'T').value))
  }
  let name = wanted
  for (let i = 2; taken.has(name); i++) name = `${wanted} ${i}`
  return name
}

/** Table 255. The wide numbers of /ByteRange keep the place of the true ones. */
function signatureText({ name, reason, location, at }: SignatureTexts, gap: PlaceholderText): string {
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

/** ISO 32000-2 §12.8.5; EN 319 142-1 §5.4.3: the time stands in the token alone. */
function timestampText(gap: PlaceholderText): string {
  return [
    '<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161',
    `/ByteRange [${gap.byteRange.join(' ')}]`,
    `/Contents <${gap.contentsHex}> >>`,
  ].join('\n')
}

/** The field goes to the end of the form, whose other entries stay but for what `more` changes. */
function addToForm({ file, catalog }: UpdatablePdf, edits: Edits, form: LocatedValue, field: number, more: Changes): void {
  const changes: Changes = new Map([
    ['Fields', `[${[...itemTexts(file, form, 'Fields'), reference(field)].join(' ')}]`],
    ['SigFlags', String(SIGNATURE_FLAGS)],
    ...more,
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

interface SignedField {
  /** Its name, with a number behind it where the form has one of that name. */
  name: string
  /** The signature dictionary. */
  text: string
  form: Changes
}

/**
 * Adds the dictionary, an invisible field with its widget on page 1, and the field's place in the
 * form. Gives the dictionary's number.
 */
function addField(readable: UpdatablePdf, update: Update, edits: Edits, order: SignedField): number {
  const { file, catalog, pages } = readable
  const [first] = pages
  if (first === undefined) throw new PdfSyntaxError('the document has no page')
  const form = resolveEntry(file, catalog.dictionary, 'AcroForm')
  const signature = update.allocate()
  update.put(signature, order.text)
  const field = update.allocate()
  const title = textString(freeFieldName(file, form, order.name))
  const widget = `/Type /Annot /Subtype /Widget /Rect [0 0 0 0] /F ${WIDGET_FLAGS} /P ${reference(first.number, first.generation)}`
  update.put(field, `<< ${widget} /FT /Sig /T ${title} /V ${reference(signature)} >>`)

  const annotations = edits.changed(first.number, 'Annots')?.slice(1, -1) ?? itemTexts(file, first.dictionary, 'Annots').join(' ')
  edits.change(first, new Map([['Annots', `[${annotations} ${reference(field)}]`]]))
  addToForm(readable, edits, form, field, order.form)
  return signature
}

/**
 * Adds the seal's field and dictionary, and certifies the document. @throws PdfSyntaxError when an
 * object that has to change cannot be written anew
 */
export function addSignature(
  readable: UpdatablePdf,
  update: Update,
  edits: Edits,
  texts: SignatureTexts,
  gap: PlaceholderText,
): void {
  // An XFA form would be shown by readers in place of the fields.
  const form: Changes = new Map([['XFA', undefined]])
  const signature = addField(readable, update, edits, { name: 'Seal', text: signatureText(texts, gap), form })
  // Usage rights (§12.8.2.3) end with any change; the certification takes their place.
  const changes = new Map([['Perms', `<< /DocMDP ${reference(signature)} >>`]])
  const extensions = padesExtensions(readable)
  if (extensions !== undefined) changes.set('Extensions', extensions)
  edits.change(readable.catalog, changes)
}

/**
 * Adds a document time-stamp, which §12.8.2.2 lets follow any certification. @throws PdfSyntaxError
 * as `addSignature` does
 */
export function addTimestamp(readable: UpdatablePdf, update: Update, edits: Edits, gap: PlaceholderText): void {
  addField(readable, update, edits, { name: 'Time-stamp', text: timestampText(gap), form: new Map() })
}
