/**
 * Finds the signed signature fields of a PDF's AcroForm and reads their permissions, locks and
 * dates. ISO 32000-2 §12.7.5.5, §12.8. It verifies nothing.
 */
import { type Remark, remark } from '../../locales/remarks.ts'
import type { LocatedValue, PdfFile } from './file.ts'
import { EMPTY_DICTIONARY, type PdfDictionary, PdfSyntaxError, type PdfValue, textOf } from './syntax.ts'

export interface SignatureField {
  /** Fully qualified name (§12.7.4.2). */
  name: string
  value: PdfDictionary
  /** Its object number. Undefined if the dictionary is direct in the field. */
  number: number | undefined
  /** False inside an object stream: then offsets of the dictionary are not offsets in the file. */
  isInFile: boolean
  /** /P of the field's /Lock: what may follow this signature (§12.7.5.5, table 236). */
  lockLevel: number | undefined
  /** Why the dictionary cannot be read, as a clause. `value` is empty then. */
  unreadable?: Remark
}

/** Of the form of a PDF. */
export const MAX_FORM_DEPTH = 50
export const MAX_FORM_FIELDS = 100_000

interface Inherited {
  name: string
  isSignature: boolean
}

interface FoundField {
  name: string
  field: PdfDictionary
  isInFile: boolean
}

class SignatureFieldFinder {
  readonly found: SignatureField[] = []
  readonly #seen = new Set<number>()
  #count = 0

  constructor(private readonly file: PdfFile) {}

  visit(node: PdfValue, inherited: Inherited, depth: number): void {
    if (depth > MAX_FORM_DEPTH || ++this.#count > MAX_FORM_FIELDS) throw new PdfSyntaxError(remark('too_many_form_fields'))
    if (node.kind === 'reference') {
      if (this.#seen.has(node.number)) return
      this.#seen.add(node.number)
    }
    const { value: field, isInFile } = this.file.resolve(node)
    if (field.kind !== 'dictionary') return
    const own = this.#inherit(field, inherited)
    const value = field.entries.get('V')
    if (own.isSignature && value !== undefined) this.#addSignature({ name: own.name, field, isInFile }, value)
    for (const kid of this.file.items(field.entries.get('Kids'))) this.visit(kid, own, depth + 1)
  }

  #inherit({ entries }: PdfDictionary, inherited: Inherited): Inherited {
    const partial = textOf(this.file.resolve(entries.get('T')).value)
    const type = this.file.resolve(entries.get('FT')).value
    return {
      name: [inherited.name, partial].filter(part => part !== '').join('.'),
      isSignature: type.kind === 'name' ? type.value === 'Sig' : inherited.isSignature,
    }
  }

  #addSignature({ name, field, isInFile: isFieldInFile }: FoundField, value: PdfValue): void {
    const level = this.file.resolve(this.file.dictionary(field.entries.get('Lock'))?.entries.get('P')).value
    const lockLevel = level.kind === 'number' ? level.value : undefined
    const isReference = value.kind === 'reference'
    const number = isReference ? value.number : undefined
    let located: LocatedValue
    try {
      located = this.file.resolve(value)
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error
      this.found.push({ name, value: EMPTY_DICTIONARY, number, isInFile: false, lockLevel, unreadable: error.remark })
      return
    }
    if (located.value.kind !== 'dictionary') return
    this.found.push({ name, value: located.value, number, isInFile: isReference ? located.isInFile : isFieldInFile, lockLevel })
  }
}

/** In the order of the form. @throws PdfSyntaxError if the form is too deep or too large */
export function findSignatureFields(file: PdfFile, catalog: PdfDictionary): SignatureField[] {
  const finder = new SignatureFieldFinder(file)
  const form = file.dictionary(catalog.entries.get('AcroForm'))
  for (const field of file.items(form?.entries.get('Fields'))) finder.visit(field, { name: '', isSignature: false }, 0)
  return finder.found
}

/**
 * The dictionary of the usage rights (ISO 32000-1 §12.8.2.3), by which a product lets its reader
 * fill in and save a form. Its form is that of a signature, but nobody signs the document with it.
 */
export function findUsageRights(file: PdfFile, catalog: PdfDictionary): PdfDictionary | undefined {
  const rights = file.dictionary(file.dictionary(catalog.entries.get('Perms'))?.entries.get('UR3'))
  const references = file.items(rights?.entries.get('Reference'))
  const isOnlyThat = references.length === 1 && rights !== undefined && findTransform(file, rights, 'UR3') !== undefined
  return isOnlyThat ? rights : undefined
}

function findTransform(file: PdfFile, signature: PdfDictionary, name: string): PdfDictionary | undefined {
  for (const item of file.items(signature.entries.get('Reference'))) {
    const reference = file.dictionary(item)
    const method = file.resolve(reference?.entries.get('TransformMethod')).value
    if (method.kind === 'name' && method.value === name) return reference
  }
  return undefined
}

/** /P of the DocMDP transform (§12.8.2.2), 2 by default. Undefined for other signatures. */
export function readCertificationLevel(file: PdfFile, signature: PdfDictionary): number | undefined {
  const transform = findTransform(file, signature, 'DocMDP')
  if (transform === undefined) return undefined
  const level = file.resolve(file.dictionary(transform.entries.get('TransformParams'))?.entries.get('P')).value
  return level.kind === 'number' ? level.value : 2
}

/**
 * Changes that a signature permits after it (§12.8.2.2, table 257). 1: validation data and
 * time-stamps. 2: also filling in forms and signing empty signature fields. 3: also comments.
 * 'approval': no certification; filling in forms and further signatures, also visible ones.
 */
export type Permission = 1 | 2 | 3 | 'approval'

/**
 * A level that the standard does not define permits the least. A lock of the field only restricts.
 */
export function readPermission(file: PdfFile, { value, lockLevel }: SignatureField): Permission {
  const levels = [readCertificationLevel(file, value), lockLevel === 3 ? undefined : lockLevel].filter(one => one !== undefined)
  if (levels.length === 0) return 'approval'
  const level = Math.min(...levels)
  return level === 2 || level === 3 ? level : 1
}

/** Fields that a signature locks, by the FieldMDP transform (§12.8.2.4, table 259). */
export interface FieldLock {
  /** 'exclude': all fields except the named ones. */
  action: 'all' | 'include' | 'exclude'
  fields: readonly string[]
}

/** The name of a field includes its descendants. */
export function isLocked({ action, fields }: FieldLock, name: string): boolean {
  const isNamed = fields.some(field => name === field || name.startsWith(`${field}.`))
  return action === 'all' || isNamed === (action === 'include')
}

/** The lock of a signature. An invalid lock locks all fields. */
export function readFieldLock(file: PdfFile, signature: PdfDictionary): FieldLock | undefined {
  const transform = findTransform(file, signature, 'FieldMDP')
  if (transform === undefined) return undefined
  const parameters = file.dictionary(transform.entries.get('TransformParams'))
  const action = file.resolve(parameters?.entries.get('Action')).value
  const fields = file.items(parameters?.entries.get('Fields')).map(field => textOf(file.resolve(field).value))
  if (action.kind === 'name' && action.value === 'Include') return { action: 'include', fields }
  if (action.kind === 'name' && action.value === 'Exclude') return { action: 'exclude', fields }
  return { action: 'all', fields: [] }
}

/** A PDF date (§7.9.4), UTC without a zone. Undefined if it is invalid. */
export function readDate(value: PdfValue | undefined): Date | undefined {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)(?:00'?00'?)?|([+-])(\d\d)(?:'?(\d\d)'?)?)?$/.exec(
    textOf(value),
  )
  if (match === null) return undefined
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    ,
    sign,
    zoneHour = '00',
    zoneMinute = '00',
  ] = match
  const zone = sign === undefined ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  return Number.isNaN(at.getTime()) ? undefined : at
}
