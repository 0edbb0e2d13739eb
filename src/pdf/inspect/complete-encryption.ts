/**
 * Adds to a protected file what readers can do without, but the PDF library cannot: the first /ID
 * and the length of the key. ISO 32000-2 §7.6.2, §7.6.4.
 */
import { readStartxref } from '../parser/cross-reference.ts'
import { openPdf, type PdfFile } from '../parser/file.ts'
import { type PdfDictionary, PdfSyntaxError } from '../parser/syntax.ts'
import { formatDictionary, formatReference, verbatim } from '../writer/serialize.ts'

/** Of version 4, whatever /Length says. */
const KEY_BITS = '128'

/** Undefined if it is damaged or needs a password. */
function tryOpen(bytes: Uint8Array): PdfFile | undefined {
  try {
    return openPdf(bytes, { decrypts: true })
  } catch (error) {
    if (error instanceof PdfSyntaxError) return undefined
    throw error
  }
}

const isNumber = (dictionary: PdfDictionary, key: string, wanted: number): boolean => {
  const value = dictionary.entries.get(key)
  return value?.kind === 'number' && value.value === wanted
}

/** The file itself, or with an update that decrypts to the same. For the library alone. */
export function completeEncryption(bytes: Uint8Array): Uint8Array {
  const file = tryOpen(bytes)
  if (file === undefined) return bytes
  const { entries } = file.crossReference.trailer
  const [own, size] = [entries.get('Encrypt'), entries.get('Size')]
  const { value: encryption, bytes: source } = file.resolve(own)
  if (encryption.kind !== 'dictionary' || size?.kind !== 'number') return bytes
  const hasId = file.resolve(entries.get('ID')).value.kind === 'array'
  const hasLength = !isNumber(encryption, 'V', 4) || isNumber(encryption, 'Length', Number(KEY_BITS))
  if (hasId && hasLength) return bytes
  const [number, generation] = own?.kind === 'reference' ? [own.number, own.generation] : [size.value, 0]
  const dictionary = formatDictionary(source, encryption, new Map(hasLength ? [] : [['Length', KEY_BITS]]))
  const object = `\n${number} ${generation} obj\n${dictionary}\nendobj\n`
  const place = `${String(bytes.length + 1).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`
  const trailer = [
    `/Size ${Math.max(size.value, number + 1)}`,
    `/Encrypt ${formatReference(number, generation)}`,
    `/Prev ${readStartxref(bytes)}`,
    ...(hasId ? [] : ['/ID [<> <>]']),
  ]
  const kept = hasId ? ['Root', 'Info', 'ID'] : ['Root', 'Info']
  const rest = kept.flatMap(key => {
    const value = entries.get(key)
    return value === undefined ? [] : [`/${key} ${verbatim({ bytes, value })}`]
  })
  const text = `${object}xref\n${number} 1\n${place}trailer\n<< ${[...trailer, ...rest].join(' ')} >>\nstartxref\n${bytes.length + object.length}\n%%EOF\n`
  return Buffer.concat([bytes, Buffer.from(text, 'latin1')])
}
