/** Appends updates and signatures to a signed file. Tests can make any part of them invalid. */
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { type ByteRange, rangesOf } from '../../src/pades/byte-range.ts'
import { createSignedData } from '../../src/pades/cms.ts'
import { newPlaceholder, writeByteRange } from '../../src/pades/placeholder.ts'
import { openPdf } from '../../src/pdf/parser/file.ts'
import { verbatim } from '../../src/pdf/writer/object-changes.ts'
import { digestOf } from '../../src/pki/algorithm.ts'
import { fillContents } from '../support/seal.ts'
import { withRevision } from './tiny-pdf.ts'

/** A stream with no entry but its length. */
export const STREAM = '<< /Length 4 >>\nstream\nabcd\nendstream'

export function streamOf(data: Uint8Array): string {
  return `<< /Length ${data.length} >>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`
}

/** A signed file with what an update of it needs. */
export interface Signed {
  bytes: Buffer
  /** The catalog's object number and its text. */
  root: number
  catalog: string
  /** The first free object number. */
  size: number
  /** Page 1 and its parent node. */
  page: number
  parent: number
  /** A certificate for the DSS, DER. */
  certificate?: Uint8Array
}

/** Reads the file's current objects. */
export function opened(bytes: Buffer): Signed {
  const file = openPdf(bytes)
  const { trailer } = file.crossReference
  const [root, size] = [trailer.entries.get('Root'), trailer.entries.get('Size')]
  const pages = file.dictionary(root)?.entries.get('Pages')
  const [page] = file.items(file.dictionary(pages)?.entries.get('Kids'))
  const known = root?.kind === 'reference' && size?.kind === 'number' && page?.kind === 'reference' && pages?.kind === 'reference'
  if (!known) throw new Error('this is no file of these tests')
  const catalog = verbatim(file.resolve(root))
  return { bytes, root: root.number, catalog, size: size.value, page: page.number, parent: pages.number }
}

/** The text of a dictionary with one entry more. */
export const withEntry = (dictionary: string, entry: string): string => dictionary.replace(/>>\s*$/, `${entry} >>`)

/** The catalog with one more field in its form. */
export const withField = (catalog: string, number: number): string =>
  catalog.replace(/\/Fields \[(.*?)\]/, `/Fields [$1 ${number} 0 R]`)

/** The objects of an update that adds a DSS with one certificate. */
export function dssUpdate({ catalog, root, size, certificate }: Signed): Map<number, string> {
  return new Map([
    [root, withEntry(catalog, `/DSS ${size} 0 R`)],
    [size, `<< /Type /DSS /Certs [${size + 1} 0 R] >>`],
    [size + 1, certificate === undefined ? STREAM : streamOf(certificate)],
  ])
}

export interface AppendedSignature {
  name?: string
  kind?: 'Sig' | 'DocTimeStamp'
  subFilter?: string
  /** More text for the field, and for the signature dictionary. */
  field?: string
  dictionary?: string
  rect?: string
  /** Changes the objects of the update before anything is signed. */
  objects?: (objects: Map<number, string>, file: Signed & { field: number }) => void
  contentsBytes?: number
  /** Makes /Contents from the digest over the two ranges. */
  contents: (digest: Uint8Array, signed: Uint8Array) => Uint8Array | Promise<Uint8Array>
}

/** One more revision with a signature field and its value. */
export async function signedAgain(bytes: Buffer, order: AppendedSignature): Promise<Buffer> {
  const { name = 'Second', kind = 'Sig', subFilter = 'ETSI.CAdES.detached', rect = '0 0 0 0', contentsBytes = 1600 } = order
  const file = opened(bytes)
  const { root, catalog, size, page } = file
  const placeholder = newPlaceholder(contentsBytes, THIS_MACHINE.random)
  const value =
    `<< /Type /${kind} /Filter /Adobe.PPKLite /SubFilter /${subFilter} /ByteRange [${placeholder.byteRange.join(' ')}]` +
    ` /Contents <${placeholder.contentsHex}> ${kind === 'Sig' ? '/M (D:20310304050607Z)' : ''} ${order.dictionary ?? ''} >>`
  const field = `<< /Type /Annot /Subtype /Widget /FT /Sig /T (${name}) /F 132 /Rect [${rect}] /P ${page} 0 R /V ${size + 1} 0 R ${order.field ?? ''} >>`
  const objects = new Map([
    [root, withField(catalog, size)],
    [size, field],
    [size + 1, value],
  ])
  order.objects?.(objects, { ...file, field: size })
  const out = withRevision(bytes, objects)
  const range: ByteRange = writeByteRange(out, placeholder)
  const signed = Buffer.concat([out.subarray(0, range[1]), out.subarray(range[2])])
  fillContents(out, range, await order.contents(digestOf('sha256', ...rangesOf(out, range)), signed))
  return out
}

/** The contents of a signature by a key. */
export const cmsBy =
  (key: Parameters<typeof createSignedData>[0]['key']): AppendedSignature['contents'] =>
  digest =>
    createSignedData({ digest, key })
