/** Small PDFs for seal tests: a page by pdf-lib, and revisions that tests can manipulate. */
import { PDFDocument } from 'pdf-lib'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { rangesOf } from '../../src/pades/byte-range.ts'
import { createSignedData } from '../../src/pades/cms.ts'
import { newPlaceholder, type Placeholder, writeByteRange } from '../../src/pades/placeholder.ts'
import { openPdf } from '../../src/pdf/parser/file.ts'
import { digestOf } from '../../src/pki/algorithm.ts'
import type { SealKey } from '../../src/pki/key.ts'
import { fillContents } from '../support/seal.ts'

export async function plainPdf({ pages = 1, objectStreams = false } = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  for (let i = 0; i < pages; i++) document.addPage([200, 100])
  return document.save({ useObjectStreams: objectStreams })
}

const lastStartxref = (bytes: Uint8Array): number =>
  Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(Buffer.from(bytes).toString('latin1'))?.[1])

/** Root and size of the newest trailer, and a catalog of its pages without the closing `>>`. */
export function rootOf(bytes: Uint8Array): { root: number; size: number; catalog: string } {
  const file = openPdf(bytes, { decrypts: true })
  const root = file.crossReference.trailer.entries.get('Root')
  const size = file.crossReference.trailer.entries.get('Size')
  const pages = file.dictionary(root)?.entries.get('Pages')
  if (root?.kind !== 'reference' || size?.kind !== 'number' || pages?.kind !== 'reference') throw new Error('no trailer')
  return { root: root.number, size: size.value, catalog: `<< /Type /Catalog /Pages ${pages.number} 0 R` }
}

/** `bytes` with one more revision of the given objects, with a cross-reference table. */
export function withRevision(bytes: Uint8Array, objects: ReadonlyMap<number, string>, trailerEntries = ''): Buffer {
  const { root, size } = rootOf(bytes)
  let text = '\n'
  const table: string[] = []
  for (const [number, body] of objects) {
    table.push(`${number} 1\n${String(bytes.length + text.length).padStart(10, '0')} 00000 n \n`)
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const xref = bytes.length + text.length
  const newSize = Math.max(size, ...[...objects.keys()].map(number => number + 1))
  text += `xref\n${table.join('')}trailer\n<< /Size ${newSize} /Root ${root} 0 R /Prev ${lastStartxref(bytes)} ${trailerEntries}>>\nstartxref\n${xref}\n%%EOF\n`
  return Buffer.concat([bytes, Buffer.from(text, 'latin1')])
}

export interface TinySealOptions {
  base: Uint8Array
  key: SealKey
  contentsBytes?: number
  /** Changes the text of the signature dictionary before anything is signed. */
  dictionary?: (text: string) => string
  /** Changes the objects of the revision before anything is signed. */
  objects?: (objects: Map<number, string>) => void
  /** A different CMS over the same digest. */
  cms?: (digest: Uint8Array, signed: Uint8Array) => Promise<Uint8Array>
  subFilter?: string
  field?: string
  /** More entries for the new trailer. */
  trailerEntries?: string
}

/** `base` with one more revision with a certification, both placeholders still unfilled. */
export function tinyWithGap(order: Omit<TinySealOptions, 'key' | 'cms'> & { placeholder: Placeholder }): Buffer {
  const { base, placeholder, dictionary = text => text, subFilter = 'ETSI.CAdES.detached', field = 'Seal' } = order
  const { root, size, catalog } = rootOf(base)
  const signature =
    `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${subFilter} /M (D:20310304050607Z) /Name (Contoso)` +
    ` /ByteRange [${placeholder.byteRange.join(' ')}] /Contents <${placeholder.contentsHex}>` +
    ' /Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 1 /V /1.2 >> >>] >>'
  const objects = new Map([
    [root, `${catalog} /AcroForm << /SigFlags 3 /Fields [${size} 0 R] >> /Perms << /DocMDP ${size + 1} 0 R >> >>`],
    [size, `<< /Type /Annot /Subtype /Widget /FT /Sig /T (${field}) /F 132 /Rect [0 0 0 0] /V ${size + 1} 0 R >>`],
    [size + 1, dictionary(signature)],
  ])
  order.objects?.(objects)
  return withRevision(base, objects, order.trailerEntries)
}

/** A sealed file: `base` with one more revision with a certification. */
export async function sealTiny(order: TinySealOptions): Promise<Buffer> {
  const { key, contentsBytes = 3500 } = order
  const placeholder = newPlaceholder(contentsBytes, THIS_MACHINE.random)
  const bytes = tinyWithGap({ ...order, placeholder })
  const byteRange = writeByteRange(bytes, placeholder)
  const digest = digestOf('sha256', ...rangesOf(bytes, byteRange))
  const signed = Buffer.concat([bytes.subarray(0, byteRange[1]), bytes.subarray(byteRange[2])])
  const cms = order.cms === undefined ? await createSignedData({ digest, key }) : await order.cms(digest, signed)
  fillContents(bytes, byteRange, cms)
  return bytes
}
