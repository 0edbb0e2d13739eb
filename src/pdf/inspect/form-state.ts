/** Finds signatures, XFA, revisions and hidden layers. ISO 32000-2 §7.5.6, §8.11, §12.7, §12.8. */
import { remark } from '../../locales/remarks.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from '../parser/file.ts'
import { MAX_FORM_DEPTH, MAX_FORM_FIELDS } from '../parser/signature-fields.ts'
import { PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'
import type { OpenedForUpdate } from './open-for-update.ts'
import type { PdfWarning } from './report.ts'

/** Below the limits of the parser: seals and time-stamps add fields. */
const MAX_FIELDS = MAX_FORM_FIELDS - 1_000
const MAX_DEPTH = MAX_FORM_DEPTH - 1

/** All fields with their inherited type (§12.7.4). @throws PdfSyntaxError if there are too many */
function* listFields(file: PdfFile, form: LocatedValue): Generator<{ field: LocatedValue; isSignature: boolean }> {
  const seen = new Set<number>()
  const pending: { array: LocatedValue; raw: PdfValue; isSignature: boolean; depth: number }[] = []
  const enqueue = (container: LocatedValue, key: string, isSignature: boolean, depth: number): void => {
    const array = resolveEntry(file, container, key)
    if (array.value.kind !== 'array') return
    if (depth > MAX_DEPTH) throw new PdfSyntaxError(remark('too_many_form_fields'))
    for (const raw of array.value.items) pending.push({ array, raw, isSignature, depth })
  }
  enqueue(form, 'Fields', false, 0)
  for (let count = 0; pending.length > 0; count++) {
    if (count > MAX_FIELDS) throw new PdfSyntaxError(remark('too_many_form_fields'))
    const next = pending.pop()
    if (next === undefined) return
    if (next.raw.kind === 'reference' && seen.has(next.raw.number)) continue
    if (next.raw.kind === 'reference') seen.add(next.raw.number)
    const field = resolveWithin(file, next.array, next.raw)
    const type = resolveEntry(file, field, 'FT').value
    const isSignature = type.kind === 'name' ? type.value === 'Sig' : next.isSignature
    yield { field, isSignature }
    enqueue(field, 'Kids', isSignature, next.depth + 1)
  }
}

/** Signed or certified. Usage rights (§12.8.2.3) do not count. */
export function isSigned({ file, catalog }: OpenedForUpdate): boolean {
  const certification = resolveEntry(file, resolveEntry(file, catalog.dictionary, 'Perms'), 'DocMDP')
  if (certification.value.kind === 'dictionary') return true
  for (const { field, isSignature } of listFields(file, resolveEntry(file, catalog.dictionary, 'AcroForm'))) {
    if (isSignature && resolveEntry(file, field, 'V').value.kind === 'dictionary') return true
  }
  return false
}

/** The form has only XFA fields, or the reader generates pages that the seal would not cover. */
export function isXfaOnly({ file, catalog }: OpenedForUpdate): boolean {
  const form = resolveEntry(file, catalog.dictionary, 'AcroForm')
  const xfa = resolveEntry(file, form, 'XFA').value
  if (xfa.kind === 'null') return false
  const needsRendering = resolveEntry(file, catalog.dictionary, 'NeedsRendering').value
  if (needsRendering.kind === 'boolean' && needsRendering.value) return true
  const fields = resolveEntry(file, form, 'Fields').value
  return fields.kind !== 'array' || fields.items.length === 0
}

const MAX_TRAILING_BYTES = 1024

export function revisionWarnings({ file, catalog }: OpenedForUpdate): PdfWarning[] {
  const { revisions } = file.crossReference
  const warnings: PdfWarning[] = []
  if (revisions > 1) {
    warnings.push({
      code: 'earlier_revisions',
      message: `The PDF was changed ${revisions - 1} times after it was first saved; earlier contents can still be read from the file.`,
    })
  }
  const tail = Buffer.from(file.bytes.subarray(-MAX_TRAILING_BYTES)).toString('latin1')
  const end = tail.lastIndexOf('%%EOF')
  if (end === -1 || tail.slice(end + 5).trim() !== '') {
    warnings.push({
      code: 'trailing_bytes',
      message: 'There are data after the end of the PDF; they are not shown but stay in the file.',
    })
  }
  if (hasHiddenLayers(file, catalog.dictionary)) {
    warnings.push({
      code: 'hidden_content',
      message: 'The PDF has hidden layers; signers do not see their content.',
    })
  }
  if (resolveEntry(file, resolveEntry(file, catalog.dictionary, 'AcroForm'), 'XFA').value.kind !== 'null') {
    warnings.push({ code: 'xfa_form', message: 'The PDF also contains an XFA form; it is removed from the sealed file.' })
  }
  return warnings
}

/** §8.11.4: optional content that is off when the document is opened. */
function hasHiddenLayers(file: PdfFile, catalog: LocatedValue): boolean {
  const standard = resolveEntry(file, resolveEntry(file, catalog, 'OCProperties'), 'D')
  const off = resolveEntry(file, standard, 'OFF').value
  const base = resolveEntry(file, standard, 'BaseState').value
  return (off.kind === 'array' && off.items.length > 0) || (base.kind === 'name' && base.value === 'OFF')
}
