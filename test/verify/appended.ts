/** What tests write behind a signed file: by hand, so that any part of it can be what it must not be. */

import { type ByteRange, newPlaceholder, rangesOf, writeByteRange } from '../../src/pades/byte-range.ts'
import { createSignedData } from '../../src/pades/cms.ts'
import { openPdf } from '../../src/pdf/parser/file.ts'
import { verbatim } from '../../src/pdf/writer/serialize.ts'
import { digestOf } from '../../src/pki/algorithm.ts'
import { fillContents } from '../support/seal.ts'
import { withRevision } from './tiny-pdf.ts'

/** A stream that is no more than that. */
export const STREAM = '<< /Length 4 >>\nstream\nabcd\nendstream'

export function streamOf(data: Uint8Array): string {
  return `<< /Length ${data.length} >>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`
}

/** A signed file with what is needed to write an update behind it. */
export interface Signed {
  bytes: Buffer
  /** The catalog's object number, and its text as it is. */
  root: number
  catalog: string
  /** The first free object number. */
  size: number
  /** Page 1 and the node above it. */
  page: number
  parent: number
  /** DER of a certificate for the store. */
  certificate?: Uint8Array
}

/** What stands in a file now. */
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

/** The text of a dictionary with another entry. */
export const withEntry = (dictionary: string, entry: string): string => dictionary.replace(/>>\s*$/, `${entry} >>`)

/** The catalog with one more field in its form. */
export const withField = (catalog: string, number: number): string =>
  catalog.replace(/\/Fields \[(.*?)\]/, `/Fields [$1 ${number} 0 R]`)

/** The objects of an update with a store of one certificate. */
export function storeUpdate({ catalog, root, size, certificate }: Signed): Map<number, string> {
  return new Map([
    [root, withEntry(catalog, `/DSS ${size} 0 R`)],
    [size, `<< /Type /DSS /Certs [${size + 1} 0 R] >>`],
    [size + 1, certificate === undefined ? STREAM : streamOf(certificate)],
  ])
}

export interface SignatureImageRequest {
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
  /** What goes into the gap: over the digest, the two ranges. */
  contents: (digest: Uint8Array, signed: Uint8Array) => Uint8Array | Promise<Uint8Array>
}

/** One more revision with a signature field and its value. */
export async function signedAgain(bytes: Buffer, order: SignatureImageRequest): Promise<Buffer> {
  const { name = 'Second', kind = 'Sig', subFilter = 'ETSI.CAdES.detached', rect = '0 0 0 0', contentsBytes = 1600 } = order
  const file = opened(bytes)
  const { root, catalog, size, page } = file
  const gap = newPlaceholder(contentsBytes)
  const value =
    `<< /Type /${kind} /Filter /Adobe.PPKLite /SubFilter /${subFilter} /ByteRange [${gap.byteRange.join(' ')}]` +
    ` /Contents <${gap.contentsHex}> ${kind === 'Sig' ? '/M (D:20310304050607Z)' : ''} ${order.dictionary ?? ''} >>`
  const field = `<< /Type /Annot /Subtype /Widget /FT /Sig /T (${name}) /F 132 /Rect [${rect}] /P ${page} 0 R /V ${size + 1} 0 R ${order.field ?? ''} >>`
  const objects = new Map([
    [root, withField(catalog, size)],
    [size, field],
    [size + 1, value],
  ])
  order.objects?.(objects, { ...file, field: size })
  const out = withRevision(bytes, objects)
  const range: ByteRange = writeByteRange(out, gap)
  const signed = Buffer.concat([out.subarray(0, range[1]), out.subarray(range[2])])
  fillContents(out, range, await order.contents(digestOf('sha256', ...rangesOf(out, range)), signed))
  return out
}

/** The contents of a signature by a key. */
export const cmsBy =
  (key: Parameters<typeof createSignedData>[0]['key']): SignatureImageRequest['contents'] =>
  digest =>
    createSignedData({ digest, key })
