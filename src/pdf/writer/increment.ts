/**
 * Makes the incremental updates (ISO 32000-2 §7.5.6) that prepare a file for a seal or a document
 * time-stamp. The source stays their prefix. It signs nothing and touches no file.
 */
import { createHash } from 'node:crypto'
import { SEAL_SUB_FILTERS, type SealSubFilter } from '../../core/document/document.ts'
import { remark } from '../../locales/remarks.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from '../parser/file.ts'
import { EMPTY_DICTIONARY, PdfSyntaxError, textOf } from '../parser/syntax.ts'
import {
  type Changes,
  formatDate,
  formatDictionary,
  formatItems,
  formatReference,
  formatTextString,
  ObjectChanges,
  type UpdatablePdf,
} from './object-changes.ts'
import { addOverlay, appendPages, checkOverlay, type Overlay } from './overlay.ts'
import { Update } from './update.ts'

interface IncrementOptions {
  overlay: Overlay | undefined
  /** A PDF whose pages are added after the last page. */
  appendix: Uint8Array | undefined
  signature: SignatureTexts
  placeholder: PlaceholderText
  /** Of the version of the file that the update makes, 16 bytes. */
  id: Uint8Array
}

interface Increment {
  bytes: Uint8Array
  pageCount: number
}

/** @throws PdfSyntaxError for an object that cannot be changed; RangeError for a missing page */
export function makeIncrement(pdf: UpdatablePdf, options: IncrementOptions): Increment {
  const update = new Update(pdf.file, options.id)
  const changes = withoutActiveContent(pdf)
  if (options.overlay !== undefined) addOverlay(pdf, update, changes, options.overlay)
  const added = options.appendix === undefined ? 0 : appendPages(pdf, update, changes, options.appendix)
  addSignature(pdf, update, changes, options.signature, options.placeholder)
  changes.writeTo(update)
  return { bytes: update.finish(), pageCount: pdf.pages.length + added }
}

export function hasActiveContent(pdf: UpdatablePdf): boolean {
  return !withoutActiveContent(pdf).isEmpty
}

/** Every file that others are given begins with these changes: they see what is sealed. */
function withoutActiveContent({ activeContentEdits, catalog }: UpdatablePdf): ObjectChanges {
  const changes = new ObjectChanges()
  for (const object of activeContentEdits.objects.values()) changes.add(object, object.changes)
  changes.add(catalog, activeContentEdits.catalog)
  return changes
}

/**
 * Disables active content and lays drawings over pages, without a signature. Empty if there is
 * neither. Without drawings, equal files get equal bytes. @throws PdfSyntaxError, RangeError
 */
export function makeOverlayIncrement(pdf: UpdatablePdf, drawn: { overlay: Overlay; id: Uint8Array } | undefined): Uint8Array {
  const changes = withoutActiveContent(pdf)
  if (drawn === undefined && changes.isEmpty) return new Uint8Array()
  const update = new Update(pdf.file, drawn?.id ?? createHash('sha256').update(pdf.file.bytes).digest().subarray(0, 16))
  if (drawn !== undefined) addOverlay(pdf, update, changes, drawn.overlay)
  changes.writeTo(update)
  return update.finish()
}

/** Changes only the form and page 1. @throws PdfSyntaxError if one of them cannot be changed */
export function makeTimestampIncrement(pdf: UpdatablePdf, placeholder: PlaceholderText, id: Uint8Array): Increment {
  const update = new Update(pdf.file, id)
  const changes = new ObjectChanges()
  addTimestamp(pdf, update, changes, placeholder)
  changes.writeTo(update)
  return { bytes: update.finish(), pageCount: pdf.pages.length }
}

const TRIAL: IncrementOptions = {
  overlay: undefined,
  appendix: undefined,
  signature: { name: '', reason: '', location: undefined, at: '2000-01-01T00:00:00Z' },
  placeholder: { byteRange: [0, 0, 0, 0], contentsHex: '' },
  id: new Uint8Array(16),
}

/** Checks that a seal and an overlay on any page can be written. @throws PdfSyntaxError */
export function tryIncrement(pdf: UpdatablePdf): void {
  for (const page of pdf.pages) checkOverlay(pdf.file, page)
  makeIncrement(pdf, TRIAL)
}

// Declares PAdES in files older than PDF 2.0. ISO 32000-2 §7.12; EN 319 142-1 §5.

/** Level 2: CAdES signatures. Level 1, included: validation data, document time-stamps. */
const ESIC = '<< /Type /DeveloperExtensions /BaseVersion /1.7 /ExtensionLevel 2 >>'

/** §7.5.2: the version of the header, unless the catalog has a later one. */
function readVersion({ file, catalog }: UpdatablePdf): number {
  const header = /^%PDF-(\d\.\d)/.exec(Buffer.from(file.bytes.subarray(0, 8)).toString('latin1'))?.[1] ?? '1.0'
  const own = resolveEntry(file, catalog.dictionary, 'Version').value
  const named = own.kind === 'name' && /^\d\.\d$/.test(own.value) ? own.value : '1.0'
  return Math.max(Number(header), Number(named))
}

/** The new /Extensions. Undefined if ESIC is already declared, or not needed from PDF 2.0 on. */
function declareEsic(pdf: UpdatablePdf): string | undefined {
  if (readVersion(pdf) >= 2) return undefined
  const known = resolveEntry(pdf.file, pdf.catalog.dictionary, 'Extensions')
  if (known.value.kind !== 'dictionary') return `<< /ESIC ${ESIC} >>`
  if (known.value.entries.has('ESIC')) return undefined
  return formatDictionary(known.bytes, known.value, new Map([['ESIC', ESIC]]))
}

/** Placeholder values of the signature dictionary, overwritten when the final ones are known. */
// Adds the field and dictionary of a seal or document time-stamp, with a placeholder for the CMS or
// token. ISO 32000-2 §12.7.5.5, §12.8.1, §12.8.2.2, §12.8.5; EN 319 142-1 §5.4.3, §6.3.

interface PlaceholderText {
  byteRange: readonly number[]
  contentsHex: string
}

interface SignatureTexts {
  name: string
  reason: string
  location: string | undefined
  /** RFC 3339. */
  at: string
  /** Default: `ETSI.CAdES.detached`. */
  subFilter?: SealSubFilter | undefined
}

/** §12.5.3: print (bit 3) and locked (bit 8). */
const WIDGET_FLAGS = 132
/** §12.7.3, table 225: signatures exist, append only. */
const SIGNATURE_FLAGS = 3
/** A partial name that no top-level field has (§12.7.4.2). */
function findFreeName(file: PdfFile, form: LocatedValue, wanted: string): string {
  const taken = new Set<string>()
  const fields = resolveEntry(file, form, 'Fields')
  if (fields.value.kind === 'array') {
    for (const item of fields.value.items) taken.add(textOf(resolveEntry(file, resolveWithin(file, fields, item), 'T').value))
  }
  let name = wanted
  for (let i = 2; taken.has(name); i++) name = `${wanted} ${i}`
  return name
}

/** Table 255. The wide numbers of /ByteRange reserve space for the final ones. */
function formatSignature(
  { name, reason, location, at, subFilter = SEAL_SUB_FILTERS[0] }: SignatureTexts,
  placeholder: PlaceholderText,
): string {
  const transform = '<< /Type /TransformParams /P 1 /V /1.2 >>'
  return [
    `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${subFilter}`,
    `/ByteRange [${placeholder.byteRange.join(' ')}]`,
    `/Contents <${placeholder.contentsHex}>`,
    `/M ${formatDate(at)}`,
    `/Name ${formatTextString(name)}`,
    `/Reason ${formatTextString(reason)}`,
    ...(location === undefined ? [] : [`/Location ${formatTextString(location)}`]),
    `/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams ${transform} >>] >>`,
  ].join('\n')
}

/** ISO 32000-2 §12.8.5; EN 319 142-1 §5.4.3: the time is only in the token. */
function formatTimestamp(placeholder: PlaceholderText): string {
  return [
    '<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161',
    `/ByteRange [${placeholder.byteRange.join(' ')}]`,
    `/Contents <${placeholder.contentsHex}> >>`,
  ].join('\n')
}

/** `more`: further changes to the form. Its other entries stay. */
function addToForm(
  { file, catalog }: UpdatablePdf,
  objects: ObjectChanges,
  form: LocatedValue,
  field: number,
  more: Changes,
): void {
  const changes: Changes = new Map([
    ['Fields', `[${[...formatItems(file, form, 'Fields'), formatReference(field)].join(' ')}]`],
    ['SigFlags', String(SIGNATURE_FLAGS)],
    ...more,
  ])
  const { value } = catalog.dictionary
  const raw = value.kind === 'dictionary' ? value.entries.get('AcroForm') : undefined
  if (raw?.kind === 'reference' && form.value.kind === 'dictionary') {
    objects.add({ number: raw.number, generation: raw.generation, dictionary: form }, changes)
    return
  }
  const known = form.value.kind === 'dictionary' ? form.value : EMPTY_DICTIONARY
  objects.add(catalog, new Map([['AcroForm', formatDictionary(form.bytes, known, changes)]]))
}

interface SignedField {
  /** A number is appended if the form has a field of this name. */
  name: string
  text: string
  form: Changes
}

/** Adds the dictionary and an invisible field on page 1. Returns the dictionary's number. */
function addField(pdf: UpdatablePdf, update: Update, objects: ObjectChanges, signed: SignedField): number {
  const { file, catalog, pages } = pdf
  const [first] = pages
  if (first === undefined) throw new PdfSyntaxError(remark('document_without_page'))
  const form = resolveEntry(file, catalog.dictionary, 'AcroForm')
  const signature = update.allocate()
  update.put(signature, signed.text)
  const field = update.allocate()
  const title = formatTextString(findFreeName(file, form, signed.name))
  const widget = `/Type /Annot /Subtype /Widget /Rect [0 0 0 0] /F ${WIDGET_FLAGS} /P ${formatReference(first.number, first.generation)}`
  update.put(field, `<< ${widget} /FT /Sig /T ${title} /V ${formatReference(signature)} >>`)

  const annotations =
    objects.newValueText(first.number, 'Annots')?.slice(1, -1) ?? formatItems(file, first.dictionary, 'Annots').join(' ')
  objects.add(first, new Map([['Annots', `[${annotations} ${formatReference(field)}]`]]))
  addToForm(pdf, objects, form, field, signed.form)
  return signature
}

/** Adds the seal and certifies the document. @throws PdfSyntaxError if that is impossible */
function addSignature(
  pdf: UpdatablePdf,
  update: Update,
  objects: ObjectChanges,
  texts: SignatureTexts,
  placeholder: PlaceholderText,
): void {
  // Readers would show an XFA form instead of the fields.
  const form: Changes = new Map([['XFA', undefined]])
  const signature = addField(pdf, update, objects, { name: 'Seal', text: formatSignature(texts, placeholder), form })
  // Usage rights (§12.8.2.3) end with any change; the certification replaces them.
  const changes = new Map([['Perms', `<< /DocMDP ${formatReference(signature)} >>`]])
  const extensions = declareEsic(pdf)
  if (extensions !== undefined) changes.set('Extensions', extensions)
  objects.add(pdf.catalog, changes)
}

/** Any certification permits a document time-stamp (§12.8.2.2). @throws PdfSyntaxError */
function addTimestamp(pdf: UpdatablePdf, update: Update, objects: ObjectChanges, placeholder: PlaceholderText): void {
  addField(pdf, update, objects, { name: 'Time-stamp', text: formatTimestamp(placeholder), form: new Map() })
}
