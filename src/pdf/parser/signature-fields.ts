/**
 * Finds the signatures of a PDF: the values of the signature fields that the catalog reaches
 * through the AcroForm. ISO 32000-2 §12.7.5.5, §12.8. Reads the dictionaries, judges nothing.
 */
import type { LocatedValue, PdfFile } from './file.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue, textOf } from './syntax.ts'

export interface SignatureField {
  /** Fully qualified name (§12.7.4.2). */
  name: string
  /** The signature dictionary. */
  value: PdfDictionary
  /** Its object number; undefined when the dictionary stands in the field itself. */
  number: number | undefined
  /** True when the dictionary's places are offsets in the file; false inside an object stream. */
  isInFile: boolean
  /** Why the dictionary cannot be read, in a clause; `value` is empty then. */
  unreadable?: string
}

/** What a dictionary that cannot be read is taken for. */
const NOTHING: PdfDictionary = { kind: 'dictionary', entries: new Map(), duplicateKeys: [], start: 0, end: 0 }

const MAX_DEPTH = 50
const MAX_FIELDS = 100_000

interface Inherited {
  name: string
  isSignature: boolean
}

/**
 * All signed signature fields, in the order of the form. @throws PdfSyntaxError when the fields
 * loop or have no end
 */
export function findSignatureFields(file: PdfFile, catalog: PdfDictionary): SignatureField[] {
  const found: SignatureField[] = []
  const seen = new Set<number>()
  let count = 0

  function walk(node: PdfValue, above: Inherited, depth: number): void {
    if (depth > MAX_DEPTH || ++count > MAX_FIELDS) throw new PdfSyntaxError('the form has no end of fields')
    if (node.kind === 'reference') {
      if (seen.has(node.number)) return
      seen.add(node.number)
    }
    const { value: field, isInFile } = file.resolve(node)
    if (field.kind !== 'dictionary') return
    const partial = textOf(file.resolve(field.entries.get('T')).value)
    const type = file.resolve(field.entries.get('FT')).value
    const own: Inherited = {
      name: [above.name, partial].filter(part => part !== '').join('.'),
      isSignature: type.kind === 'name' ? type.value === 'Sig' : above.isSignature,
    }
    const held = field.entries.get('V')
    if (own.isSignature && held !== undefined) addSignature(own.name, held, isInFile)
    for (const kid of file.items(field.entries.get('Kids'))) walk(kid, own, depth + 1)
  }

  function addSignature(name: string, held: PdfValue, fieldInFile: boolean): void {
    const isReference = held.kind === 'reference'
    const number = isReference ? held.number : undefined
    let located: LocatedValue
    try {
      located = file.resolve(held)
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error
      found.push({ name, value: NOTHING, number, isInFile: false, unreadable: error.message })
      return
    }
    if (located.value.kind !== 'dictionary') return
    found.push({
      name,
      value: located.value,
      number,
      isInFile: isReference ? located.isInFile : fieldInFile,
    })
  }

  const form = file.dictionary(catalog.entries.get('AcroForm'))
  for (const field of file.items(form?.entries.get('Fields'))) walk(field, { name: '', isSignature: false }, 0)
  return found
}

/**
 * §12.8.2.2: the access permission /P of the DocMDP transform in a signature's /Reference (2 where
 * it is not given); undefined when the signature is no certification.
 */
export function readCertificationLevel(file: PdfFile, signature: PdfDictionary): number | undefined {
  for (const item of file.items(signature.entries.get('Reference'))) {
    const reference = file.dictionary(item)
    const method = file.resolve(reference?.entries.get('TransformMethod')).value
    if (method.kind !== 'name' || method.value !== 'DocMDP') continue
    const level = file.resolve(file.dictionary(reference?.entries.get('TransformParams'))?.entries.get('P')).value
    return level.kind === 'number' ? level.value : 2
  }
  return undefined
}

/**
 * What a signature allows behind it. 1: validation material and time-stamps only. 2: forms filled
 * in and empty signature fields signed. 3: comments too. 'approval': no certification; forms filled
 * in and further signatures, also visible ones. ISO 32000-2 §12.8.2.2, table 257.
 */
export type Permission = 1 | 2 | 3 | 'approval'

/** A level that the standard does not know allows nothing. */
export function readPermission(file: PdfFile, signature: PdfDictionary): Permission {
  const level = readCertificationLevel(file, signature)
  return level === undefined ? 'approval' : level === 2 || level === 3 ? level : 1
}

/** Fields that a signature locks, by the FieldMDP transform. ISO 32000-2 §12.8.2.4, table 259. */
export interface FieldLock {
  /** 'exclude': all but those named. */
  action: 'all' | 'include' | 'exclude'
  fields: readonly string[]
}

/** A field named stands for those below it, too. */
export function isLocked({ action, fields }: FieldLock, name: string): boolean {
  const isNamed = fields.some(field => name === field || name.startsWith(`${field}.`))
  return action === 'all' || isNamed === (action === 'include')
}

/** The lock of a signature; one that cannot be read locks all fields. */
export function readFieldLock(file: PdfFile, signature: PdfDictionary): FieldLock | undefined {
  for (const item of file.items(signature.entries.get('Reference'))) {
    const reference = file.dictionary(item)
    const method = file.resolve(reference?.entries.get('TransformMethod')).value
    if (method.kind !== 'name' || method.value !== 'FieldMDP') continue
    const parameters = file.dictionary(reference?.entries.get('TransformParams'))
    const action = file.resolve(parameters?.entries.get('Action')).value
    const fields = file.items(parameters?.entries.get('Fields')).map(field => textOf(file.resolve(field).value))
    if (action.kind === 'name' && action.value === 'Include') return { action: 'include', fields }
    if (action.kind === 'name' && action.value === 'Exclude') return { action: 'exclude', fields }
    return { action: 'all', fields: [] }
  }
  return undefined
}

/**
 * A PDF date (§7.9.4); undefined when there is none or it is not one. Without a zone it is taken as
 * UTC.
 */
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
